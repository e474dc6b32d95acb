package org.alder.partition.bookkeeper.copy;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.alder.partition.bookkeeper.socket.SessionPort;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.backup.PinnedStore;
import org.alder.partition.jdbm.backup.StoreCopy;
import org.alder.partition.jdbm.disk.DiskFile;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.jdbm.folder.RepeatedLook;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection of somebody who copies a store of this member. Only files that the store's manifest names can be asked for, by their
 * segment's number and their name there: no path is made of what was sent. It runs on a thread of its own; {@link #end} and {@link #look} are thread safe.
 */
final class CopySession implements SessionPort.Session {
    private static final Logger LOG = LoggerFactory.getLogger(CopySession.class);

    private final Socket socket;
    private final Map<String, Path> stores;
    private final Pace pace;
    private final Consumer<SessionPort.Session> ended;
    /** When the answer was begun that is being written; 0 where none is. */
    private volatile long writingNanos;
    private long sentBytes;

    /** @param stores by the paths of their logs' znodes */
    CopySession(Socket socket, Map<String, Path> stores, Pace pace, Consumer<SessionPort.Session> ended) {
        this.socket = socket;
        this.stores = stores;
        this.pace = pace;
        this.ended = ended;
    }

    @Override
    public void start() {
        Thread thread = new Thread(this::run, "copy-to-" + socket.getPort());
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try (socket) {
            socket.setSoTimeout(CopyServer.IDLE_MILLIS);
            socket.setTcpNoDelay(true);
            // With TLS, closing waits else until what is being written is taken.
            socket.setSoLinger(true, 1);
            serve(new DataInputStream(socket.getInputStream()), new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), 1 << 16)));
        } catch (EOFException | SocketException e) {
            LOG.debug("The copy to {} is over", socket.getRemoteSocketAddress(), e);
        } catch (IOException | StoreException e) {
            LOG.warn("The copy to {} ends: {}", socket.getRemoteSocketAddress(), e.toString());
        } finally {
            ended.accept(this);
        }
    }

    private void serve(DataInputStream in, DataOutputStream out) throws IOException {
        String hello = new String(CopyMessage.read(in, CopyMessage.MOST_REQUEST_BYTES), StandardCharsets.UTF_8);
        Path folder = hello.startsWith(CopyMessage.HELLO) ? stores.get(hello.substring(CopyMessage.HELLO.length())) : null;
        if (folder == null) {
            refuse(out, "nothing is offered here that is asked for so, or not yet: expected \"" + CopyMessage.HELLO + "\" and the path of a log");
            return;
        }
        try (PinnedStore store = RepeatedLook.at(folder, () -> PinnedStore.open(SystemDisk.INSTANCE, folder, sha256 -> false))) {
            LOG.info("A copy of {} is given to {}: {} bytes, up to transaction {}", folder, socket.getRemoteSocketAddress(), store.bytesToCopy(),
                    store.manifest().lastFlushed());
            answer(out, store.manifestBytes(), store.manifestBytes().length);
            while (true) {
                byte[] request = CopyMessage.read(in, CopyMessage.MOST_REQUEST_BYTES);
                answer(out, store, ByteBuffer.wrap(request));
            }
        } finally {
            LOG.info("The copy of {} to {} is over, {} bytes were sent", folder, socket.getRemoteSocketAddress(), sentBytes);
        }
    }

    private void answer(DataOutputStream out, PinnedStore store, ByteBuffer request) throws IOException {
        byte kind = request.get();
        if (kind == CopyMessage.DESCRIPTOR && request.remaining() == Long.BYTES) {
            byte[] bytes = segment(store, request.getLong()).descriptorBytes();
            answer(out, bytes, bytes.length);
        } else if (kind == CopyMessage.REGION && request.remaining() > 2 * Long.BYTES + Integer.BYTES) {
            long number = request.getLong();
            long offset = request.getLong();
            int length = request.getInt();
            String name = StandardCharsets.UTF_8.decode(request).toString();
            DiskFile file = segment(store, number).files().get(name);
            if (file == null || offset < 0 || length < 1 || length > StoreCopy.MOST_REGION_BYTES) {
                throw new ProtocolException("segment " + number + " has no file \"" + name + "\", or it is asked for " + length + " bytes at "
                        + offset + ", expected 1 to " + StoreCopy.MOST_REGION_BYTES);
            }
            pace.take(length);
            ByteBuffer bytes = ByteBuffer.allocate(length);
            answer(out, bytes.array(), file.read(bytes, offset));
        } else {
            throw new ProtocolException("a request of kind " + kind + " with " + request.remaining() + " bytes");
        }
    }

    private static PinnedStore.PinnedSegment segment(PinnedStore store, long number) throws IOException {
        return store.segments().stream().filter(segment -> segment.number() == number).findFirst()
                .orElseThrow(() -> new ProtocolException("the store has no segment " + number));
    }

    private void answer(DataOutputStream out, byte[] content, int length) throws IOException {
        write(out, CopyMessage.DONE, content, length);
        sentBytes += length;
    }

    private void refuse(DataOutputStream out, String reason) throws IOException {
        byte[] bytes = reason.getBytes(StandardCharsets.UTF_8);
        write(out, CopyMessage.REFUSED, bytes, Math.min(bytes.length, CopyMessage.MOST_REASON_BYTES));
    }

    private void write(DataOutputStream out, byte kind, byte[] content, int length) throws IOException {
        writingNanos = System.nanoTime() | 1;
        CopyMessage.write(out, kind, content, length);
        writingNanos = 0;
    }

    /** Where the other one takes nothing any more. */
    @Override
    public void look() {
        long since = writingNanos;
        if (since != 0 && System.nanoTime() - since > TimeUnit.MILLISECONDS.toNanos(CopyServer.IDLE_MILLIS)) {
            LOG.warn("The copy to {} ends: nothing was taken there for {} s", socket.getRemoteSocketAddress(), CopyServer.IDLE_MILLIS / 1000);
            end();
        }
    }

    @Override
    public void end() {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.debug("{} is closed already", socket, e);
        }
    }
}
