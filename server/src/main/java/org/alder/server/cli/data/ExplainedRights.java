package org.alder.server.cli.data;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.alder.partition.entry.AttributeCursor;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.filter.CandidateEntry;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.server.access.AccessRule;
import org.alder.server.access.EntryRights;
import org.alder.server.access.Right;

/** What somebody may do with an entry and which rules say so, in words and in facts. Immutable. */
final class ExplainedRights {
    private static final String NO_RULE = "no rule grants it";

    private final CandidateEntry entry;
    private final EntryRights rights;
    private final List<Row> rows = new ArrayList<>();

    /** What is decided about one right. @param attributes for which it is decided so; none for a right to the entry */
    private record Row(Right right, boolean granted, List<String> attributes, String reason) {
        String line() {
            return String.format(Locale.ROOT, "  %-12s %-3s %s%s", right.word(), granted ? "yes" : "no",
                    attributes.isEmpty() ? "" : String.join(" ", attributes) + ": ", reason);
        }

        Map<String, Object> facts() {
            Map<String, Object> facts = new LinkedHashMap<>();
            facts.put("right", right.word());
            facts.put("granted", granted);
            if (!attributes.isEmpty()) {
                facts.put("attributes", attributes);
            }
            facts.put("reason", reason);
            return facts;
        }
    }

    /** The rights to the entry, and to each attribute that it has. */
    ExplainedRights(Schema schema, EntryRights rights, CandidateEntry entry) {
        this.entry = entry;
        this.rights = rights;
        Set<AttributeType> types = types(schema, entry.record());
        for (Right right : Right.values()) {
            if (right.isOfAttributes()) {
                addAttributes(right, types);
            } else {
                rows.add(new Row(right, rights.may(right), List.of(), reason(rights.deciding(right, null))));
            }
        }
    }

    void print(PrintWriter out) {
        out.println("entry       " + entry.dn());
        out.println("  " + (rights.mayFind() ? "is found" : "is not found: as if there were no such entry"));
        rows.forEach(row -> out.println(row.line()));
    }

    Map<String, Object> facts() {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("entry", entry.dn());
        facts.put("found", rights.mayFind());
        facts.put("rights", rows.stream().map(Row::facts).toList());
        return facts;
    }

    private static Set<AttributeType> types(Schema schema, EntryRecord record) {
        Set<AttributeType> types = new TreeSet<>((one, other) -> one.name().compareTo(other.name()));
        AttributeCursor cursor = record.cursor(true);
        while (cursor.next()) {
            add(types, schema.descriptionOrNull(cursor.bytes(), cursor.nameOffset(), cursor.nameLength()));
        }
        for (LargeAttribute large : record.largeAttributes()) {
            add(types, schema.descriptionOrNull(large.description()));
        }
        return types;
    }

    private static void add(Set<AttributeType> types, AttributeDescription description) {
        if (description != null) {
            types.add(description.type());
        }
    }

    /** Attributes about which the same rule decides are together. */
    private void addAttributes(Right right, Set<AttributeType> types) {
        Map<String, List<String>> granted = new LinkedHashMap<>();
        Map<String, List<String>> denied = new LinkedHashMap<>();
        for (AttributeType type : types) {
            boolean all = rights.may(right, type);
            boolean some = all || rights.mayAny(right, type);
            String reason = some && !all ? "some values, by rules that name them" : reason(rights.deciding(right, type));
            (some ? granted : denied).computeIfAbsent(reason, none -> new ArrayList<>()).add(type.name());
        }
        granted.forEach((reason, names) -> rows.add(new Row(right, true, names, reason)));
        denied.forEach((reason, names) -> rows.add(new Row(right, false, names, reason)));
    }

    private String reason(AccessRule rule) {
        return rule == null ? rights == EntryRights.ALL ? "the administrator may do everything" : NO_RULE : rule.toString();
    }
}
