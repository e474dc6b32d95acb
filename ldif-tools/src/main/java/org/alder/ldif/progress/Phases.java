package org.alder.ldif.progress;

/** Shows work that reports (phase, done, total) as the phases of a {@link Progress}. One thread. */
public final class Phases {
    private final Progress progress;
    private final Progress.Unit unit;
    private String current = "";

    public Phases(Progress progress, Progress.Unit unit) {
        this.progress = progress;
        this.unit = unit;
    }

    /** @param total 0 or less if it is not known */
    public void update(String phase, long done, long total) {
        if (!phase.equals(current)) {
            current = phase;
            progress.begin(phase, unit, total > 0 ? total : Progress.UNKNOWN);
        }
        progress.update(done);
    }
}
