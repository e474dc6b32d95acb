package org.alder.perf.faults;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.alder.perf.client.Request;
import org.alder.perf.faults.History.Fate;
import org.alder.perf.faults.LeaderConnection.Ending;
import org.alder.perf.faults.RegisterCall.Outcome;

/**
 * Renames an entry again and again, each time to a name that it never had, mostly that of another shard. It is always under one name, and where it was acknowledged to
 * be, until it is told to go on. It has a value that only one entry may have, which comes along. One thread.
 */
final class Wanderer {
    private static final int MOST_NAMES = 5_000;
    private static final int PAUSE_MILLIS = 120;

    private final int number;
    private final LeaderConnection connection;
    private final History history;
    private final Random random;
    private final BooleanSupplier ends;
    /** Under one of which it is: under the only one, where there is only one. */
    private final List<String> places = new ArrayList<>();
    private int names;

    Wanderer(int number, LeaderConnection connection, History history, Random random, BooleanSupplier ends) {
        this.number = number;
        this.connection = connection;
        this.history = history;
        this.random = random;
        this.ends = ends;
    }

    /** The entry is there before anything fails. */
    static String firstName(int number) {
        return "w" + number + "-0";
    }

    static String value(int number) {
        return "cn=wanderer" + number;
    }

    void run() throws IOException, InterruptedException {
        places.add(firstName(number));
        while (!ends.getAsBoolean() && names < MOST_NAMES) {
            go(places.get(random.nextInt(places.size())), "w" + number + "-" + ++names);
            Thread.sleep(random.nextInt(PAUSE_MILLIS));
        }
    }

    private void go(String from, String to) throws IOException, InterruptedException {
        history.wanders(number, to);
        history.is(from, Fate.UNKNOWN);
        Ending ending = connection.update(ends, new Request.Rename(Registers.dn(from), "cn=" + to, true, null));
        if (ending == null || ending.outcome() == Outcome.UNKNOWN) {
            places.add(to);
        } else if (ending.outcome() == Outcome.DONE) {
            // Whatever may still be on its way finds it under no name that it had before.
            places.forEach(each -> history.is(each, Fate.GONE));
            places.clear();
            places.add(to);
            history.is(to, Fate.THERE);
        } else if (ending.isMissing() && places.size() > 1) {
            history.is(to, Fate.GONE);
        } else if (ending.outcome() == Outcome.REFUSED) {
            history.is(to, Fate.GONE);
            if (places.size() == 1) {
                history.is(from, Fate.THERE);
            }
        } else {
            history.differs("the rename of " + from + ", where it was, to " + to + " is answered with " + ending.message().code() + ": " + ending.message().text());
        }
    }
}
