package org.alder.ldif.progress;

/**
 * Where a long operation tells how far it is: {@link #begin}, then any number of {@link #update} or {@link #advance}, then
 * {@link #finish}, for one phase after the other. {@code update} and {@code advance} may be called by several threads at
 * once and are cheap enough for every entry. A phase begun while another runs finishes that one. Never throws.
 */
public interface Progress {

    /** What {@code done} and {@code total} count. */
    enum Unit { ENTRIES, BYTES, STEPS }

    /** The total of a phase whose length is not known beforehand. */
    long UNKNOWN = -1;

    /** Shows nothing. */
    Progress NONE = new Progress() {
        @Override
        public void begin(String phase, Unit unit, long total) {
        }

        @Override
        public void update(long done) {
        }

        @Override
        public void advance(long delta) {
        }

        @Override
        public void finish() {
        }
    };

    /** Starts a phase at 0 of {@code total}, or of {@link #UNKNOWN}. */
    void begin(String phase, Unit unit, long total);

    /** Sets what is done of this phase so far. */
    void update(long done);

    /** Adds to what is done. */
    void advance(long delta);

    /** Ends the phase; does nothing when none runs. */
    void finish();
}
