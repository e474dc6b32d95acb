package org.alder.partition.bookkeeper;

import org.alder.partition.bookkeeper.log.Lease;

/** A lease for tests, which a test ends. */
public final class Leases implements Lease {
    private volatile boolean lost;

    public void lose() {
        lost = true;
    }

    @Override
    public boolean isHeld() {
        return !lost;
    }

    @Override
    public boolean isLost() {
        return lost;
    }
}
