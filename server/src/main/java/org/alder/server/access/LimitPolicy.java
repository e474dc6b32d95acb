package org.alder.server.access;

import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.server.auth.Identity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What whoever asks may cost: as his entry says, else the first rule that speaks to him, else what holds for all; so for each kind
 * of limit. It is not asked for administrators. Thread safe.
 */
public final class LimitPolicy {
    private static final Logger LOG = LoggerFactory.getLogger(LimitPolicy.class);

    private final LimitSet general;
    private final List<LimitRule> rules;
    private final boolean ofGroups;
    private final AccessPolicy.Memberships memberships;
    private final Function<Dn, LimitSet> entries;

    /**
     * @param general for all
     * @param memberships asked only if rules speak to groups
     * @param entries reads what the entry of a DN says; nothing if there is none
     */
    public LimitPolicy(LimitSet general, List<LimitRule> rules, AccessPolicy.Memberships memberships, Function<Dn, LimitSet> entries) {
        this.general = general;
        this.rules = List.copyOf(rules);
        this.memberships = memberships;
        this.entries = entries;
        this.ofGroups = rules.stream().flatMap(rule -> rule.subject().leaves()).anyMatch(Subject.Group.class::isInstance);
    }

    /** The same for everybody. */
    public static LimitPolicy of(LimitSet general) {
        return new LimitPolicy(general, List.of(), AccessPolicy.Memberships.NONE, dn -> LimitSet.EMPTY);
    }

    /** What the entry of an identity says of itself. It is read. */
    public LimitSet ofEntry(Identity identity) {
        return identity.isAnonymous() ? LimitSet.EMPTY : entries.apply(identity.dn());
    }

    /** What holds for whoever asks. @param own what his entry says */
    public LimitSet of(Requester who, LimitSet own) {
        LimitSet found = own;
        if (!rules.isEmpty()) {
            Set<Dn> groups = !ofGroups || who.identity().isAnonymous() ? Set.of() : groups(who.identity().dn());
            for (LimitRule rule : rules) {
                if (rule.subject().of(who, groups).equals(Subject.ANYONE)) {
                    found = found.or(rule.limits());
                }
            }
        }
        return found.or(general);
    }

    private Set<Dn> groups(Dn member) {
        try {
            return memberships.of(member);
        } catch (DirectoryException e) {
            LOG.warn("the limits of groups do not hold for \"{}\": {}", member.text(), e.getMessage());
            return Set.of();
        }
    }
}
