package org.alder.partition.jdbm.simulation;

import org.alder.partition.testing.Simulation;

/**
 * Who of several machines may lead, as a lock says that is lost when its holder has not been heard for a time. A machine may think that
 * it has it longer than it does: what is written is decided by the log alone. One task at a time.
 */
final class SimulatedLock {
    static final long SESSION_NANOS = 2_000_000_000L;
    private static final int NOBODY = -1;

    private final Simulation simulation;
    private int holder = NOBODY;
    private long until;

    SimulatedLock(Simulation simulation) {
        this.simulation = simulation;
    }

    /** Takes it where nobody has it, or keeps it. @return whether the machine has it now */
    boolean hold(int machine) {
        if (holder != machine && holder != NOBODY && simulation.now() <= until) {
            return false;
        }
        holder = machine;
        until = simulation.now() + SESSION_NANOS;
        return true;
    }

    /** Gives it to another one, which finds that it has it. */
    void give(int machine) {
        holder = machine;
        until = simulation.now() + SESSION_NANOS;
    }

    /** Whose it was last; no machine before the first one took it. */
    int holder() {
        return holder;
    }
}
