package org.alder.server.access;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.zip.CRC32C;
import org.alder.partition.dn.Dn;
import org.alder.partition.filter.AttributeAccess;
import org.alder.partition.filter.CandidateEntry;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;

/**
 * The rules that speak to somebody. Searches ask for what they say of reading alone, updates for all. Those to whom the same rules
 * speak share it. Thread safe.
 */
final class IdentityRules {
    private static final int MOST_FAMILIES = 256;
    private static final Set<Right> READING = EnumSet.of(Right.READ, Right.SEARCH);

    private final Schema schema;
    private final List<AccessRule> rules;
    private final AttributeAccess everywhere;
    private final RuleTree<AttributeAccess> reading;
    private final RuleTree<EntryRights> rights;
    private final ConcurrentMap<String, Siblings> families = new ConcurrentHashMap<>();
    /** Those of the entry before: a search often comes to the next one's sibling. */
    private volatile Siblings last;

    /**
     * @param rules in their order, each speaking to whoever these rules are for, as far as no entry says otherwise
     * @param suffixes of all partitions
     */
    IdentityRules(Schema schema, List<AccessRule> rules, List<Dn> suffixes) {
        this.schema = schema;
        this.rules = List.copyOf(rules);
        this.reading = new RuleTree<>(this.rules, READING, meant -> ReadingRights.of(schema, meant));
        this.rights = new RuleTree<>(this.rules, EnumSet.allOf(Right.class),
                meant -> new EntryRights(meant, reading.answer(meant)));
        this.everywhere = everywhere(suffixes);
    }

    /** A checksum of what the rules say. */
    String name() {
        CRC32C checksum = new CRC32C();
        for (AccessRule rule : rules) {
            checksum.update((rule.text() + rule.place() + rule.subject() + '\n').getBytes(StandardCharsets.UTF_8));
        }
        return Long.toHexString(checksum.getValue());
    }

    /** What may be known of all entries of the partitions alike; null if it depends on the entry. */
    AttributeAccess everywhere() {
        return everywhere;
    }

    private AttributeAccess everywhere(List<Dn> suffixes) {
        List<AccessRule> always = new ArrayList<>();
        Map<Right, Set<AttributeType>> open = new HashMap<>();
        Map<Right, Map<AttributeType, Boolean>> sometimes = new HashMap<>();
        for (Right right : READING) {
            open.put(right, new HashSet<>(schema.attributeTypes()));
            sometimes.put(right, new HashMap<>());
        }
        for (AccessRule rule : rules) {
            boolean none = rule.place() != null && suffixes.stream().noneMatch(rule.place()::touchesSubtree);
            if (none || READING.stream().noneMatch(rule::isAbout)) {
                continue;
            }
            boolean all = rule.filter() == null && rule.subject().equals(Subject.ANYONE)
                    && (rule.place() == null || suffixes.stream().allMatch(rule.place()::containsSubtree));
            for (Right right : READING) {
                if (!decide(right, rule, all, open.get(right), sometimes.get(right))) {
                    return null;
                }
            }
            if (all) {
                always.add(rule);
            }
        }
        boolean denied = sometimes.values().stream().allMatch(each -> each.values().stream().noneMatch(granted -> granted));
        return denied ? reading.answer(always) : null;
    }

    /**
     * Takes account of a rule about all entries, or some.
     *
     * @param open the attributes that no rule about all entries has decided about
     * @param sometimes what rules about some entries said of these
     * @return false if it depends on the entry what may be known of an attribute
     */
    private static boolean decide(Right right, AccessRule rule, boolean all, Set<AttributeType> open,
            Map<AttributeType, Boolean> sometimes) {
        for (var each = open.iterator(); each.hasNext();) {
            AttributeType type = each.next();
            Boolean granted = rule.says(right, type);
            if (granted == null) {
                continue;
            }
            boolean values = rule.values(type) != null;
            Boolean other = sometimes.get(type);
            if (other != null && other != granted.booleanValue() || values && !all) {
                return false;
            } else if (!all) {
                sometimes.put(type, granted);
            } else if (!values) {
                sometimes.remove(type);
                each.remove();
            }
        }
        return true;
    }

    /**
     * What may be done with an entry.
     *
     * @return null if only its name is known, and they depend on what is in the entry
     */
    EntryRights of(Asker who, EntryName name) {
        return rights.of(who, name);
    }

    /** What may be known of an entry; the same as what {@link #of} says of it. */
    AttributeAccess reading(Asker who, EntryName name) {
        return reading.of(who, name);
    }

    /** Whether an entry of this name may be found, whatever is in it; null if that depends on it. */
    Boolean mayFind(Asker who, EntryName name) {
        return reading.always(known -> known != AttributeAccess.NONE, who, name);
    }

    /** @param dn null if it is not known yet */
    EntryName name(CandidateEntry entry, Dn dn) {
        String tail = dn == null ? entry.dnTail() : null;
        return new EntryName(schema, entry, dn, tail == null ? null : siblings(tail));
    }

    private Siblings siblings(String tail) {
        Siblings known = last;
        if (known == null || !known.tail().equals(tail)) {
            known = families.get(tail);
            if (known == null) {
                if (families.size() >= MOST_FAMILIES) {
                    families.clear();
                }
                known = new Siblings(tail, Dn.stored(schema, tail.isEmpty() ? "" : tail.substring(1)), rules.size());
                families.put(tail, known);
            }
            last = known;
        }
        return known;
    }
}
