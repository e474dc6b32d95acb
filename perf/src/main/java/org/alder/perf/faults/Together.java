package org.alder.perf.faults;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.alder.perf.client.Request;
import org.alder.perf.faults.LeaderConnection.Ending;
import org.alder.perf.faults.RegisterCall.Outcome;

/**
 * Writes a value into an entry of each shard again and again, into all of them in one transaction, each time in the place of the value that it expects there. So all of
 * them have the same value, which is one that it may have written last. One thread.
 */
final class Together {
    private static final int PAUSE_MILLIS = 150;

    private final List<String> entries;
    private final LeaderConnection connection;
    private final History history;
    private final Random random;
    private final BooleanSupplier ends;
    /** Which all may have; one of them alone where that is known. */
    private final Set<String> values = new TreeSet<>(Set.of(Registers.INITIAL));

    /** @param entries one of each shard, which nobody else changes */
    Together(List<String> entries, LeaderConnection connection, History history, Random random, BooleanSupplier ends) {
        this.entries = entries;
        this.connection = connection;
        this.history = history;
        this.random = random;
        this.ends = ends;
    }

    void run() throws IOException, InterruptedException {
        for (long i = 1; !ends.getAsBoolean(); i++) {
            write(List.copyOf(values).get(random.nextInt(values.size())), Long.toString(i));
            Thread.sleep(random.nextInt(PAUSE_MILLIS));
        }
    }

    private void write(String expected, String value) throws IOException, InterruptedException {
        values.add(value);
        history.together(entries, values);
        List<Request> requests = new ArrayList<>();
        int first = random.nextInt(entries.size());
        for (int i = 0; i < entries.size(); i++) {
            requests.add(Registers.compareAndWrite(entries.get((first + i) % entries.size()), expected, value));
        }
        Ending ending = connection.transaction(ends, requests);
        if (ending == null || ending.outcome() == Outcome.UNKNOWN) {
            return;
        } else if (ending.outcome() == Outcome.DONE) {
            // What may still be on its way expects a value that none has any more.
            values.retainAll(Set.of(value));
            history.madeTogether();
            seen(value, ending);
        } else if (ending.outcome() == Outcome.REFUSED || ending.message().code() == LeaderConnection.NO_SUCH_ATTRIBUTE && values.size() > 2) {
            values.remove(value);
        } else {
            history.differs("a transaction that writes " + value + " in the place of " + expected + ", which is in all of " + entries + ", is answered with "
                    + ending.message().code() + ": " + ending.message().text());
        }
        history.together(entries, values);
    }

    /** Whoever has asked for it sees all of it where it was answered. */
    private void seen(String value, Ending ending) throws IOException {
        for (String each : entries) {
            String found = connection.look(Registers.dn(each));
            if (found != null && !found.equals(value)) {
                history.differs("a transaction is acknowledged that writes " + value + " into all of " + entries + ", and the member with number " + ending.member()
                        + " shows " + found + " in " + each);
            }
        }
    }
}
