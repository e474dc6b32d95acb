package org.alder.server.directory.guard;

/**
 * What one search of anybody but the administrator may cost; 0 is no limit.
 *
 * @param sizeLimit most entries of one answer or page; the client's own limit holds for all pages together
 * @param timeLimitSeconds longest time of one answer or page
 * @param examinedLimit entries tested for want of an index
 */
public record Limits(int sizeLimit, int timeLimitSeconds, int examinedLimit) {
    /** No size limit, 10 minutes, 1,000,000 entries examined. */
    public static final Limits STANDARD = new Limits(0, 600, 1_000_000);

    public Limits {
        if (sizeLimit < 0 || timeLimitSeconds < 0 || examinedLimit < 0) {
            throw new IllegalArgumentException("limits " + sizeLimit + ", " + timeLimitSeconds + ", " + examinedLimit
                    + ", expected 0 or more");
        }
    }
}
