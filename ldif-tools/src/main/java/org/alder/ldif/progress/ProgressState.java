package org.alder.ldif.progress;

/**
 * The numbers of one moment of a phase.
 *
 * @param total         {@link Progress#UNKNOWN} when not known
 * @param ratePerSecond over the last seconds while it runs, over the whole phase when finished
 * @param etaSeconds    seconds left at this rate; negative when not known
 */
public record ProgressState(String phase, Progress.Unit unit, long done, long total, double ratePerSecond, double etaSeconds,
                            double elapsedSeconds, boolean finished) {

    public boolean isTotalKnown() {
        return total >= 0;
    }

    /** Share of the total, 0 to 1; 0 when the total is not known. */
    public double fraction() {
        return total > 0 ? Math.min(1, Math.max(0, (double) done / total)) : total == 0 ? 1 : 0;
    }
}
