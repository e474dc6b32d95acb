package org.alder.server.cli;

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

/** What somebody may do with an entry and which rules say so, in words. Stateless. */
final class ExplainedRights {
    private static final String NO_RULE = "no rule grants it";

    private ExplainedRights() {
    }

    /** Prints the rights to the entry, and to each attribute that it has. */
    static void print(PrintWriter out, Schema schema, EntryRights rights, CandidateEntry entry) {
        out.println("entry       " + entry.dn());
        out.println("  " + (rights.mayFind() ? "is found" : "is not found: as if there were no such entry"));
        Set<AttributeType> types = types(schema, entry.record());
        for (Right right : Right.values()) {
            if (right.isOfAttributes()) {
                printAttributes(out, rights, right, types);
            } else {
                AccessRule rule = rights.deciding(right, null);
                line(out, right, rights.may(right), "", reason(rights, rule));
            }
        }
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

    /** Attributes about which the same rule decides are on one line. */
    private static void printAttributes(PrintWriter out, EntryRights rights, Right right, Set<AttributeType> types) {
        Map<String, List<String>> granted = new LinkedHashMap<>();
        Map<String, List<String>> denied = new LinkedHashMap<>();
        for (AttributeType type : types) {
            boolean all = rights.may(right, type);
            boolean some = all || rights.mayAny(right, type);
            String reason = some && !all ? "some values, by rules that name them" : reason(rights, rights.deciding(right, type));
            (some ? granted : denied).computeIfAbsent(reason, none -> new ArrayList<>()).add(type.name());
        }
        granted.forEach((reason, names) -> line(out, right, true, String.join(" ", names), reason));
        denied.forEach((reason, names) -> line(out, right, false, String.join(" ", names), reason));
    }

    private static String reason(EntryRights rights, AccessRule rule) {
        return rule == null ? rights == EntryRights.ALL ? "the administrator may do everything" : NO_RULE : rule.toString();
    }

    private static void line(PrintWriter out, Right right, boolean granted, String what, String reason) {
        out.println(String.format(Locale.ROOT, "  %-12s %-3s %s%s", right.word(), granted ? "yes" : "no",
                what.isEmpty() ? "" : what + ": ", reason));
    }
}
