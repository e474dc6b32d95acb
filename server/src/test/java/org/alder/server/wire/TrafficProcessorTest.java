package org.alder.server.wire;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.alder.partition.testing.Await;
import org.alder.server.resource.Counters;
import org.alder.server.resource.MemoryBudget;
import org.junit.Test;

public class TrafficProcessorTest {
    /** More than the operating system takes at once, less than makes the connection hold back its reading by itself. */
    private static final int ANSWER_BYTES = 500_000;
    private static final int CHUNK_BYTES = 20_000;
    private static final int CHUNKS = 5;
    /** What a round writes, and what one connection may write on top. */
    private static final int MOST_BEFORE_BYTES = 512 << 10;
    /** What is read first of any connection. */
    private static final int FIRST_READ_BYTES = 4096;
    private static final int WRITERS = 4;
    private static final int MESSAGES = 2000;
    private static final long WORK_NANOS = 20_000;
    private static final byte[] REQUEST = {0x30, 3, 2, 1, 1};

    /** Does something for each message. */
    /** The rest of an answer was never sent when reading was suspended or resumed while the operating system had a part of it. */
    @Test
    public void anAnswerUnderWayIsSentToItsEndWhateverBecomesOfReading() throws Exception {
        CompletableFuture<Connection> opened = new CompletableFuture<>();
        try (Acceptor acceptor = Acceptor.start(() -> WireSettings.of("127.0.0.1", 0), connection -> {
            opened.complete(connection);
            return new Talker(connection, (each, message) -> each.write(new byte[ANSWER_BYTES]));
        }, new MemoryBudget("unfinished", 1 << 20), new MemoryBudget("unread", 64 << 20), new Counters());
                Socket socket = new Socket()) {
            socket.setReceiveBufferSize(4096);
            socket.setSoTimeout(Await.MILLIS);
            socket.connect(new InetSocketAddress("127.0.0.1", acceptor.port()));
            socket.getOutputStream().write(REQUEST);
            Connection connection = Await.result("a connection", opened);
            Await.until("a part of the answer", () -> socket.getInputStream().available() > 0);
            connection.setReading(false);
            // The loop looks at what it is to watch for at least once a second, also when nothing happens.
            Thread.sleep(2500);
            assertEquals(ANSWER_BYTES, socket.getInputStream().readNBytes(ANSWER_BYTES).length);
        }
    }

    /** One round wrote for as long as the system took it, to however many, before it looked at what others had sent. */
    @Test
    public void aRoundWritesSoMuchAndThenLooksAtOthers() throws Exception {
        int readers = 20;
        List<Connection> reading = new CopyOnWriteArrayList<>();
        CompletableFuture<Void> begun = new CompletableFuture<>();
        CompletableFuture<Void> otherHasSent = new CompletableFuture<>();
        CompletableFuture<Long> writtenBefore = new CompletableFuture<>();
        try (Acceptor acceptor = Acceptor.start(() -> WireSettings.of("127.0.0.1", 0).withIoThreads(1), connection -> new Talker(connection, (each, message) -> {
            if (reading.size() < readers) {
                reading.add(each);
            }
            if (reading.size() == readers && !begun.isDone()) {
                begun.complete(null);
                otherHasSent.join();
                reading.forEach(one -> {
                    for (int i = 0; i < CHUNKS; i++) {
                        one.write(new byte[CHUNK_BYTES]);
                    }
                });
            } else if (begun.isDone()) {
                writtenBefore.complete(reading.stream().mapToLong(Connection::takenBytes).sum());
            }
        }), new MemoryBudget("unfinished", 1 << 20), new MemoryBudget("unread", 64 << 20), new Counters());
                Socket other = new Socket("127.0.0.1", acceptor.port())) {
            List<Socket> sockets = new ArrayList<>();
            try {
                for (int i = 0; i < readers; i++) {
                    Socket socket = new Socket("127.0.0.1", acceptor.port());
                    sockets.add(socket);
                    socket.setSoTimeout(Await.MILLIS);
                    socket.getOutputStream().write(REQUEST);
                }
                Await.result("the last reader's request", begun);
                other.getOutputStream().write(REQUEST);
                otherHasSent.complete(null);
                long before = Await.result("the other's request", writtenBefore);
                assertTrue(before + " bytes were written before", before < MOST_BEFORE_BYTES);
                for (Socket socket : sockets) {
                    assertEquals(CHUNKS * CHUNK_BYTES, socket.getInputStream().readNBytes(CHUNKS * CHUNK_BYTES).length);
                }
            } finally {
                otherHasSent.complete(null);
                for (Socket socket : sockets) {
                    socket.close();
                }
            }
        }
    }

