package org.alder.server.wire;

import java.util.Arrays;
import java.util.function.IntSupplier;
import org.alder.server.resource.MemoryBudget;

/**
 * Cuts a stream of bytes into LDAP messages (RFC 4511 4.1.1: a SEQUENCE of definite length) and refuses one that is too large as
 * soon as its length is known. Holds what was received of one message and little more, and has it counted. One thread; the end and
 * the questions are for any.
 */
final class MessageFramer {
    /** So much of a message is nobody's concern: short requests come through whatever other clients hold. */
    static final int UNCOUNTED_BYTES = 1024;
    private static final int SEQUENCE = 0x30;
    private static final int INCOMPLETE = -1;
    private static final int LEAST_GROWTH = 256;
    private static final byte[] NONE = {};

    private final IntSupplier messageLimit;
    private final MemoryBudget.Share memory;
    private byte[] pending = NONE;
    private volatile int pendingBytes;
    /** The length of the message that is not whole, 0 if that is not known yet. */
    private int expectedBytes;
    private volatile int messages;
    /** How much has been received behind the message that is being handed on. */
    private int behind;
    private boolean broken;

    /**
     * @param messageLimit largest message in bytes at this moment
     * @param memory counts what is held, and is closed with this
     */
    MessageFramer(IntSupplier messageLimit, MemoryBudget.Share memory) {
        this.messageLimit = messageLimit;
        this.memory = memory;
    }

    /** Whether a message has begun and is not whole. */
    boolean isInside() {
        return pendingBytes > 0;
    }

    /** Whole messages so far; may wrap around to 0 in a very long time. */
    int messages() {
        return messages;
    }

    /** While a message is handed on: how many bytes have been received behind it. */
    int behind() {
        return behind;
    }

    /** Counts what is held. */
    MemoryBudget.Share memory() {
        return memory;
    }

    /** Nothing is held any more. */
    void close() {
        memory.close();
    }

    void accept(byte[] bytes, int offset, int length, MessageReceiver receiver) {
        if (broken) {
            return;
        }
        if (pendingBytes == 0) {
            int used = cut(bytes, offset, length, receiver);
            keep(bytes, offset + used, length - used, receiver);
        } else if (reserve(pendingBytes + length, receiver)) {
            System.arraycopy(bytes, offset, pending, pendingBytes, length);
            int held = pendingBytes + length;
            pendingBytes = held;
            byte[] all = pending;
            int used = cut(all, 0, held, receiver);
            if (used > 0) {
                forget();
                keep(all, used, held - used, receiver);
            }
        }
        if (broken) {
            forget();
        }
    }

    private int cut(byte[] bytes, int offset, int length, MessageReceiver receiver) {
        int used = 0;
        while (used < length && !broken) {
            int size = messageSize(bytes, offset + used, length - used, receiver);
            expectedBytes = Math.max(0, size);
            if (size == INCOMPLETE || size > length - used) {
                break;
            }
            messages++;
            behind = length - used - size;
            receiver.received(bytes, offset + used, size);
            used += size;
        }
        return used;
    }

    private void keep(byte[] bytes, int offset, int length, MessageReceiver receiver) {
        if (length > 0 && !broken && reserve(length, receiver)) {
            System.arraycopy(bytes, offset, pending, 0, length);
            pendingBytes = length;
        }
    }

    private void forget() {
        memory.shrink(counted(pending.length));
        pending = NONE;
        pendingBytes = 0;
    }

    /** Makes room for so many bytes in all: a quarter more, so that many short pieces are not copied each time. */
    private boolean reserve(int bytes, MessageReceiver receiver) {
        if (bytes <= pending.length) {
            return true;
        }
        int capacity = bytes + Math.max(bytes / 4, LEAST_GROWTH);
        capacity = expectedBytes == 0 ? capacity : Math.min(capacity, Math.max(bytes, expectedBytes));
        int more = counted(capacity) - counted(pending.length);
        if (!memory.tryGrow(more)) {
            broken = true;
            receiver.overloaded(memory.refusal(more));
            return false;
        }
        pending = Arrays.copyOf(pending, capacity);
        return true;
    }

    private static int counted(int capacity) {
        return Math.max(0, capacity - UNCOUNTED_BYTES);
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
