package org.alder.partition.bookkeeper.copy;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.alder.partition.bookkeeper.socket.Sockets;
import org.alder.partition.jdbm.backup.StoreCopy;
import org.alder.partition.jdbm.disk.DiskFile;

/**
 * A store of another member, as a {@link CopyServer} gives it: it stays as it was when the connection was made. What comes is limited before it
 * is held; whether it is right the copy finds out by its checksums. One thread; whoever connects closes it.
 */
public final class RemoteStore implements StoreCopy.Origin, Closeable {
    private static final int CONNECT_MILLIS = 5_000;
    private static final int ANSWER_MILLIS = 60_000;

    private final String name;
    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;
    private final byte[] manifest;

    private RemoteStore(String name, Socket socket, String log) throws IOException {
        this.name = name;
        this.socket = socket;
        this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 1 << 16));
        this.out = new DataOutputStream(socket.getOutputStream());
        this.manifest = ask(ByteBuffer.wrap((CopyMessage.HELLO + log).getBytes(StandardCharsets.UTF_8)), StoreCopy.MOST_MANIFEST_BYTES);
    }

    /**
     * Connects to a member.
     *
     * @param name of the member
     * @param log  the path of the znode of the store's log
     * @throws IOException where it is not there, or gives none
     */
    public static RemoteStore connect(Sockets sockets, String name, String host, int port, String log) throws IOException {
        Socket socket = sockets.connecting();
        boolean done = false;
        try {
            socket.connect(new InetSocketAddress(host, port), CONNECT_MILLIS);
            socket.setSoTimeout(ANSWER_MILLIS);
            socket.setTcpNoDelay(true);
            RemoteStore store = new RemoteStore(name, socket, log);
            done = true;
            return store;
        } catch (EOFException e) {
            throw new IOException(name + " at " + host + ":" + port + " gives no copy now, as while it gives " + CopyServer.MOST_CONNECTIONS
                    + " of them", e);
        } finally {
            if (!done) {
                socket.close();
            }
        }
    }

    private byte[] ask(ByteBuffer request, int mostBytes) throws IOException {
        out.writeInt(request.remaining());
        out.write(request.array(), 0, request.remaining());
        out.flush();
        int bytes = in.readInt();
        byte kind = in.readByte();
        int most = kind == CopyMessage.DONE ? mostBytes : CopyMessage.MOST_REASON_BYTES;
        if (bytes < 1 || bytes - 1 > most) {
            throw new IOException(name + " answers with " + bytes + " bytes, expected 1 to " + (most + 1));
        }
        byte[] content = new byte[bytes - 1];
        in.readFully(content);
        if (kind != CopyMessage.DONE) {
            // Text of another machine, on its way to a log file: what is no letter there cannot begin a line.
            throw new IOException(name + " refuses: " + new String(content, StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}", "?"));
        }
        return content;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public byte[] manifest() {
        return manifest;
    }

    @Override
    public byte[] descriptor(long segment, int mostBytes) throws IOException {
        return ask(ByteBuffer.allocate(1 + Long.BYTES).put(CopyMessage.DESCRIPTOR).putLong(segment).flip(), mostBytes);
    }

    @Override
    public DiskFile file(long segment, String fileName, long fileBytes) {
        return new RemoteFile(segment, fileName.getBytes(StandardCharsets.UTF_8), fileBytes);
    }

    /** Each read is a request. */
    private final class RemoteFile implements DiskFile {
        private final long segment;
        private final byte[] fileName;
        private final long bytes;

        RemoteFile(long segment, byte[] fileName, long bytes) {
            this.segment = segment;
            this.fileName = fileName;
            this.bytes = bytes;
        }

        @Override
        public long size() {
            return bytes;
        }

        @Override
        public int read(ByteBuffer target, long position) throws IOException {
            ByteBuffer request = ByteBuffer.allocate(1 + 2 * Long.BYTES + Integer.BYTES + fileName.length).put(CopyMessage.REGION)
                    .putLong(segment).putLong(position).putInt(target.remaining()).put(fileName).flip();
            byte[] content = ask(request, target.remaining());
            target.put(content);
            return content.length;
        }

        private UnsupportedOperationException readOnly() {
            return new UnsupportedOperationException("a file of another member is only read");
        }

        @Override
        public void write(ByteBuffer source, long position) {
            throw readOnly();
        }

        @Override
        public void sync() {
            throw readOnly();
        }

        @Override
        public void truncate(long size) {
            throw readOnly();
        }

        @Override
        public boolean tryLock() {
            throw readOnly();
        }

        @Override
        public void close() {
            // The connection goes on with the next one.
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
