package org.alder.partition.rule;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Rules that are to hold soon: an update that they would refuse is made, and the entry remembered, to be looked at when they begin to
 * hold. Thread safe.
 */
public final class UniqueTrial {
    /** So many are looked at then, while updates wait. */
    public static final int MOST_ENTRIES = 1000;

    private final List<UniqueRule> rules;
    private final Set<Long> entries = ConcurrentHashMap.newKeySet();

    public UniqueTrial(List<UniqueRule> rules) {
        this.rules = List.copyOf(rules);
    }

    public List<UniqueRule> rules() {
        return rules;
    }

    /** An update that would be refused, which may come to nothing for another reason. @param id of the entry that it makes or changes */
    public void refuses(long id) {
        // One more than are looked at tells that there were too many.
        if (entries.size() <= MOST_ENTRIES) {
            entries.add(id);
        }
    }

    /** The IDs of those that were remembered, at least one more than {@value #MOST_ENTRIES} if there were too many. */
    public Set<Long> entries() {
        return Set.copyOf(entries);
    }
}
