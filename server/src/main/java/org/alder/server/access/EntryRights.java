package org.alder.server.access;

import java.util.List;
import java.util.function.BiPredicate;
import org.alder.partition.filter.AttributeAccess;
import org.alder.partition.schema.AttributeType;

/**
 * What one identity may do with one entry: what the rules say that are about both, the first one that says something of a right
 * deciding, and none being a no. Immutable, thread safe. The same rules make the same object, so that what follows from them is
 * worked out once.
 */
public final class EntryRights {
    /** Everything, what the server itself maintains included. */
    public static final EntryRights ALL = new EntryRights(null, AttributeAccess.ALL);
    public static final EntryRights NONE = new EntryRights(List.of(), AttributeAccess.NONE);

    /** Null for all rights. */
    private final List<AccessRule> rules;
    private final AttributeAccess reading;

    EntryRights(List<AccessRule> rules, AttributeAccess reading) {
        this.rules = rules;
        this.reading = reading;
    }

    /** What may be known of the entry; {@link AttributeAccess#NONE} if it is as if there were no such entry. */
    public AttributeAccess reading() {
        return reading;
    }

    /** Whether there is such an entry, as far as the identity may know. */
    public boolean mayFind() {
        return reading != AttributeAccess.NONE;
    }

    /** Whether the right to the whole entry is granted. @param right not one {@link Right#isOfAttributes} */
    public boolean may(Right right) {
        AccessRule rule = deciding(right, null);
        return rules == null || rule != null && rule.says(right, null);
    }

    /** Whether the right is granted for every value that the attribute has or may get. */
    public boolean may(Right right, AttributeType type) {
        return rules == null || decide(right, type, (rule, granted) -> rule.values(type) == null || !granted);
    }

    /** Whether the right is granted for this value of the attribute. */
    public boolean may(Right right, AttributeType type, byte[] value) {
        return rules == null || decide(right, type, (rule, granted) -> rule.means(type, value));
    }

    /** Whether the right is granted for any value that the attribute might have. */
    public boolean mayAny(Right right, AttributeType type) {
        return rules == null || decide(right, type, (rule, granted) -> rule.values(type) == null || granted);
    }

    /** @param decides whether a rule that grants the right or does not is to be taken */
    private boolean decide(Right right, AttributeType type, BiPredicate<AccessRule, Boolean> decides) {
        for (AccessRule rule : rules) {
            Boolean granted = rule.says(right, type);
            if (granted != null && decides.test(rule, granted)) {
                return granted;
            }
        }
        return false;
    }

    /**
     * The rule that decides about a right to the whole entry, or to an attribute with a value that no rule means in particular;
     * null if none does, which is a no, and for {@link #ALL}.
     *
     * @param type null for a right to whole entries
     */
    public AccessRule deciding(Right right, AttributeType type) {
        if (rules != null) {
            for (AccessRule rule : rules) {
                if (rule.says(right, type) != null && (type == null || rule.values(type) == null)) {
                    return rule;
                }
            }
        }
        return null;
    }
}
