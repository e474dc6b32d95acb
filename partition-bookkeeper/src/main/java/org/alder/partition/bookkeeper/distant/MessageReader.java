package org.alder.partition.bookkeeper.distant;

import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.alder.partition.id.IdSet;
import org.roaringbitmap.RoaringBitmap;

/** Reads the fields of a message: each is there, and of the length that it says, or the message is none. One thread. */
final class MessageReader {
    private final ByteBuffer in;

    MessageReader(byte[] message) {
        this.in = ByteBuffer.wrap(message);
    }

    private ByteBuffer require(int length) throws ProtocolException {
        if (length < 0 || length > in.remaining()) {
            throw new ProtocolException("a field of " + length + " bytes, where " + in.remaining() + " are left");
        }
        return in;
    }

    int octet() throws ProtocolException {
        return require(1).get() & 0xFF;
    }

    int number() throws ProtocolException {
        return require(Integer.BYTES).getInt();
    }

    /** @param most so many there may be of what follows */
    int count(int most) throws ProtocolException {
        int count = number();
        if (count < 0 || count > most) {
            throw new ProtocolException("a list of " + count + ", expected at most " + most);
        }
        return count;
    }

    long longNumber() throws ProtocolException {
        return require(Long.BYTES).getLong();
    }

    /** @return null where there is none */
    byte[] bytesOrNull() throws ProtocolException {
        int length = number();
        if (length == -1) {
            return null;
        }
        require(length);
        byte[] value = new byte[length];
        in.get(value);
        return value;
    }

    byte[] bytes() throws ProtocolException {
        byte[] value = bytesOrNull();
        if (value == null) {
            throw new ProtocolException("a field is not there that has to be");
        }
        return value;
    }

    String text() throws ProtocolException {
        return new String(bytes(), StandardCharsets.UTF_8);
    }

    /** @return null where there are none */
    IdSet idsOrNull() throws ProtocolException {
        byte[] serialized = bytesOrNull();
        if (serialized == null) {
            return null;
        }
        try {
            RoaringBitmap bitmap = new RoaringBitmap();
            bitmap.deserialize(ByteBuffer.wrap(serialized));
            if (bitmap.contains(0)) {
                throw new ProtocolException("a set with the entry ID 0");
            }
            return IdSet.wrap(bitmap);
        } catch (ProtocolException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            throw (ProtocolException) new ProtocolException("a set of entry IDs that cannot be read: " + e).initCause(e);
        }
    }

    IdSet ids() throws ProtocolException {
        IdSet ids = idsOrNull();
        if (ids == null) {
            throw new ProtocolException("a set of entry IDs is not there that has to be");
        }
        return ids;
    }

    boolean hasMore() {
        return in.hasRemaining();
    }
}
