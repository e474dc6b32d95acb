package org.alder.partition.bookkeeper.ask;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.alder.partition.bookkeeper.socket.Sockets;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Another member, to be asked. All questions go over one connection, which is made when there is one to send, and one after the other: who
 * asks waits for none of the others' answers. A question whose bytes may have gone out is never sent again. Thread safe; its owner closes it.
 */
public final class AskedMember implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(AskedMember.class);
    private static final int CONNECT_MILLIS = 2000;
    /** Longer than a leader takes to find out what became of an update. */
    private static final int ANSWER_SECONDS = 20;
    private static final int BUFFER_BYTES = 1 << 16;

    private final Sockets sockets;
    private final String own;
    private final String name;
    private final InetSocketAddress address;
    private final LinkedBlockingQueue<Question> toSend = new LinkedBlockingQueue<>();
    /** Those that wait for an answer, sent or not; guarded by this object. */
    private final Map<Long, Question> waiting = new LinkedHashMap<>();
    private long waitingBytes;
    private long last;
    private boolean closed;
    private Thread thread;
    private volatile Line line;

    /** Guarded by the member. */
    private static final class Question {
        private final long number;
        private final byte[] bytes;
        private final CompletableFuture<byte[]> answer = new CompletableFuture<>();
        /** On which it has been sent, perhaps in part; null before. */
        private Line on;

        Question(long number, byte[] bytes) {
            this.number = number;
            this.bytes = bytes;
        }
    }

    /** A connection. */
    private record Line(Socket socket, DataOutputStream out) {
        void close() {
            try {
                socket.close();
            } catch (IOException e) {
                LOG.debug("A connection cannot be closed", e);
            }
        }
    }

    /**
     * Connects to nobody yet.
     *
     * @param own  the name of this member
     * @param name of the other one
     */
    public AskedMember(Sockets sockets, String own, String name, InetSocketAddress address) {
        this.sockets = sockets;
        this.own = own;
        this.name = name;
        this.address = address;
    }

    /** As {@link org.alder.partition.store.ClusterService.Cluster#ask}. */
    public CompletableFuture<byte[]> ask(byte[] bytes) {
        Question question;
        synchronized (this) {
            DirectoryException excess = excess(bytes.length);
            if (excess != null) {
                return CompletableFuture.failedFuture(excess);
            } else if (closed) {
                return CompletableFuture.failedFuture(notAsked("this member leaves the cluster"));
            }
            question = new Question(++last, bytes);
            waiting.put(question.number, question);
            waitingBytes += bytes.length;
            if (thread == null) {
                thread = new Thread(this::send, "asks-" + name);
                thread.setDaemon(true);
                thread.start();
            }
        }
        CompletableFuture<Void> limit = new CompletableFuture<Void>().completeOnTimeout(null, ANSWER_SECONDS, TimeUnit.SECONDS);
        limit.thenRunAsync(() -> expire(question));
        question.answer.whenComplete((answer, failure) -> limit.cancel(false));
        toSend.add(question);
        return question.answer;
    }

    private DirectoryException excess(int bytes) {
        if (bytes > AskMessage.MOST_BYTES) {
            return new DirectoryException(ResultCode.ADMIN_LIMIT_EXCEEDED, "the request has " + bytes + " bytes, and at most " + AskMessage.MOST_BYTES
                    + " are handed on to the leader: send it there");
        }
        return waiting.size() < AskMessage.MOST_QUESTIONS && waitingBytes + bytes <= AskMessage.MOST_QUESTIONS_BYTES ? null
                : new DirectoryException(ResultCode.BUSY, waiting.size() + " requests of " + waitingBytes + " bytes wait for the answer of " + name
                        + ", and at most " + AskMessage.MOST_QUESTIONS + " of " + AskMessage.MOST_QUESTIONS_BYTES + " bytes may; nothing was done");
    }

    private StoreException notAsked(String why) {
        return new StoreException(StoreException.Kind.NOT_LEADER, name + " at " + address.getHostString() + ":" + address.getPort()
                + " cannot be asked: " + why + "; nothing was done");
    }

    private StoreException unknown(String why) {
        return new StoreException(StoreException.Kind.OUTCOME_UNKNOWN, "the update was handed on to " + name + ", and " + why
                + ": it is not known whether it was made, so read what it was to change");
    }

    private Question take(long number) {
        synchronized (this) {
            Question question = waiting.remove(number);
            waitingBytes -= question == null ? 0 : question.bytes.length;
            return question;
        }
    }

    /** Also where a connection has died of which nobody was told. */
    private void expire(Question question) {
        Line on;
        synchronized (this) {
            if (!waiting.containsKey(question.number)) {
                return;
            }
            on = question.on;
        }
        fail(question, "there was no answer for " + ANSWER_SECONDS + " s");
        if (on != null) {
            on.close();
        }
    }

    private void fail(Question question, String why) {
        if (take(question.number) != null) {
            question.answer.completeExceptionally(question.on == null ? notAsked(why) : unknown(why));
        }
    }

    /** On a thread of its own. */
    private void send() {
        try {
            while (true) {
                Question next = toSend.poll();
                if (next == null) {
                    flush();
                    next = toSend.take();
                }
                send(next);
            }
        } catch (InterruptedException e) {
            LOG.debug("{} is asked no more", name);
        }
    }

    private void send(Question question) {
        Line to = line;
        try {
            if (to == null) {
                to = connect();
                line = to;
            }
            synchronized (this) {
                if (!waiting.containsKey(question.number)) {
                    return;
                }
                if (line == to) {
                    question.on = to;
                }
            }
            if (question.on == null) {
                fail(question, "the connection was lost");
                return;
            }
            new AskMessage(AskMessage.QUESTION, question.number, question.bytes).write(to.out);
        } catch (IOException e) {
            LOG.debug("{} cannot be asked", name, e);
            if (to == null) {
                fail(question, e.getMessage());
            } else {
                lose(to, e.toString());
            }
        }
    }

    private void flush() {
        Line to = line;
        if (to != null) {
            try {
                to.out.flush();
            } catch (IOException e) {
                lose(to, e.toString());
            }
        }
    }

    private Line connect() throws IOException {
        Socket socket = sockets.connecting();
        boolean done = false;
        try {
            socket.connect(new InetSocketAddress(address.getHostString(), address.getPort()), CONNECT_MILLIS);
            socket.setTcpNoDelay(true);
            socket.setKeepAlive(true);
            socket.setSoLinger(true, 1);
            socket.setSoTimeout(AskSession.HELLO_MILLIS);
            DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES));
            Line made = new Line(socket, new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), BUFFER_BYTES)));
            AskMessage.hello(own, name).write(made.out);
            made.out.flush();
            String answer = AskMessage.read(in, AskMessage.MOST_HELLO_BYTES).text();
            if (!answer.equals("alder-ask 1 from " + name)) {
                throw new ProtocolException("it says \"" + answer.replaceAll("[^ -~]", "?") + "\", expected \"alder-ask 1 from " + name + '"');
            }
            socket.setSoTimeout(0);
            Thread reader = new Thread(() -> read(made, in), "answers-of-" + name);
            reader.setDaemon(true);
            reader.start();
            done = true;
            return made;
        } finally {
            if (!done) {
                socket.close();
            }
        }
    }

    private void read(Line from, DataInputStream in) {
        try {
            while (true) {
                AskMessage answer = AskMessage.read(in, AskMessage.MOST_BYTES);
                Question question = take(answer.number());
                if (question == null) {
                    LOG.debug("{} answers what nobody waits for any more", name);
                } else if (answer.kind() == AskMessage.ANSWER) {
                    question.answer.complete(answer.content());
                } else {
                    question.answer.completeExceptionally(answer.failure());
                }
            }
        } catch (IOException e) {
            lose(from, "the connection was lost");
        }
    }

    /** Those that were sent on it have no answer any more. */
    private void lose(Line lost, String why) {
        lost.close();
        List<Question> asked = new ArrayList<>();
        synchronized (this) {
            if (line == lost) {
                line = null;
            }
            waiting.values().stream().filter(each -> each.on == lost).forEach(asked::add);
        }
        asked.forEach(each -> fail(each, why));
    }

    @Override
    public void close() {
        List<Question> left;
        Line now;
        synchronized (this) {
            closed = true;
            left = List.copyOf(waiting.values());
            now = line;
            if (thread != null) {
                thread.interrupt();
            }
        }
        left.forEach(each -> fail(each, "this member leaves the cluster"));
        if (now != null) {
            now.close();
        }
    }
}
