package org.alder.server.access;

import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
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

    private final Supplier<Configured> configured;
    private final AccessPolicy.Memberships memberships;
    private final Function<Dn, LimitSet> entries;

    /** What the configuration says: what holds for all, and the rules that go before it. Immutable. */
    public static final class Configured {
        private final LimitSet general;
        private final List<LimitRule> rules;
        private final boolean ofGroups;

        public Configured(LimitSet general, List<LimitRule> rules) {
            this.general = general;
            this.rules = List.copyOf(rules);
            this.ofGroups = rules.stream().flatMap(rule -> rule.subject().leaves()).anyMatch(Subject.Group.class::isInstance);
        }
    }

    /**
     * @param configured asked whenever limits are
     * @param memberships asked only if rules speak to groups
     * @param entries reads what the entry of a DN says; nothing if there is none
     */
    public LimitPolicy(Supplier<Configured> configured, AccessPolicy.Memberships memberships, Function<Dn, LimitSet> entries) {
        this.configured = configured;
        this.memberships = memberships;
        this.entries = entries;
    }

    /** The same for everybody. */
    public static LimitPolicy of(LimitSet general) {
        Configured same = new Configured(general, List.of());
        return new LimitPolicy(() -> same, AccessPolicy.Memberships.NONE, dn -> LimitSet.EMPTY);
    }

    /** What the entry of an identity says of itself. It is read. */
    public LimitSet ofEntry(Identity identity) {
        return identity.isAnonymous() ? LimitSet.EMPTY : entries.apply(identity.dn());
    }

    /** What holds for whoever asks. @param own what his entry says */
    public LimitSet of(Requester who, LimitSet own) {
        LimitSet found = own;
        Configured now = configured.get();
        if (!now.rules.isEmpty()) {
            Set<Dn> groups = !now.ofGroups || who.identity().isAnonymous() ? Set.of() : groups(who.identity().dn());
            for (LimitRule rule : now.rules) {
                if (rule.subject().of(who, groups).equals(Subject.ANYONE)) {
                    found = found.or(rule.limits());
                }
            }
        }
        return found.or(now.general);
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
