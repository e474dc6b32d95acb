package org.alder.partition.schema.definition;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/**
 * One schema definition (RFC 4512 4.1) as it was read: its fields by upper-case keyword, none resolved yet. A keyword without
 * values, such as SINGLE-VALUE, has an empty list.
 *
 * @param origin where it was read, for messages
 * @param oid of a structure rule, its number
 */
public record Definition(DefinitionKind kind, DefinitionOrigin origin, String oid, Map<String, List<String>> fields) {
    public boolean has(String keyword) {
        return fields.containsKey(keyword);
    }

    public List<String> list(String keyword) {
        return fields.getOrDefault(keyword, List.of());
    }

    /** @return null if the keyword is not there */
    public String single(String keyword) {
        List<String> values = list(keyword);
        return values.isEmpty() ? null : values.get(0);
    }

    public List<String> names() {
        return list("NAME");
    }

    /** The first name, or the OID if there is none. */
    public String primaryName() {
        return names().isEmpty() ? oid : names().get(0);
    }

    /** As RFC 4512 writes it, on one line, whatever way the file wrote it: what clients read. */
    public String text() {
        StringBuilder out = new StringBuilder("( ").append(oid);
        for (String keyword : kind.keywords()) {
            if (has(keyword)) {
                append(out, keyword);
            }
        }
        fields.keySet().stream().filter(keyword -> keyword.startsWith("X-")).forEach(keyword -> append(out, keyword));
        return out.append(" )").toString();
    }

    private void append(StringBuilder out, String keyword) {
        out.append(' ').append(keyword);
        if (!DefinitionKind.isFlag(keyword)) {
            boolean quoted = keyword.equals("NAME") || keyword.equals("DESC") || keyword.startsWith("X-");
            List<String> values = list(keyword).stream().map(value -> quoted ? quote(value) : value).toList();
            String joined = String.join(quoted || kind.isNumber(keyword) ? " " : " $ ", values);
            out.append(' ').append(values.size() == 1 ? joined : "( " + joined + " )");
        }
    }

    private static String quote(String value) {
        return '\'' + value.replace("\\", "\\5C").replace("'", "\\27") + '\'';
    }

    /** Whether the other one means the same: descriptions and extensions do not count, nor does the order of lists. */
    public boolean means(Definition other) {
        return kind == other.kind && oid.equals(other.oid) && names().size() == other.names().size()
                && kind.keywords().stream().allMatch(keyword -> keyword.equals("DESC") || meansIn(keyword, other));
    }

    /** Whether both say the same with this keyword. */
    public boolean meansIn(String keyword, Definition other) {
        return has(keyword) == other.has(keyword) && folded(keyword).equals(other.folded(keyword));
    }

    private TreeSet<String> folded(String keyword) {
        TreeSet<String> values = new TreeSet<>();
        list(keyword).forEach(value -> values.add(value.toLowerCase(Locale.ROOT)));
        return values;
    }
}
