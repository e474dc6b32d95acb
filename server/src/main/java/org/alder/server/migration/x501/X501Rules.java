package org.alder.server.migration.x501;

import static org.alder.server.migration.x501.Operation.ADD;
import static org.alder.server.migration.x501.Operation.BROWSE;
import static org.alder.server.migration.x501.Operation.COMPARE;
import static org.alder.server.migration.x501.Operation.EXPORT;
import static org.alder.server.migration.x501.Operation.FILTER_MATCH;
import static org.alder.server.migration.x501.Operation.IMPORT;
import static org.alder.server.migration.x501.Operation.MODIFY;
import static org.alder.server.migration.x501.Operation.READ;
import static org.alder.server.migration.x501.Operation.REMOVE;
import static org.alder.server.migration.x501.Operation.RENAME;
import static org.alder.server.migration.x501.Operation.RETURN_DN;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.alder.partition.dn.Dn;
import org.alder.partition.schema.Schema;
import org.alder.server.migration.x501.Tuple.Scope;

/**
 * Makes access rules of ACI items (X.501 18, as ApacheDS has them: prescriptiveACI, entryACI, subentryACI). There, of all that an
 * item says of an operation, an entry, an attribute and a user, the highest precedence decides, then the most specific user class, then the
 * most specific protected item, then a denial before a grant; and an operation takes several decisions: to read an attribute, one of the
 * entry, one of the type and one of the values. Here, the first rule decides of each right. So for each right the decisions that it takes
 * are put in that order and made one list, which grants what all of them grant. What has no counterpart grants nothing, and denies more.
 * One thread.
 *
 * @param <S> what the caller knows an item by
 */
public final class X501Rules<S> {
    private static final int MOST_TUPLES = 1_000;
    private static final int MOST_CHARACTERS = 1 << 22;
    /** The rights of access rules, and what they take; search takes what X.501 asks, of which ApacheDS asks nothing. */
    private static final List<Right> RIGHTS = List.of(
            new Right("search", true, false, List.of(entry(BROWSE, RETURN_DN), type(FILTER_MATCH), value(FILTER_MATCH))),
            new Right("compare", true, false, List.of(entry(READ), type(COMPARE), value(COMPARE))),
            new Right("read", true, false, List.of(entry(BROWSE, RETURN_DN), type(READ), value(READ))),
            new Right("write", true, false, List.of(entry(MODIFY), type(ADD), type(REMOVE), value(ADD), value(REMOVE))),
            new Right("add", true, true, List.of(entry(ADD), type(ADD), value(ADD))),
            new Right("delete", false, false, List.of(entry(REMOVE))),
            new Right("renameOut", false, false, List.of(entry(RENAME), entry(EXPORT))),
            new Right("renameIn", false, true, List.of(entry(RENAME), entry(IMPORT))));

    private final Schema schema;
    private final List<Tuple<S>> tuples = new ArrayList<>();
    private final Map<S, Set<String>> open = new LinkedHashMap<>();

    private record Check(Scope scope, Set<Operation> operations) {
    }

    /** @param isOfNew whether it is about entries that are to be made, of which only prescriptive items say something */
    private record Right(String word, boolean isOfAttributes, boolean isOfNew, List<Check> checks) {
    }

    /**
     * @param text    the rule
     * @param sources the items that it was made of
     */
    public record Rule<S>(String text, Set<S> sources) {
        /** Whether it lets somebody do something. */
        public boolean isGrant() {
            return text.startsWith("grant ");
        }
    }

    public X501Rules(Schema schema) {
        this.schema = schema;
    }

    private static Check entry(Operation first, Operation... others) {
        return new Check(Scope.ENTRY, EnumSet.of(first, others));
    }

    private static Check type(Operation operation) {
        return new Check(Scope.TYPE, EnumSet.of(operation));
    }

    private static Check value(Operation operation) {
        return new Check(Scope.VALUE, EnumSet.of(operation));
    }

    /** @param holder the entry that has the item @param specification the holder's subtreeSpecification; empty for all @param item its text */
    public void takePrescriptive(S source, Dn holder, String specification, String item) {
        Area area = Area.below(holder.parent());
        try {
            area = specification.isBlank() ? area : Area.of(schema, holder.parent(), Notation.read(specification));
        } catch (X501Exception e) {
            refused(source, new AciItem<>(schema, source, area, false), item, "subtreeSpecification " + e.getMessage());
            return;
        }
        if (area.isEmpty()) {
            open(source, "its subtreeSpecification has a minimum above its maximum, so it holds for no entry");
        } else {
            take(source, area, false, item);
        }
    }

    /** @param holder the entry that has the item, and that it is about */
    public void takeOfEntry(S source, Dn holder, String item) {
        take(source, Area.entry(holder), true, item);
    }

    /** @param holder the entry that has the item, and whose subentries it is about */
    public void takeOfSubentries(S source, Dn holder, String item) {
        take(source, Area.subentries(holder), false, item);
    }

    /** One of an entry whose name is none here, so that nobody knows what it is about. @param where where it may be */
    public void takeUnknown(S source, Dn where, String item) {
        refused(source, new AciItem<>(schema, source, Area.below(where), false), item, "the entry's name is none here");
    }

    private void take(S source, Area area, boolean isOfEntry, String text) {
        AciItem<S> item = new AciItem<>(schema, source, area, isOfEntry);
        try {
            List<Tuple<S>> read = item.read(text);
            item.open().forEach(each -> open(source, each));
            tuples.addAll(read);
        } catch (X501Exception e) {
            refused(source, item, text, e.getMessage());
        }
    }

