package org.alder.server.wire.layer;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.IntSupplier;
import org.alder.server.resource.MemoryBudget;

/**
 * A security layer of SASL on the wire: buffers of four bytes of length and so many bytes that are protected (RFC 4422 3.7). Holds
 * what was received of one buffer, and has it counted. Receives on one thread at a time, and sends on one.
 */
public final class SaslBuffers {
    private static final int LENGTH_BYTES = 4;
    /** What a buffer may be longer than the largest message that is in it. */
    private static final int OVERHEAD_BYTES = 1024;
    private static final int LEAST_BYTES = 1024;
    private static final byte[] NONE = {};

    private final SecurityLayer layer;
    private final IntSupplier messageLimit;
    private final MemoryBudget.Share memory;
    private byte[] pending = NONE;
    private volatile int pendingBytes;

    /** Takes what is revealed. */
    @FunctionalInterface
    public interface Target {
        void accept(byte[] bytes, int offset, int length);
    }

    /**
     * @param messageLimit largest message in bytes at this moment
     * @param memory counts what is held; closed by the caller
     */
    public SaslBuffers(SecurityLayer layer, IntSupplier messageLimit, MemoryBudget.Share memory) {
        this.layer = layer;
        this.messageLimit = messageLimit;
        this.memory = memory;
    }

    public boolean isConfidential() {
        return layer.isConfidential();
    }

    /** Whether a buffer has begun and is not whole. */
    public boolean isInside() {
        return pendingBytes > 0;
    }

    /** @throws IOException if it is no such buffer, a longer one than is allowed or affordable, or one that is not genuine */
    public void received(byte[] bytes, int offset, int length, Target target) throws IOException {
        int used = 0;
        while (used < length) {
            int wanted = pendingBytes < LENGTH_BYTES ? LENGTH_BYTES : LENGTH_BYTES + bufferBytes();
            int more = Math.min(length - used, wanted - pendingBytes);
            reserve(pendingBytes + more, wanted);
            System.arraycopy(bytes, offset + used, pending, pendingBytes, more);
            pendingBytes += more;
            used += more;
            if (pendingBytes >= LENGTH_BYTES && pendingBytes == LENGTH_BYTES + bufferBytes()) {
                byte[] plain = layer.reveal(pending, LENGTH_BYTES, pendingBytes - LENGTH_BYTES);
                forget();
                target.accept(plain, 0, plain.length);
            }
        }
    }

    private int bufferBytes() throws IOException {
        int size = ByteBuffer.wrap(pending).getInt();
        int limit = messageLimit.getAsInt() + OVERHEAD_BYTES;
        if (size < 0 || size > limit) {
            throw new IOException("a buffer of " + Integer.toUnsignedString(size) + " bytes, at most " + limit + " are allowed");
        }
        return size;
    }

    /** Room for so many bytes, a quarter more, but not for more than the buffer has. */
    private void reserve(int bytes, int wanted) throws IOException {
        if (bytes > pending.length) {
            int capacity = Math.max(LEAST_BYTES, Math.min(wanted, bytes + bytes / 4));
            int more = Math.max(0, capacity - Math.max(LEAST_BYTES, pending.length));
            if (!memory.tryGrow(more)) {
                throw new IOException(memory.refusal(more));
            }
            pending = Arrays.copyOf(pending, capacity);
        }
    }

    private void forget() {
        memory.shrink(Math.max(0, pending.length - LEAST_BYTES));
        pending = pending.length > LEAST_BYTES ? NONE : pending;
        pendingBytes = 0;
    }

    /** What to send for these bytes. */
    public byte[] sent(byte[] plain) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream(plain.length + OVERHEAD_BYTES);
        for (int offset = 0; offset < plain.length; offset += layer.mostBytes()) {
            byte[] buffer = layer.protect(plain, offset, Math.min(layer.mostBytes(), plain.length - offset));
            all.writeBytes(ByteBuffer.allocate(LENGTH_BYTES).putInt(buffer.length).array());
            all.writeBytes(buffer);
        }
        return all.toByteArray();
    }
}
