package org.alder.server.wire;

import java.util.Arrays;
import java.util.function.IntSupplier;

/**
 * Cuts a stream of bytes into LDAP messages (RFC 4511 4.1.1: a SEQUENCE of definite length) and refuses one that is too large as
 * soon as its length is known. Holds at most what was received of one message. One thread.
 */
final class MessageFramer {
    private static final int SEQUENCE = 0x30;
    private static final int INCOMPLETE = -1;
    private static final byte[] NONE = {};

    private final IntSupplier messageLimit;
    private byte[] pending = NONE;
    private int pendingBytes;
    private boolean broken;

    /** @param messageLimit largest message in bytes at this moment */
    MessageFramer(IntSupplier messageLimit) {
        this.messageLimit = messageLimit;
    }

    void accept(byte[] bytes, int offset, int length, MessageReceiver receiver) {
        if (broken) {
            return;
        }
        if (pendingBytes == 0) {
            int used = cut(bytes, offset, length, receiver);
            keep(bytes, offset + used, length - used);
        } else {
            append(bytes, offset, length);
            int held = pendingBytes;
            int used = cut(pending, 0, held, receiver);
            pendingBytes = 0;
            keep(pending, used, held - used);
        }
    }

    private int cut(byte[] bytes, int offset, int length, MessageReceiver receiver) {
        int used = 0;
        while (used < length && !broken) {
            int size = messageSize(bytes, offset + used, length - used, receiver);
            if (size == INCOMPLETE || size > length - used) {
                break;
            }
            receiver.received(bytes, offset + used, size);
            used += size;
        }
        return used;
    }

    private void keep(byte[] bytes, int offset, int length) {
        if (length == 0 || broken) {
            pending = NONE;
        } else if (bytes != pending) {
            pending = Arrays.copyOfRange(bytes, offset, offset + length);
            pendingBytes = length;
        } else {
            System.arraycopy(bytes, offset, bytes, 0, length);
            pendingBytes = length;
        }
    }

    private void append(byte[] bytes, int offset, int length) {
        if (length > pending.length - pendingBytes) {
            pending = Arrays.copyOf(pending, Math.max(pending.length * 2, pendingBytes + length));
        }
        System.arraycopy(bytes, offset, pending, pendingBytes, length);
        pendingBytes += length;
    }

    private int messageSize(byte[] bytes, int offset, int available, MessageReceiver receiver) {
        if ((bytes[offset] & 0xFF) != SEQUENCE) {
            return broken(receiver, "a message starts with byte 0x" + Integer.toHexString(bytes[offset] & 0xFF)
                    + ", expected 0x30");
        }
        if (available < 2) {
            return INCOMPLETE;
        }
        int first = bytes[offset + 1] & 0xFF;
        int lengthBytes = first < 0x80 ? 0 : first & 0x7F;
        if (first == 0x80 || lengthBytes > 4) {
            return broken(receiver, "a message with length byte 0x" + Integer.toHexString(first)
                    + ", expected a definite length");
        }
        if (available < 2 + lengthBytes) {
            return INCOMPLETE;
        }
        long content = lengthBytes == 0 ? first : 0;
        for (int i = 0; i < lengthBytes; i++) {
            content = content << 8 | bytes[offset + 2 + i] & 0xFF;
        }
        return checked(2 + lengthBytes + content, receiver);
    }

    private int checked(long size, MessageReceiver receiver) {
        int limit = messageLimit.getAsInt();
        if (size > limit) {
            return broken(receiver, "a message of " + size + " bytes, at most " + limit + " are allowed"
                    + " (maxRequestBytes, before a bind maxRequestBytesBeforeBind)");
        }
        return (int) size;
    }

    private int broken(MessageReceiver receiver, String reason) {
        broken = true;
        receiver.malformed(reason);
        return INCOMPLETE;
    }
}
