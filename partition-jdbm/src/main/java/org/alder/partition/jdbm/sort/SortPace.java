package org.alder.partition.jdbm.sort;

/** How fast keys are sorted beside other work. Called by the one thread that adds them. */
public interface SortPace {
    /** As fast as it can be done. */
    SortPace UNLIMITED = new SortPace() {
        @Override
        public boolean isSlowed() {
            return false;
        }

        @Override
        public void worked() {
            // Nobody waits.
        }
    };

    /** Whether others need the processors now: then no other thread sorts. */
    boolean isSlowed();

    /** Told after each small piece of work; may take its time. */
    void worked();
}
