package org.alder.server.access;

/**
 * One limit, and who says it. Immutable.
 *
 * @param soft what a request gets that does not say how much it wants; at most {@code hard}
 * @param hard what one gets at most
 * @param origin where it is set, for messages: a key, a rule, or an attribute of an entry
 */
public record Limit(long soft, long hard, String origin) {
    /** There is none. */
    public static final long NONE = Long.MAX_VALUE;

    public Limit {
        if (soft < 0 || hard < soft) {
            throw new IllegalArgumentException("a limit of " + soft + " and at most " + hard + ", expected ascending numbers of 0 or more");
        }
    }

    /** As keys say it: 0 is none. @param soft 0 for as much as there is at most */
    public static Limit ofKey(long soft, long hard, String key) {
        long most = hard == 0 ? NONE : hard;
        return new Limit(soft == 0 ? most : Math.min(soft, most), most, key);
    }

    /** What a request gets. @param wanted 0 if it does not say */
    public long of(long wanted) {
        return wanted == 0 ? soft : Math.min(wanted, hard);
    }
}
