package org.alder.perf.client;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Map;

/** What a server answers a TLS 1.3 client with, in clear (RFC 8446 4.1.3). Immutable. @param group of the key exchange */
record ServerHello(String group) {
    private static final int HANDSHAKE = 22;
    private static final int SERVER_HELLO = 2;
    private static final int VERSION_AND_RANDOM_BYTES = 34;
    private static final int SUITE_AND_COMPRESSION_BYTES = 3;
    private static final int KEY_SHARE = 51;
    private static final Map<Integer, String> GROUPS =
            Map.of(23, "secp256r1", 24, "secp384r1", 25, "secp521r1", 29, "x25519", 30, "x448", 4588, "X25519MLKEM768");

    /** @throws IOException if something else comes */
    static ServerHello read(InputStream in) throws IOException {
        DataInputStream data = new DataInputStream(in);
        int type = data.readUnsignedByte();
        data.readUnsignedShort();
        ByteBuffer record = ByteBuffer.wrap(data.readNBytes(data.readUnsignedShort()));
        if (type != HANDSHAKE || !record.hasRemaining() || record.get() != SERVER_HELLO) {
            throw new IOException("the server begins a handshake with a record of type " + type + ", expected a ServerHello");
        }
        try {
            return new ServerHello(group(record));
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            throw new IOException("a damaged ServerHello", e);
        }
    }

    private static String group(ByteBuffer record) throws IOException {
        skip(record, 3 + VERSION_AND_RANDOM_BYTES);
        skip(record, record.get() & 0xFF);
        skip(record, SUITE_AND_COMPRESSION_BYTES + Short.BYTES);
        while (record.hasRemaining()) {
            int extension = Short.toUnsignedInt(record.getShort());
            int length = Short.toUnsignedInt(record.getShort());
            if (extension == KEY_SHARE) {
                int number = Short.toUnsignedInt(record.getShort());
                return GROUPS.getOrDefault(number, "group " + number);
            }
            skip(record, length);
        }
        throw new IOException("a ServerHello without a key share, expected TLS 1.3");
    }

    private static void skip(ByteBuffer record, int bytes) {
        record.position(record.position() + bytes);
    }
}
