package org.alder.server.cli.output;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.alder.ldif.LdifAttribute;
import org.alder.ldif.LdifEntry;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;

/**
 * The attributes that tables have as columns. An attribute goes into the column of its name, else into that of a name of the same type,
 * or of a type that it is a subtype of, as the search for that name finds it too (RFC 4511 4.5.1.8). One thread.
 */
final class Columns {
    private static final int MOST_NAMED_AS_LEFT_OUT = 100;

    private final Schema schema;
    private final List<String> names;
    private final Set<String> leftOut = new LinkedHashSet<>();

    /** @param schema to find other names by, which may not be that of the server */
    Columns(Schema schema, List<String> names) {
        this.schema = schema;
        this.names = List.copyOf(names);
    }

    List<String> names() {
        return names;
    }

    /** The values of each column. */
    List<List<byte[]>> values(LdifEntry entry) {
        List<List<byte[]>> values = new ArrayList<>(names.size());
        names.forEach(name -> values.add(new ArrayList<>(1)));
        for (LdifAttribute attribute : entry.attributes()) {
            int column = column(attribute.description());
            if (column >= 0) {
                values.get(column).add(attribute.value());
            } else if (leftOut.size() < MOST_NAMED_AS_LEFT_OUT) {
                leftOut.add(attribute.description());
            }
        }
        return values;
    }

    /** Attributes that had no column, in words; null for none. */
    String leftOut() {
        return leftOut.isEmpty() ? null : TerminalText.shown("attributes without a column: " + String.join(", ", leftOut));
    }

    private int column(String description) {
        String plain = withoutOptions(description);
        AttributeType type = null;
        int found = -1;
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            if (name.equalsIgnoreCase(description)) {
                return i;
            }
            if (found < 0 && name.indexOf(';') < 0) {
                type = type == null ? schema.attributeType(plain) : type;
                found = name.equalsIgnoreCase(plain) || isOf(type, schema.attributeType(name)) ? i : -1;
            }
        }
        return found;
    }

    private static boolean isOf(AttributeType type, AttributeType column) {
        return type != null && column != null && type.isSubtypeOf(column);
    }

    private static String withoutOptions(String description) {
        int options = description.indexOf(';');
        return options < 0 ? description : description.substring(0, options);
    }

    /** Whether it names one attribute, not all of a kind. */
    static boolean isName(String selector) {
        return !selector.isEmpty() && "*+@".indexOf(selector.charAt(0)) < 0 && !selector.toLowerCase(Locale.ROOT).equals("1.1");
    }
}
