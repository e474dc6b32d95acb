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
 * Adds entries with one of a few values that only one entry may have, each under a name of its own, so in any shard, and deletes them again. From when the add is
 * acknowledged until the delete is sent nobody else may be told that he has the value. One thread.
 */
final class ValueTaker {
    private static final int VALUES = 5;
    private static final int MOST_ENTRIES = 20_000;
    private static final int HOLD_MILLIS = 30;
    private static final int PAUSE_MILLIS = 60;
    /** An add whose outcome is not known is deleted so many times, in case it comes late. */
    private static final int DELETES = 3;

    private final int number;
    private final LeaderConnection connection;
    private final History history;
    private final Random random;
    private final BooleanSupplier ends;
    /** Entries that may be there, or come to be. */
    private final List<String> doubtful = new ArrayList<>();

    ValueTaker(int number, LeaderConnection connection, History history, Random random, BooleanSupplier ends) {
        this.number = number;
        this.connection = connection;
        this.history = history;
        this.random = random;
        this.ends = ends;
    }

    void run() throws IOException, InterruptedException {
        for (int i = 0; !ends.getAsBoolean() && i < MOST_ENTRIES; i++) {
            if (!doubtful.isEmpty() && random.nextInt(4) == 0) {
                connection.update(ends, new Request.Delete(Registers.dn(doubtful.remove(0))));
            }
            take("v" + number + "-" + i, "cn=value" + random.nextInt(VALUES));
            Thread.sleep(random.nextInt(PAUSE_MILLIS));
        }
    }

    private void take(String name, String value) throws IOException, InterruptedException {
        history.is(name, Fate.UNKNOWN);
        Ending ending = connection.update(ends, Registers.addUnique(name, value));
        if (ending == null || ending.outcome() == Outcome.UNKNOWN) {
            for (int i = 0; i < DELETES; i++) {
                doubtful.add(name);
            }
        } else if (ending.outcome() == Outcome.DONE) {
            history.is(name, Fate.THERE);
            history.taken(value, name);
            Thread.sleep(random.nextInt(HOLD_MILLIS));
            giveBack(name, value);
        } else if (ending.outcome() == Outcome.REFUSED || ending.isTaken()) {
            history.is(name, Fate.GONE);
        } else {
            history.differs("the add of " + name + ", which nobody had added, is answered with " + ending.message().code() + ": " + ending.message().text());
        }
    }

    private void giveBack(String name, String value) throws IOException, InterruptedException {
        history.givenBack(value);
        boolean isTriedBefore = false;
        while (true) {
            history.is(name, Fate.UNKNOWN);
            Ending ending = connection.update(ends, new Request.Delete(Registers.dn(name)));
            if (ending == null) {
                return;
            } else if (ending.outcome() == Outcome.DONE || isTriedBefore && ending.isMissing()) {
                history.is(name, Fate.GONE);
                return;
            } else if (ending.isMissing()) {
                history.differs("the add of " + name + " was acknowledged, and a delete of it is answered with " + ending.message().text());
                return;
            }
            isTriedBefore |= ending.outcome() == Outcome.UNKNOWN;
        }
    }
}
