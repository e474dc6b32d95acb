package org.alder.partition.bookkeeper.ask;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.Socket;
import java.net.SocketException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.alder.partition.bookkeeper.socket.SessionPort;
import org.alder.partition.error.Cause;
import org.alder.partition.error.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A member that asks this one: a thread reads its questions, another one writes the answers as they come. {@link #end} is thread safe. */
final class AskSession implements SessionPort.Session {
    private static final Logger LOG = LoggerFactory.getLogger(AskSession.class);
    static final int HELLO_MILLIS = 5000;
    private static final int BUFFER_BYTES = 1 << 16;

    private final Socket socket;
    private final String name;
    private final Supplier<Function<byte[], CompletableFuture<byte[]>>> answering;
    private final Consumer<SessionPort.Session> ended;
    private final LinkedBlockingQueue<Answer> answers = new LinkedBlockingQueue<>();
    /** Those whose answers wait to be written count too: who does not read them can ask no more. */
    private final AtomicInteger questions = new AtomicInteger();
    private final AtomicLong questionBytes = new AtomicLong();
    private final long beganNanos = System.nanoTime();
    private volatile boolean isKnown;
    private volatile boolean isOver;

    /** @param asked how many bytes the question had */
    private record Answer(AskMessage message, int asked) {
    }

    /** @param name of this member  @param answering gives null while nothing is answered */
    AskSession(Socket socket, String name, Supplier<Function<byte[], CompletableFuture<byte[]>>> answering, Consumer<SessionPort.Session> ended) {
        this.socket = socket;
        this.name = name;
        this.answering = answering;
        this.ended = ended;
    }

    @Override
    public void start() {
        Thread thread = new Thread(this::read, "asked-by-" + socket.getPort());
        thread.setDaemon(true);
        thread.start();
    }

    private void read() {
        try (socket) {
            socket.setTcpNoDelay(true);
            socket.setKeepAlive(true);
            socket.setSoLinger(true, 1);
            socket.setSoTimeout(HELLO_MILLIS);
            DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES));
            DataOutputStream out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), BUFFER_BYTES));
            welcome(AskMessage.read(in, AskMessage.MOST_HELLO_BYTES), out);
            socket.setSoTimeout(0);
            Thread writer = new Thread(() -> write(out), "answers-to-" + socket.getPort());
            writer.setDaemon(true);
            writer.start();
            while (!isOver) {
                take(AskMessage.read(in, AskMessage.MOST_BYTES));
            }
        } catch (EOFException | SocketException e) {
            LOG.debug("{} asks no more", socket.getRemoteSocketAddress(), e);
        } catch (IOException e) {
            LOG.warn("The connection of {}, where members ask each other, is closed: {}", socket.getRemoteSocketAddress(), e.toString());
        } finally {
            end();
            ended.accept(this);
        }
    }

    /** Whoever wants another one has a file in which addresses are mixed up. */
    private void welcome(AskMessage first, DataOutputStream out) throws IOException {
        String text = first.text();
        if (first.kind() != AskMessage.HELLO || !text.matches("alder-ask 1 from [A-Za-z0-9-]{1,32} to " + name)) {
            throw new ProtocolException("expected \"alder-ask 1 from NAME to " + name + "\" first, found \"" + text.replaceAll("[^ -~]", "?") + '"');
        }
        isKnown = true;
        AskMessage.reason(AskMessage.HELLO, 0, "alder-ask 1 from " + name).write(out);
        out.flush();
    }

    private void take(AskMessage question) throws IOException {
        int length = question.content().length;
        if (question.kind() != AskMessage.QUESTION || questions.incrementAndGet() > AskMessage.MOST_QUESTIONS
                || questionBytes.addAndGet(length) > AskMessage.MOST_QUESTIONS_BYTES) {
            throw new ProtocolException("a message of kind " + question.kind() + ", or more than " + AskMessage.MOST_QUESTIONS + " questions or "
                    + AskMessage.MOST_QUESTIONS_BYTES + " bytes of them at a time");
        }
        Function<byte[], CompletableFuture<byte[]>> now = answering.get();
        if (now == null) {
            answers.add(new Answer(AskMessage.reason(AskMessage.REFUSED, question.number(), name + " answers nothing now; nothing was done"), length));
            return;
        }
        now.apply(question.content()).whenComplete((content, failure) -> answers.add(new Answer(answer(question.number(), content, failure),
                length)));
    }

    private static AskMessage answer(long number, byte[] content, Throwable failure) {
        if (failure == null && content.length <= AskMessage.MOST_BYTES) {
            return new AskMessage(AskMessage.ANSWER, number, content);
        } else if (failure == null) {
            return AskMessage.reason(AskMessage.UNKNOWN, number, "the answer has " + content.length + " bytes, and at most " + AskMessage.MOST_BYTES
                    + " are sent: it is not known what was done");
        }
        Throwable cause = Cause.of(failure);
        boolean nothing = cause instanceof StoreException store && store.kind() == StoreException.Kind.NOT_LEADER;
        return AskMessage.reason(nothing ? AskMessage.REFUSED : AskMessage.UNKNOWN, number, String.valueOf(cause.getMessage()));
    }

    private void write(DataOutputStream out) {
        try {
            while (!isOver) {
                Answer next = answers.poll();
                if (next == null) {
                    out.flush();
                    next = answers.poll(1, TimeUnit.SECONDS);
                }
                if (next != null) {
                    // Before: who has the answer may ask again at once.
                    questions.decrementAndGet();
                    questionBytes.addAndGet(-next.asked);
                    next.message.write(out);
                }
            }
        } catch (IOException e) {
            LOG.debug("Answers to {} cannot be written", socket.getRemoteSocketAddress(), e);
            end();
        } catch (InterruptedException e) {
            end();
        }
    }

    /** Where it has not said for long who it is. */
    @Override
    public void look() {
        if (!isKnown && System.nanoTime() - beganNanos > TimeUnit.MILLISECONDS.toNanos(HELLO_MILLIS)) {
            end();
        }
    }

    @Override
    public void end() {
        isOver = true;
        try {
            socket.close();
        } catch (IOException e) {
            LOG.debug("A connection cannot be closed", e);
        }
    }
}
