package org.alder.server.access;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.alder.partition.filter.AttributeAccess;
import org.alder.partition.filter.ValueTest;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;

/** What rules say of reading and searching, by attribute. Immutable but for what it remembers, thread safe. */
final class ReadingRights implements AttributeAccess {
    private final List<AccessRule> rules;
    private final ConcurrentMap<AttributeType, Decision> decisions = new ConcurrentHashMap<>();

    /** @param readable null if all values are, where any is  @param searchable the same */
    private record Decision(boolean read, ValueTest readable, boolean search, ValueTest searchable) {
        boolean isWhole() {
            return read && readable == null && search && searchable == null;
        }

        boolean isNothing() {
            return !read && !search;
        }
    }

    private ReadingRights(List<AccessRule> rules) {
        this.rules = rules;
    }

    /** One of the constants of {@link AttributeAccess}, if it says the same of all attributes that the schema has now. */
    static AttributeAccess of(Schema schema, List<AccessRule> rules) {
        ReadingRights rights = new ReadingRights(rules);
        boolean reads = false;
        boolean allButSecrets = true;
        for (AttributeType type : schema.attributeTypes()) {
            Decision decision = rights.decision(type);
            reads |= decision.read;
            allButSecrets &= type.isSecret() ? decision.isNothing() : decision.isWhole();
        }
        return !reads ? NONE : allButSecrets ? ALL_BUT_SECRETS : rights;
    }

    private Decision decision(AttributeType type) {
        Decision known = decisions.get(type);
        if (known == null) {
            known = decide(type);
            decisions.put(type, known);
        }
        return known;
    }

    private Decision decide(AttributeType type) {
        ValueTest readable = values(Right.READ, type);
        ValueTest searchable = values(Right.SEARCH, type);
        return new Decision(readable != NO_VALUE, readable == EVERY_VALUE ? null : readable,
                searchable != NO_VALUE, searchable == EVERY_VALUE ? null : searchable);
    }

    private static final ValueTest EVERY_VALUE = (bytes, offset, length) -> true;
    private static final ValueTest NO_VALUE = (bytes, offset, length) -> false;

    /** A rule about some values decides about these, and leaves the others to the rules behind it. */
    private ValueTest values(Right right, AttributeType type) {
        List<ValueTest> tests = new ArrayList<>(0);
        List<Boolean> answers = new ArrayList<>(0);
        boolean others = false;
        for (AccessRule rule : rules) {
            Boolean granted = rule.says(right, type);
            ValueTest values = granted == null ? null : rule.values(type);
            if (values != null) {
                tests.add(values);
                answers.add(granted);
            } else if (granted != null) {
                others = granted;
                break;
            }
        }
        boolean rest = others;
        return answers.stream().allMatch(answer -> answer == rest) ? rest ? EVERY_VALUE : NO_VALUE
                : (bytes, offset, length) -> {
                    for (int i = 0; i < tests.size(); i++) {
                        if (tests.get(i).matches(bytes, offset, length)) {
                            return answers.get(i);
                        }
                    }
                    return rest;
                };
    }

    @Override
    public boolean mayRead(AttributeType type) {
        return decision(type).read;
    }

    @Override
    public boolean maySearch(AttributeType type) {
        return decision(type).search;
    }

    @Override
    public ValueTest readable(AttributeType type) {
        return decision(type).readable;
    }

    @Override
    public ValueTest searchable(AttributeType type) {
        return decision(type).searchable;
    }
}
