package org.alder.partition.bookkeeper;

/** A lease for tests, which a test ends. */
final class Leases implements Lease {
    private volatile boolean lost;

    void lose() {
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
