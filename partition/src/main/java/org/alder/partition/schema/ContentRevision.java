package org.alder.partition.schema;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.alder.partition.error.DirectoryException;

/** What becomes of the content rules of a schema that a revision takes away or that say something else in it. One thread. */
final class ContentRevision {
    private static final int MOST_REMEMBERED = 1000;

    private final SchemaTables before;
    private final SchemaBuilder builder;
    /** By structural class, what holds then; null for no rule. */
    private final Map<ObjectClass, ContentRule> revised = new HashMap<>();
    private final Map<List<ObjectClass>, Checks> remembered = new HashMap<>();

    /** @param then null if the classes could not be together any more, as the violation says */
    private record Checks(ClassSet now, ClassSet then, String violation) {
        static final Checks NONE = new Checks(null, null, null);
    }

    ContentRevision(SchemaTables before, SchemaBuilder builder) {
        this.before = before;
        this.builder = builder;
        before.contentRules.forEach((structural, rule) -> {
            ContentRule made = builder.contentRules.get(structural);
            if (made == null || !made.definition().means(rule.definition())) {
                revised.put(structural, made == null ? null : known(made));
            }
        });
    }

    boolean isEmpty() {
        return revised.isEmpty();
    }

    /** A class that is new is no entry's, and not whole before it is adopted; its superclasses may be entries'. */
    private ContentRule known(ContentRule made) {
        Set<ObjectClass> auxiliaries = new LinkedHashSet<>();
        for (ObjectClass auxiliary : made.auxiliaries()) {
            Stream.concat(Stream.of(auxiliary), builder.classes.get(auxiliary.oid()).facts.allSuperiors().stream())
                    .filter(each -> before.classesByName.get(each.oid()) == each).forEach(auxiliaries::add);
        }
        return new ContentRule(made.definition(), made.objectClass(), auxiliaries, made.must(), made.may(), made.not());
    }

    /** What is wrong then with an entry that is right now; null if nothing. */
    String violation(List<ObjectClass> classes, Set<AttributeType> types) {
        Checks checks = remembered.get(classes);
        if (checks == null) {
            checks = checks(classes);
            if (remembered.size() < MOST_REMEMBERED) {
                remembered.put(List.copyOf(classes), checks);
            }
        }
        if (checks.now == null || violation(checks.now, types) != null) {
            return null;
        }
        return checks.then == null ? checks.violation : violation(checks.then, types);
    }

    private Checks checks(List<ObjectClass> classes) {
        ClassSet now;
        try {
            now = new ClassSet(classes, before.contentRules::get);
        } catch (DirectoryException e) {
            return Checks.NONE;
        }
        if (!revised.containsKey(now.structural())) {
            return Checks.NONE;
        }
        try {
            return new Checks(now, new ClassSet(classes, revised::get), null);
        } catch (DirectoryException e) {
            return new Checks(now, null, e.getMessage());
        }
    }

    private static String violation(ClassSet classes, Set<AttributeType> types) {
        try {
            for (AttributeType type : types) {
                classes.checkAllowed(type, type.name());
            }
            classes.checkRequired(types.toArray(new AttributeType[0]));
            return null;
        } catch (DirectoryException e) {
            return e.getMessage();
        }
    }
}