    /** What is short goes to the operating system without the loop, but not before what waits for the loop. */
    @Test
    public void whatSeveralThreadsWriteStaysWholeAndInOrder() throws Exception {
        CompletableFuture<Connection> opened = new CompletableFuture<>();
        try (Acceptor acceptor = Acceptor.start(() -> WireSettings.of("127.0.0.1", 0), connection -> {
            opened.complete(connection);
            return new Talker(connection, (each, message) -> { });
        }, new MemoryBudget("unfinished", 1 << 20), new MemoryBudget("unread", 256 << 20), new Counters());
                Socket socket = new Socket()) {
            socket.setReceiveBufferSize(4096);
            socket.setSoTimeout(Await.MILLIS);
            socket.connect(new InetSocketAddress("127.0.0.1", acceptor.port()));
            Connection connection = Await.result("a connection", opened);
            List<Thread> writers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                byte writer = (byte) i;
                Thread thread = new Thread(() -> {
                    for (int sequence = 0; sequence < MESSAGES; sequence++) {
                        connection.write(message(writer, sequence));
                    }
                });
                writers.add(thread);
                thread.start();
            }
            DataInputStream read = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            int[] next = new int[WRITERS];
            for (int i = 0; i < WRITERS * MESSAGES; i++) {
                int writer = read.readByte();
                int sequence = read.readInt();
                assertEquals("of writer " + writer, next[writer]++, sequence);
                byte[] rest = read.readNBytes(lengthOf(sequence));
                for (byte each : rest) {
                    assertEquals("in message " + sequence + " of writer " + writer, (byte) (writer + sequence), each);
                }
            }
            for (Thread thread : writers) {
                thread.join(Await.MILLIS);
            }
        }
    }

    private static byte[] message(byte writer, int sequence) {
        ByteBuffer message = ByteBuffer.allocate(1 + Integer.BYTES + lengthOf(sequence)).put(writer).putInt(sequence);
        Arrays.fill(message.array(), message.position(), message.capacity(), (byte) (writer + sequence));
        return message.array();
    }

    /** Mostly short. */
    private static int lengthOf(int sequence) {
        return sequence % 7 == 0 ? 9000 : sequence % 50;
    }

    /** Thousands of requests that were sent at once were read at once, and nobody else was looked at before they were done. */
    @Test
    public void lessIsReadAtOnceOfWhoSendsWhatTakesLong() throws Exception {
        int count = 40_000;
        AtomicInteger done = new AtomicInteger();
        AtomicInteger mostBehind = new AtomicInteger();
        try (Acceptor acceptor = Acceptor.start(() -> WireSettings.of("127.0.0.1", 0).withIoThreads(1), connection -> new Talker(connection, (each, message) -> {
            mostBehind.accumulateAndGet(each.inputBehind(), Math::max);
            for (long end = System.nanoTime() + WORK_NANOS; System.nanoTime() < end;) {
                Thread.onSpinWait();
            }
            done.incrementAndGet();
        }), new MemoryBudget("unfinished", 1 << 20), new MemoryBudget("unread", 64 << 20), new Counters());
                Socket socket = new Socket("127.0.0.1", acceptor.port())) {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            for (int i = 0; i < count; i++) {
                all.write(REQUEST);
            }
            socket.getOutputStream().write(all.toByteArray());
            Await.until("all requests", () -> done.get() == count);
        }
        assertTrue(mostBehind + " bytes behind a request", mostBehind.get() <= FIRST_READ_BYTES);
    }
}