    /** It may be one that denies. */
    private void refused(S source, AciItem<S> item, String text, String why) {
        if (text.toLowerCase(Locale.ROOT).contains("deny")) {
            tuples.add(item.closing());
            open(source, why + ": it may deny something, so all is denied where it is");
        } else {
            open(source, why + ": it grants nothing");
        }
    }

    private void open(S source, String what) {
        open.computeIfAbsent(source, each -> new LinkedHashSet<>()).add(what);
    }

    /** What was not taken over of which items, and why; after {@link #rules} also what came to nothing. */
    public Map<S, Set<String>> open() {
        return open;
    }

    /** All rules, in their order; none if there would be too many. */
    public List<Rule<S>> rules() {
        Map<List<String>, List<Right>> rights = new LinkedHashMap<>();
        Map<Right, List<Rule<S>>> lines = new LinkedHashMap<>();
        try {
            if (tuples.size() > MOST_TUPLES) {
                throw new X501Exception("more than " + MOST_TUPLES + " permissions");
            }
            long characters = 0;
            tuples.sort(Tuple.ORDER);
            for (Right right : RIGHTS) {
                List<Rule<S>> made = lines(right);
                characters += made.stream().mapToLong(line -> line.text().length()).sum();
                if (characters > MOST_CHARACTERS) {
                    throw new X501Exception("rules of more than " + MOST_CHARACTERS + " characters would come of these items");
                }
                lines.put(right, made);
                List<String> key = new ArrayList<>(made.stream().map(Rule::text).toList());
                key.add(right.isOfAttributes() ? "attributes" : "entries");
                rights.computeIfAbsent(key, each -> new ArrayList<>()).add(right);
            }
        } catch (X501Exception e) {
            tuples.forEach(tuple -> open(tuple.source(), e.getMessage() + ": all items grant nothing"));
            return List.of();
        }
        tellOfGrants(lines);
        List<Rule<S>> rules = new ArrayList<>();
        rights.values().forEach(same -> {
            String words = String.join(", ", same.stream().map(Right::word).toList()).replace("search, compare, read", "view").replace("renameOut, renameIn",
                    "rename");
            lines.get(same.get(0)).forEach(line -> rules.add(new Rule<>(line.text().replaceFirst(" ", " " + words + " "), line.sources())));
        });
        return rules;
    }

    /** Rules without the words of the rights. */
    private List<Rule<S>> lines(Right right) throws X501Exception {
        List<Decision<S>> decisions = null;
        List<Decision<S>> last = null;
        for (Check check : right.checks()) {
            List<Decision<S>> asked = asked(check, right.isOfNew());
            decisions = decisions == null ? Decision.needed(asked) : asked.equals(last) ? decisions : Decision.both(decisions, asked);
            last = asked;
        }
        List<Rule<S>> lines = new ArrayList<>();
        for (Decision<S> decision : decisions) {
            String head = decision.isGrant() ? "grant" : "deny";
            String tail = decision.area().words() + " to " + decision.subject().words();
            if (!right.isOfAttributes()) {
                lines.add(new Rule<>(head + tail, decision.sources()));
                continue;
            }
            lines.add(new Rule<>(head + " of " + decision.attributes().words(decision.isGrant()) + tail, decision.sources()));
            boolean isChange = right.word().equals("write") || right.word().equals("add");
            if (decision.isGrant() && isChange && decision.attributes().coversPasswords()) {
                lines.add(new Rule<>(head + " of userPassword" + tail, decision.sources()));
            }
        }
        return lines;
    }

    private List<Decision<S>> asked(Check check, boolean isOfNew) {
        List<Decision<S>> decisions = new ArrayList<>();
        for (Tuple<S> tuple : tuples) {
            if (tuple.speaksOf(check.scope(), check.operations()) && !(isOfNew && tuple.isOfEntry())) {
                decisions.add(new Decision<>(tuple.isGrant(), tuple.area(), tuple.subject(), tuple.targets().get(check.scope()), Set.of(tuple.source())));
            }
        }
        return decisions;
    }

    /** Of what items grant, that which has come to no right. */
    private void tellOfGrants(Map<Right, List<Rule<S>>> lines) {
        Map<S, Set<Operation>> used = new LinkedHashMap<>();
        lines.forEach((right, made) -> made.stream().filter(Rule::isGrant).forEach(line -> line.sources().forEach(source -> right.checks().forEach(
                check -> used.computeIfAbsent(source, each -> EnumSet.noneOf(Operation.class)).addAll(check.operations())))));
        Map<S, Set<String>> unused = new LinkedHashMap<>();
        for (Tuple<S> tuple : tuples) {
            for (Operation operation : tuple.operations()) {
                boolean isAsked = operation != Operation.DISCLOSE_ON_ERROR && operation != Operation.INVOKE;
                if (tuple.isGrant() && isAsked && !used.getOrDefault(tuple.source(), Set.of()).contains(operation)) {
                    unused.computeIfAbsent(tuple.source(), each -> new TreeSet<>()).add("grant" + operation.word);
                }
            }
        }
        unused.forEach((source, words) -> open(source, String.join(", ", words) + " came to no right: what else it takes is not granted, or another item"
                + " denies it (docs/access-rules-migration.md#apacheds)"));
    }
}
