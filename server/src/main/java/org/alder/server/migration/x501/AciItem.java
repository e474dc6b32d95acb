package org.alder.server.migration.x501;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.alder.partition.error.Shortened;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.server.migration.x501.Notation.Part;
import org.alder.server.migration.x501.Tuple.Scope;

/**
 * Reads ACI items (X.501 18.4.2), and takes each apart into what it grants and what it denies. A grant of which a part has no counterpart
 * is left out; a denial then denies more. Used for one item.
 */
final class AciItem<S> {
    private static final int MOST_PRECEDENCE = 255;

    private final Schema schema;
    private final S source;
    private final Area area;
    private final boolean isOfEntry;
    private final List<String> open = new ArrayList<>();
    private final List<Tuple<S>> tuples = new ArrayList<>();
    private Users.Level level;

    /** @param area the entries that it is about @param isOfEntry whether it stands in the entry itself */
    AciItem(Schema schema, S source, Area area, boolean isOfEntry) {
        this.schema = schema;
        this.source = source;
        this.area = area;
        this.isOfEntry = isOfEntry;
    }

    /** What was left out, or denies more, and why. */
    List<String> open() {
        return open;
    }

    /** Of one that cannot be read, and that may deny: nobody has any right there. */
    Tuple<S> closing() {
        return new Tuple<>(source, false, MOST_PRECEDENCE + 1, Users.Subject.ANYONE, 0, area, everything(), 0, EnumSet.allOf(Operation.class),
                isOfEntry);
    }

    /** @throws X501Exception if it is none */
    List<Tuple<S>> read(String text) throws X501Exception {
        Map<String, List<Part>> item = Notation.fields(Notation.read(text));
        int precedence = Notation.numberOf("precedence", item.get("precedence"), MOST_PRECEDENCE);
        level = Users.level(item.get("authenticationlevel"));
        List<Part> first = item.getOrDefault("itemoruserfirst", List.of());
        boolean isItemFirst = first.size() == 2 && first.get(0).isWord("itemFirst");
        if (!isItemFirst && !(first.size() == 2 && first.get(0).isWord("userFirst"))) {
            throw new X501Exception("expected itemOrUserFirst and itemFirst or userFirst");
        }
        Map<String, List<Part>> fields = Notation.fields(Notation.blockOf("itemOrUserFirst", first.subList(1, 2)));
        String permissions = isItemFirst ? "itemPermissions" : "userPermissions";
        for (List<Part> element : Notation.blockOf(permissions, fields.get(permissions.toLowerCase(Locale.ROOT)))) {
            Map<String, List<Part>> permission = Notation.fields(Notation.blockOf(permissions, element));
            List<Part> users = (isItemFirst ? permission : fields).get("userclasses");
            List<Part> items = (isItemFirst ? fields : permission).get("protecteditems");
            List<Part> own = permission.get("precedence");
            permission(own == null ? precedence : Notation.numberOf("precedence", own, MOST_PRECEDENCE),
                    Users.of(schema, Notation.blockOf("userClasses", users)), items(Notation.blockOf("protectedItems", items)),
                    Notation.blockOf("grantsAndDenials", permission.get("grantsanddenials")));
        }
        return tuples;
    }

    private void permission(int precedence, Users users, Items items, List<List<Part>> words) throws X501Exception {
        Set<Operation> granted = EnumSet.noneOf(Operation.class);
        Set<Operation> denied = EnumSet.noneOf(Operation.class);
        for (List<Part> element : words) {
            String word = element.size() == 1 && element.get(0).word() != null ? element.get(0).word() : "";
            boolean isGrant = word.regionMatches(true, 0, "grant", 0, "grant".length());
            (isGrant ? granted : denied).add(operation(word, isGrant ? "grant" : "deny"));
        }
        Set<String> wider = new LinkedHashSet<>(area.open());
        wider.addAll(users.open());
        wider.addAll(items.open());
        if (!granted.isEmpty()) {
            grant(precedence, users, items, granted, wider);
        }
        Users.Subject subject = users.denied(level);
        if (!denied.isEmpty() && subject != null) {
            Map<Scope, Attributes> targets = items.open().isEmpty() ? new EnumMap<>(items.targets()) : everything();
            targets.replaceAll((scope, attributes) -> attributes.kind() == Attributes.Kind.USER ? Attributes.ALL : attributes);
            tuples.add(new Tuple<>(source, false, precedence, subject, users.rank(), area, targets, items.rank(), denied, isOfEntry));
            if (!wider.isEmpty()) {
                open.add("denies more here, so that nobody gets more than he had: " + String.join("; ", wider));
            }
        }
    }

