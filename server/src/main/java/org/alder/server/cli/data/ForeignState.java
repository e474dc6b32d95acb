package org.alder.server.cli.data;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.alder.ldif.LdifAttribute;
import org.alder.ldif.LdifEntry;
import org.alder.partition.text.Counted;
import org.alder.partition.text.Utf8;
import org.alder.server.follow.ForeignAttributes;

/**
 * What other servers keep in entries for their own use. A load leaves out what means nothing here, stores the rest as what says the
 * same here, and counts both. docs/migration.md has this as a table. One thread.
 */
final class ForeignState {
    private static final String NS_UNIQUE_ID = "nsuniqueid";
    private static final String TOMBSTONE = "nsuniqueid=";
    /** An entry in which 389 writes a time now and then, so that replication has something to do. */
    private static final String KEEP_ALIVE = "cn=repl keep alive ";
    private static final int NS_UNIQUE_ID_LENGTH = 35;

    /** Of OpenDJ, where 0 is no limit; here, as in 389, that is -1. */
    private static final Map<String, String> LIMITS = Map.of("ds-rlim-size-limit", "nsSizeLimit", "ds-rlim-time-limit", "nsTimeLimit",
            "ds-rlim-lookthrough-limit", "nsLookThroughLimit", "ds-rlim-idle-time-limit", "nsIdleTimeout");
    /** They are kept, so that rules can be made of them, and decide nothing. */
    private static final Set<String> RULES = Set.of("aci", "prescriptiveaci", "entryaci", "subentryaci");

    /** In 389 and OpenDJ a group need not have members; here the last one gives way to this DN. */
    private static final Map<String, String> GROUPS = Map.of("groupofnames", "member", "groupofuniquenames", "uniqueMember");

    private final byte[] placeholder;
    private final Map<String, Long> leftOut = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final Set<String> rules = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    private long entriesWithRules;
    private long tombstones;
    private long keptAlive;
    private long marked;
    private long emptyGroups;

    /** @param placeholder the DN that stands for the members of a group without any */
    ForeignState(String placeholder) {
        this.placeholder = placeholder.getBytes(StandardCharsets.UTF_8);
    }

    /** Whether {@link #known} has to see lines of this description. */
    static boolean isPart(String description) {
        String name = name(description);
        return name.equals(NS_UNIQUE_ID) || ForeignAttributes.isLeftOut(name) || LIMITS.containsKey(name) || RULES.contains(name);
    }

    private static String name(String description) {
        return withoutOptions(description).toLowerCase(Locale.ROOT);
    }

    private static String withoutOptions(String description) {
        int options = description.indexOf(';');
        return options < 0 ? description : description.substring(0, options);
    }

    /** Whether 389 has noted in the options which change this value is of, as db2ldif -r prints it. */
    static boolean isMarked(String description) {
        int options = description.indexOf(';');
        return options >= 0 && isMark(description.substring(options).toLowerCase(Locale.ROOT));
    }

    private static boolean isMark(String options) {
        return options.contains(";vucsn-") || options.contains(";vdcsn-") || options.contains(";adcsn-") || options.contains(";mdcsn-");
    }

    /** The entry without these notes, and without the values that are no more. */
    LdifEntry unmarked(LdifEntry entry) {
        marked++;
        List<LdifAttribute> lines = new ArrayList<>(entry.attributes().size());
        for (LdifAttribute line : entry.attributes()) {
            if (!isMarked(line.description())) {
                lines.add(line);
                continue;
            }
            List<String> parts = List.of(line.description().split(";"));
            if (!contains(parts, "deleted") && !contains(parts, "deletedattribute")) {
                lines.add(new LdifAttribute(parts.stream().filter(part -> !isMark(";" + part.toLowerCase(Locale.ROOT)))
                        .collect(Collectors.joining(";")), line.value(), line.line()));
            }
        }
        return new LdifEntry(entry.line(), entry.dn(), entry.controls(), lines);
    }

    private static boolean contains(List<String> parts, String option) {
        return parts.stream().skip(1).anyMatch(option::equalsIgnoreCase);
    }

