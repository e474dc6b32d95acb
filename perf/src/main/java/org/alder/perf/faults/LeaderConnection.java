package org.alder.perf.faults;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.alder.perf.client.Control;
import org.alder.perf.client.LdapClient;
import org.alder.perf.client.Message;
import org.alder.perf.client.Request;
import org.alder.perf.faults.RegisterCall.Outcome;

/** Sends updates to whoever takes them: one member after the other is tried until one does. One thread. */
final class LeaderConnection implements AutoCloseable {
    private static final int SUCCESS = 0;
    private static final int REFERRAL = 10;
    static final int NO_SUCH_ATTRIBUTE = 16;
    private static final int CONSTRAINT_VIOLATION = 19;
    static final int NO_SUCH_OBJECT = 32;
    private static final int BUSY = 51;
    private static final int UNAVAILABLE = 52;
    private static final int UNWILLING = 53;
    private static final int EXISTS = 68;
    private static final int LEAST_WAIT_MILLIS = 3_000;
    private static final int MOST_WAIT_MILLIS = 16_000;
    private static final int PAUSE_MILLIS = 40;

    private final List<Member> members;
    private final History history;
    private final Random random;
    private LdapClient client;
    private int member;

    LeaderConnection(List<Member> members, History history, Random random) {
        this.members = members;
        this.history = history;
        this.random = random;
    }

    /**
     * How an update ended.
     *
     * @param message null where there was no answer
     * @param member  who was asked
     */
    record Ending(Outcome outcome, Message message, int member, long invokedNanos, long endedNanos) {
        boolean isThere() {
            return message != null && message.code() == EXISTS;
        }

        /** Whether another entry has a value that only one may have. */
        boolean isTaken() {
            return message != null && message.code() == CONSTRAINT_VIOLATION;
        }

        boolean isMissing() {
            return message != null && message.code() == NO_SUCH_OBJECT;
        }
    }

    /** Tries until a member was asked. @return null where all has ended before */
    Ending update(BooleanSupplier ends, Request request, Control... controls) throws IOException, InterruptedException {
        return ask(ends, () -> client.send(request, controls).result());
    }

    /** The same for a transaction of several updates (RFC 5805); the message is the last answer. */
    Ending transaction(BooleanSupplier ends, List<Request> updates) throws IOException, InterruptedException {
        return ask(ends, () -> {
            Message begun = begin(updates);
            return begun.code() == SUCCESS ? client.send(Request.Extended.endTransaction(begun.value(), true)).result() : begun;
        });
    }

    /** @return the answer to the start of a transaction that has all of these; or another one than success, and then nothing is asked for that is to be done */
    private Message begin(List<Request> updates) throws IOException, InterruptedException {
        try {
            Message begun = client.send(Request.Extended.startTransaction()).result();
            for (Request each : begun.code() == SUCCESS ? updates : List.<Request>of()) {
                Message put = client.send(each, Control.inTransaction(begun.value())).result();
                if (put.code() != SUCCESS) {
                    // One without it must not be made.
                    next();
                    return put;
                }
            }
            return begun;
        } catch (IOException e) {
            throw new NotAskedException(e);
        }
    }

    /** What a member answers. */
    private interface Asking {
        Message ask() throws IOException, InterruptedException;
    }

    /** The connection was lost before anything was asked for that is to be done. */
    private static final class NotAskedException extends IOException {
        private static final long serialVersionUID = 1L;

        NotAskedException(IOException cause) {
            super(cause);
        }
    }

    private Ending ask(BooleanSupplier ends, Asking asking) throws IOException, InterruptedException {
        while (client == null) {
            if (ends.getAsBoolean()) {
                return null;
            }
            connect();
        }
        long invoked = System.nanoTime();
        Message message = null;
        Outcome outcome = Outcome.UNKNOWN;
        int asked = member;
        try {
            message = asking.ask();
            outcome = outcome(message);
        } catch (NotAskedException e) {
            outcome = Outcome.REFUSED;
            next();
        } catch (IOException e) {
            next();
        }
        long ended = System.nanoTime();
        history.count(outcome);
        if (message != null && (outcome == Outcome.REFUSED || outcome == Outcome.UNKNOWN)) {
            next();
        }
        return new Ending(outcome, message, asked, invoked, ended);
    }

    private Outcome outcome(Message message) {
        return switch (message.code()) {
            case SUCCESS -> Outcome.DONE;
            case NO_SUCH_ATTRIBUTE, CONSTRAINT_VIOLATION, NO_SUCH_OBJECT, EXISTS -> Outcome.DIFFERS;
            case REFERRAL, BUSY, UNWILLING -> Outcome.REFUSED;
            case UNAVAILABLE -> message.text().contains("nothing was done") ? Outcome.REFUSED : Outcome.UNKNOWN;
            default -> {
                history.differs("an update was answered with result code " + message.code() + " by " + members.get(member).name() + ": " + message.text());
                yield Outcome.UNKNOWN;
            }
        };
    }

    /** What the one asked last shows of a register now, which may be old; null where it shows nothing. */
    String look(String dn) throws IOException {
        if (client == null) {
            return null;
        }
        try {
            return Registers.value(client.send(Registers.search(dn)).entries());
        } catch (IOException e) {
            close();
            return null;
        }
    }

    private void connect() throws IOException, InterruptedException {
        try {
            client = members.get(member).connect(LEAST_WAIT_MILLIS + random.nextInt(MOST_WAIT_MILLIS - LEAST_WAIT_MILLIS));
        } catch (IOException e) {
            next();
        }
    }

    private void next() throws IOException, InterruptedException {
        close();
        member = random.nextInt(members.size());
        Thread.sleep(random.nextInt(PAUSE_MILLIS));
    }

    @Override
    public void close() throws IOException {
        if (client != null) {
            client.close();
            client = null;
        }
    }
}
