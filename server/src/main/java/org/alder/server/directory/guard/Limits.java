package org.alder.server.directory.guard;

import java.util.List;
import java.util.Map;
import org.alder.server.access.Limit;
import org.alder.server.access.LimitKind;
import org.alder.server.access.LimitRule;
import org.alder.server.access.LimitSet;

/**
 * What one search of anybody but administrators may cost. Immutable.
 *
 * @param general for all of whom no rule and no entry says something else
 * @param rules the first that speaks to a client and says something of a kind of limit decides
 */
public record Limits(LimitSet general, List<LimitRule> rules) {
    /** No size limit, 10 minutes, 1,000,000 entries examined. */
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
                Limit.ofKey(0, examinedLimit, "examinedLimit")), List.of());
    }

    /** The kinds that searches have. */
    public static LimitSet of(Limit size, Limit time, Limit examined) {
        return new LimitSet(Map.of(LimitKind.SIZE, size, LimitKind.TIME, time, LimitKind.EXAMINED, examined));
    }
}