    /** The entry as it is stored; null if it is one that was deleted, of which 389 keeps the remains, or that replication made for itself. */
    LdifEntry known(LdifEntry entry) {
        if (isTombstone(entry)) {
            tombstones++;
            return null;
        } else if (entry.dn().regionMatches(true, 0, KEEP_ALIVE, 0, KEEP_ALIVE.length())) {
            keptAlive++;
            return null;
        }
        List<LdifAttribute> lines = new ArrayList<>(entry.attributes().size() + 1);
        LdifAttribute uniqueId = null;
        boolean hasUuid = false;
        boolean hasRules = false;
        String members = null;
        boolean hasMembers = false;
        for (LdifAttribute line : entry.attributes()) {
            String name = name(line.description());
            uniqueId = name.equals(NS_UNIQUE_ID) ? line : uniqueId;
            hasUuid |= name.equals("entryuuid");
            hasMembers |= name.equals("member") || name.equals("uniquemember");
            members = isGroup(line) ? GROUPS.get(line.text().toLowerCase(Locale.ROOT)) : members;
            if (ForeignAttributes.isLeftOut(name)) {
                leftOut.merge(withoutOptions(line.description()), 1L, Long::sum);
                continue;
            }
            if (RULES.contains(name)) {
                hasRules = true;
                rules.add(withoutOptions(line.description()));
            }
            String limit = LIMITS.get(name);
            lines.add(limit == null ? line : limit(limit, line));
        }
        entriesWithRules += hasRules ? 1 : 0;
        byte[] uuid = hasUuid || uniqueId == null ? null : uuid(uniqueId.value());
        if (uuid != null) {
            lines.add(new LdifAttribute("entryUUID", uuid, uniqueId.line()));
        }
        if (members != null && !hasMembers) {
            emptyGroups++;
            lines.add(new LdifAttribute(members, placeholder, (int) entry.line()));
        }
        return new LdifEntry(entry.line(), entry.dn(), entry.controls(), lines);
    }

    /** Whether the line is an object class of groups that need members here. */
    static boolean isGroup(LdifAttribute line) {
        int length = line.value().length;
        return (length == "groupOfNames".length() || length == "groupOfUniqueNames".length())
                && line.description().equalsIgnoreCase("objectClass")
                && GROUPS.containsKey(String.valueOf(Utf8.decodeOrNull(line.value())).toLowerCase(Locale.ROOT));
    }

    /** Its first RDN is nsuniqueid alone; where an attribute stands beside it, it is an entry that was added twice. */
    private static boolean isTombstone(LdifEntry entry) {
        String dn = entry.dn();
        int end = dn.indexOf(',');
        int more = dn.indexOf('+');
        return dn.regionMatches(true, 0, TOMBSTONE, 0, TOMBSTONE.length()) && (more < 0 || end >= 0 && end < more)
                && entry.attributes().stream().anyMatch(line -> line.description().equalsIgnoreCase("objectClass")
                        && "nsTombstone".equalsIgnoreCase(Utf8.decodeOrNull(line.value())));
    }

    private static LdifAttribute limit(String name, LdifAttribute line) {
        boolean isNone = "0".equals(Utf8.decodeOrNull(line.value()));
        return new LdifAttribute(name, isNone ? "-1".getBytes(StandardCharsets.US_ASCII) : line.value(), line.line());
    }

    /** The same 128 bits; null where there are others. */
    private static byte[] uuid(byte[] uniqueId) {
        String text = Utf8.decodeOrNull(uniqueId);
        if (text == null || text.length() != NS_UNIQUE_ID_LENGTH || !text.matches("[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{8}){3}")) {
            return null;
        }
        String digits = text.replace("-", "").toLowerCase(Locale.ROOT);
        return (digits.substring(0, 8) + '-' + digits.substring(8, 12) + '-' + digits.substring(12, 16) + '-' + digits.substring(16, 20)
                + '-' + digits.substring(20)).getBytes(StandardCharsets.US_ASCII);
    }

    /** One line for each kind. */
    void print(PrintStream out) {
        if (!leftOut.isEmpty()) {
            out.println("left out, because the server that they come from keeps them for itself, or they are worked out here: "
                    + leftOut.entrySet().stream().map(each -> each.getKey() + " " + each.getValue()).collect(Collectors.joining(", ")));
        }
        if (emptyGroups > 0) {
            out.println("groups without members, which need one here: " + emptyGroups + " got the member \""
                    + Utf8.shown(placeholder) + "\" (referencePlaceholder)");
        }
        if (marked > 0) {
            out.println("the notes of replication were taken from " + Counted.of(marked, "entry"));
        }
        if (tombstones > 0) {
            out.println("left out, because they were deleted: " + Counted.of(tombstones, "entry") + " (nsTombstone)");
        }
        if (keptAlive > 0) {
            out.println("left out, because replication had made them: " + Counted.of(keptAlive, "entry") + " (cn=repl keep alive)");
        }
    }

    void warn() {
        if (entriesWithRules > 0) {
            System.err.println("alder: warning: " + Counted.of(entriesWithRules, "entry") + " with " + String.join(", ", rules)
                    + ", which decides nothing here: docs/access-rules-migration.md says which access rules do the same");
        }
    }
}
