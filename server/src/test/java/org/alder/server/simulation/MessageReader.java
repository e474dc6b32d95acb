package org.alder.server.simulation;

import com.unboundid.asn1.ASN1Element;
import com.unboundid.asn1.ASN1Exception;
import com.unboundid.ldap.protocol.LDAPMessage;
import com.unboundid.ldap.sdk.LDAPException;
import java.util.Arrays;

/** Makes messages of what a server sends, which comes in pieces. One thread at a time. */
final class MessageReader {
    private final Receiver receiver;
    private byte[] rest = {};

    /** Is given each message. */
    interface Receiver {
        void answered(LDAPMessage message) throws LDAPException;
    }

    MessageReader(Receiver receiver) {
        this.receiver = receiver;
    }

    void read(byte[] bytes) {
        byte[] all = Arrays.copyOf(rest, rest.length + bytes.length);
        System.arraycopy(bytes, 0, all, rest.length, bytes.length);
        int used = 0;
        try {
            for (int length = length(all, used); length >= 0 && used + length <= all.length; length = length(all, used)) {
                receiver.answered(LDAPMessage.decode(ASN1Element.decode(Arrays.copyOfRange(all, used, used + length)).decodeAsSequence()));
                used += length;
            }
        } catch (LDAPException | ASN1Exception e) {
            throw new AssertionError("what is sent is no message", e);
        }
        rest = Arrays.copyOfRange(all, used, all.length);
    }

    /** Of the message that begins there, or -1 if that cannot be seen yet. */
    private static int length(byte[] bytes, int from) {
        if (bytes.length - from < 2) {
            return -1;
        }
        int first = bytes[from + 1] & 0xFF;
        int count = first < 0x80 ? 0 : first & 0x7F;
        if (bytes.length - from < 2 + count) {
            return -1;
        }
        int length = count == 0 ? first : 0;
        for (int i = 0; i < count; i++) {
            length = length << 8 | bytes[from + 2 + i] & 0xFF;
        }
        return 2 + count + length;
    }
}
