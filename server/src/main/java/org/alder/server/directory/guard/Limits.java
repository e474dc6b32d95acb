package org.alder.server.directory.guard;

import java.util.List;
import java.util.Map;
import org.alder.server.access.Limit;
import org.alder.server.access.LimitKind;
import org.alder.server.access.LimitPolicy;
import org.alder.server.access.LimitRule;
import org.alder.server.access.LimitSet;

/**
 * What one search of anybody but administrators may cost. Immutable.
 *
 * @param general for all of whom no rule and no entry says something else
 * @param rules the first that speaks to a client and says something of a kind of limit decides
 * @param followed searches that are told changes, in all
 * @param followedPerIdentity those of one identity; administrators may have all
 */
public record Limits(LimitSet general, List<LimitRule> rules, int followed, int followedPerIdentity) {
    private static final int FOLLOWED = 1000;
    private static final int FOLLOWED_PER_IDENTITY = 250;

    /** No size limit, 10 minutes, 1,000,000 entries examined; 1,000 searches that are told changes, 250 of one identity. */
    public static final Limits STANDARD = new Limits(0, 600, 1_000_000);

    public Limits {
        rules = List.copyOf(rules);
    }

    /**
     * One limit of each kind, and no rules; 0 is no limit.
     *
     * @param sizeLimit most entries of one answer or page; the client's own limit holds for all pages together
     * @param timeLimitSeconds longest time of one answer or page
     * @param examinedLimit entries tested for want of an index
     */
    public Limits(int sizeLimit, int timeLimitSeconds, int examinedLimit) {
        this(of(Limit.ofKey(0, sizeLimit, "sizeLimit"), Limit.ofKey(0, timeLimitSeconds, "timeLimitSeconds"),
                Limit.ofKey(0, examinedLimit, "examinedLimit")), List.of(), FOLLOWED, FOLLOWED_PER_IDENTITY);
    }

    /** The first two, as they are asked for. */
    public LimitPolicy.Configured configured() {
        return new LimitPolicy.Configured(general, rules);
    }

    public Limits withRules(List<LimitRule> others) {
        return new Limits(general, others, followed, followedPerIdentity);
    }

    /** The kinds that searches have. */
    public static LimitSet of(Limit size, Limit time, Limit examined) {
        return new LimitSet(Map.of(LimitKind.SIZE, size, LimitKind.TIME, time, LimitKind.EXAMINED, examined));
    }
}
