package org.alder.server.console;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.alder.partition.ber.BerException;
import org.alder.server.client.LdapAnswer;
import org.alder.server.client.LdapCall;
import org.alder.server.client.LdapMessage;
import org.alder.server.wire.InnerConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The console as a client of its own server, for one person: requests go the way of all clients' requests, so that what holds for
 * these holds for it. It waits for answers on the thread that asks. Thread safe.
 */
final class LdapClient implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LdapClient.class);
    /** All that comes for one request. */
    static final int MOST_ANSWER_BYTES = 4 << 20;
    /** Longer than a search may take, and shorter than the HTTP port lets an answer take. */
    private static final int ANSWER_SECONDS = 15;

    private final InnerConnection connection;
    private final Map<Integer, Waiting> waiting = new ConcurrentHashMap<>();
    private final AtomicInteger lastId = new AtomicInteger();
    private final AnswerFramer framer = new AnswerFramer(MOST_ANSWER_BYTES, new Messages());
    /** Why the server has closed the connection, if it said so. */
    private volatile String farewell = "";

    /** @param opener opens the connection */
    LdapClient(Function<InnerConnection.Client, InnerConnection> opener) {
        connection = opener.apply(new Answers());
    }

    /** All that came for one request. @param references how many of its messages named other servers */
    record Answer(LdapAnswer.Result result, List<LdapAnswer.Entry> entries, int references) {
        /** @param messages whole ones of one request, of which the last one is its result */
        static Answer of(List<byte[]> messages) throws BerException {
            List<LdapAnswer.Entry> entries = new ArrayList<>();
            int references = 0;
            for (byte[] message : messages) {
                LdapAnswer each = LdapMessage.decode(message).answer();
                if (each instanceof LdapAnswer.Result result) {
                    return new Answer(result, entries, references);
                } else if (each instanceof LdapAnswer.Entry entry) {
                    entries.add(entry);
                } else if (each instanceof LdapAnswer.References) {
                    references++;
                }
            }
            throw new BerException("no result");
        }
    }

    /** A request that is not answered yet. */
    private static final class Waiting {
        private final CompletableFuture<List<byte[]>> answer = new CompletableFuture<>();
        private List<byte[]> messages = new ArrayList<>();
        private long bytes;

        /** Returns whether it is answered now. */
        boolean take(int tag, byte[] message) {
            bytes += message.length;
            if (bytes > MOST_ANSWER_BYTES) {
                giveUp();
                return true;
            }
            messages.add(message);
            return LdapMessage.isLast(tag) && answer.complete(messages);
        }

        void giveUp() {
            messages = List.of();
            answer.completeExceptionally(new AnswerTooLargeException());
        }
    }

    /** What came for a request is more than the console takes. */
    static final class AnswerTooLargeException extends Exception {
        private static final long serialVersionUID = 1L;
    }

    private final class Answers implements InnerConnection.Client {
        @Override
        public synchronized void answered(byte[] bytes) {
            try {
                framer.accept(bytes);
            } catch (BerException e) {
                LOG.error("what was answered to the console is no LDAP", e);
                closed();
                connection.close();
            }
        }

        @Override
        public void closed() {
            for (Integer id : waiting.keySet()) {
                Waiting ended = waiting.remove(id);
                if (ended != null) {
                    ended.answer.cancel(false);
                }
            }
        }
    }

    private final class Messages implements AnswerFramer.Receiver {
        @Override
        public void received(int id, int tag, byte[] message) {
            Waiting asked = waiting.get(id);
            if (id == 0) {
                farewell = message(message);
            } else if (asked != null && asked.take(tag, message)) {
                waiting.remove(id);
            }
        }

        @Override
        public void tooLarge(int id) {
            Waiting asked = waiting.remove(id);
            if (asked != null) {
                asked.giveUp();
            }
        }

        private String message(byte[] notice) {
            try {
                return Answer.of(List.of(notice)).result.message();
            } catch (BerException e) {
                return "";
            }
        }
    }

    /** As it is shown below cn=connections,cn=Monitor. */
    long connectionId() {
        return connection.id();
    }

    boolean isOpen() {
        return connection.isOpen();
    }

    /**
     * Asks, and waits for the answer.
     *
     * @throws AnswerTooLargeException if more than {@link #MOST_ANSWER_BYTES} come
     * @throws ConsoleException if none comes, and why
     */
    Answer ask(LdapCall call) throws ConsoleException, AnswerTooLargeException {
        int id = lastId.incrementAndGet();
        Waiting asked = new Waiting();
        waiting.put(id, asked);
        boolean answered = false;
        try {
            if (!connection.isOpen()) {
                throw gone();
            }
            connection.send(call.encode(id));
            if (!connection.isOpen() && waiting.remove(id) != null) {
                // Nobody else ends what came after the end.
                asked.answer.cancel(false);
            }
            List<byte[]> messages = asked.answer.get(ANSWER_SECONDS, TimeUnit.SECONDS);
            answered = true;
            return Answer.of(messages);
        } catch (ExecutionException e) {
            throw new AnswerTooLargeException();
        } catch (CancellationException e) {
            throw gone();
        } catch (TimeoutException e) {
            throw new ConsoleException(ConsoleException.GATEWAY_TIMEOUT, "there was no answer within " + ANSWER_SECONDS + " seconds", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ConsoleException(ConsoleException.UNAVAILABLE, "the server stops", e);
        } catch (BerException e) {
            throw new ConsoleException(ConsoleException.BAD_GATEWAY, "the answer is no LDAP: " + e.getMessage(), e);
        } finally {
            waiting.remove(id);
            if (!answered) {
                connection.send(LdapCall.abandon(id).encode(lastId.incrementAndGet()));
            }
        }
    }

    private ConsoleException gone() {
        return new ConsoleException(ConsoleException.NOT_LOGGED_IN, "the session has ended"
                + (farewell.isEmpty() ? ": its connection was closed" : ": " + farewell));
    }

    /** Takes leave. Idempotent. */
    @Override
    public void close() {
        connection.send(LdapCall.unbind().encode(lastId.incrementAndGet()));
        connection.close();
    }
}
