package org.alder.server.protocol;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;

/** The request to protect the connection by TLS (RFC 4511 4.14), and how it is known before it is decoded. Stateless. */
public final class StartTls {
    public static final String OID = "1.3.6.1.4.1.1466.20037";
    private static final byte[] OID_BYTES = OID.getBytes(StandardCharsets.US_ASCII);
    private static final int REQUEST_NAME = 0x80;

    private StartTls() {
    }

    /** @param message an extended request */
    static boolean isIn(LdapMessage message) throws BerException {
        BerReader reader = message.operation().copy();
        reader.enter(LdapMessage.EXTENDED);
        return reader.peekTag() == REQUEST_NAME && Arrays.equals(OID_BYTES, reader.readBytes(REQUEST_NAME));
    }
}