    private void grant(int precedence, Users users, Items items, Set<Operation> granted, Set<String> wider) {
        if (!wider.isEmpty()) {
            open.add("what it grants is not taken over: " + String.join("; ", wider));
            return;
        }
        try {
            Users.Subject subject = users.granted(level);
            if (subject != null) {
                tuples.add(new Tuple<>(source, true, precedence, subject, users.rank(), area, items.targets(), items.rank(), granted, isOfEntry));
            }
        } catch (X501Exception e) {
            open.add("what it grants is not taken over: " + e.getMessage());
        }
    }

    private static Operation operation(String word, String prefix) throws X501Exception {
        for (Operation operation : Operation.values()) {
            if (word.equalsIgnoreCase(prefix + operation.word)) {
                return operation;
            }
        }
        throw new X501Exception("\"" + Shortened.of(word) + "\" is nothing to grant or deny");
    }

    /**
     * Protected items.
     *
     * @param rank 1 if attributes are named; ApacheDS takes that for all that stand together
     * @param open what has no counterpart
     */
    private record Items(Map<Scope, Attributes> targets, int rank, List<String> open) {
    }

    private static Map<Scope, Attributes> everything() {
        Map<Scope, Attributes> targets = new EnumMap<>(Scope.class);
        for (Scope scope : Scope.values()) {
            targets.put(scope, Attributes.ALL);
        }
        return targets;
    }

    private Items items(List<List<Part>> block) throws X501Exception {
        Map<Scope, Attributes> targets = new EnumMap<>(Scope.class);
        Map<Scope, Attributes> named = new EnumMap<>(Scope.class);
        List<String> none = new ArrayList<>();
        int rank = 0;
        for (var field : Notation.fields(block).entrySet()) {
            switch (field.getKey()) {
                case "entry" -> targets.put(Scope.ENTRY, Attributes.ALL);
                // At ApacheDS the first one, too, means values.
                case "alluserattributetypes", "alluserattributetypesandvalues" -> {
                    targets.put(Scope.TYPE, Attributes.USER);
                    targets.put(Scope.VALUE, Attributes.USER);
                }
                case "attributetype" -> named.put(Scope.TYPE, types("attributeType", field.getValue()));
                case "allattributevalues" -> named.put(Scope.VALUE, types("allAttributeValues", field.getValue()));
                case "attributevalue", "selfvalue", "rangeofvalues", "maxvaluecount", "maximmsub", "restrictedby", "classes" ->
                    none.add(field.getKey() + " has no counterpart");
                default -> throw new X501Exception(Shortened.of(field.getKey()) + " is no protected item");
            }
            rank = Set.of("attributetype", "allattributevalues", "attributevalue", "selfvalue").contains(field.getKey()) ? 1 : rank;
        }
        named.forEach((scope, attributes) -> {
            if (targets.putIfAbsent(scope, attributes) != null && attributes.types().stream().anyMatch(AttributeType::isOperational)) {
                none.add("operational attributes beside allUserAttributeTypes: an item of their own says it");
            }
        });
        return new Items(targets, rank, none);
    }

    private Attributes types(String name, List<Part> parts) throws X501Exception {
        Set<AttributeType> types = new LinkedHashSet<>();
        for (List<Part> element : Notation.blockOf(name, parts)) {
            String word = element.size() == 1 ? element.get(0).word() : null;
            AttributeType type = word == null ? null : schema.attributeType(word);
            if (word == null) {
                throw new X501Exception("expected names of attributes behind " + name);
            } else if (type == null) {
                open.add("no attribute here, so it is left out: " + Shortened.of(word));
            } else {
                types.add(type);
            }
        }
        return Attributes.named(types);
    }
}
