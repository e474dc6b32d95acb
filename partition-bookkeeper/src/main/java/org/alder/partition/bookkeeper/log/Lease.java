package org.alder.partition.bookkeeper.log;

/** Whether a leader still is one. Any thread. */
public interface Lease {
    /** Of one that has none. */
    Lease LOST = new Lease() {
        @Override
        public boolean isHeld() {
            return false;
        }

        @Override
        public boolean isLost() {
            return true;
        }
    };

    /** Of one that nobody else wants. */
    Lease HELD = new Lease() {
        @Override
        public boolean isHeld() {
            return true;
        }

        @Override
        public boolean isLost() {
            return false;
        }
    };

    /** Whether nobody else can have been elected yet, as far as the monotonic clock tells: strong reads may be answered. */
    boolean isHeld();

    /** Whether the lease is known to be over. It never comes back. */
    boolean isLost();
}
