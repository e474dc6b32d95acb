package org.alder.partition.bookkeeper.distant;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.alder.partition.id.IdSet;

/** Writes the fields of a message as docs/format/store-questions.md has them. One thread, used once. */
final class MessageWriter {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
    private final DataOutputStream out = new DataOutputStream(bytes);

    /** Of what goes into an array nothing fails. */
    private interface Writing {
        void run() throws IOException;
    }

    private MessageWriter put(Writing writing) {
        try {
            writing.run();
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    MessageWriter octet(int value) {
        return put(() -> out.writeByte(value));
    }

    MessageWriter number(int value) {
        return put(() -> out.writeInt(value));
    }

    MessageWriter longNumber(long value) {
        return put(() -> out.writeLong(value));
    }

    /** @param value null for none */
    MessageWriter bytes(byte[] value) {
        return value == null ? number(-1) : bytes(value, 0, value.length);
    }

    MessageWriter bytes(byte[] buffer, int offset, int length) {
        return put(() -> {
            out.writeInt(length);
            out.write(buffer, offset, length);
        });
    }

    MessageWriter text(String value) {
        return bytes(value.getBytes(StandardCharsets.UTF_8));
    }

    /** @param ids null for none */
    MessageWriter ids(IdSet ids) {
        if (ids == null) {
            return bytes(null);
        }
        ByteBuffer buffer = ByteBuffer.allocate(ids.bitmap().serializedSizeInBytes());
        ids.bitmap().serialize(buffer);
        return bytes(buffer.array());
    }

    int size() {
        return out.size();
    }

    byte[] toByteArray() {
        return bytes.toByteArray();
    }
}
