package org.alder.partition.filter;

import java.util.HexFormat;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.text.Utf8;

/** The string form of filters (RFC 4515). */
public final class Filters {
    private static final HexFormat HEX = HexFormat.of();

    private Filters() {
    }

    /** @param limit what is allowed, and the key that says so if one does */
    static DirectoryException tooLarge(String found, Object limit) {
        return new DirectoryException(ResultCode.ADMIN_LIMIT_EXCEEDED, "the filter is too large: " + found + ", the limit is "
                + limit);
    }

    /** Of how many items, operators and pieces of substrings the filter consists. */
    public static long nodes(Filter filter) {
        if (filter instanceof Filter.And and) {
            return 1 + and.parts().stream().mapToLong(Filters::nodes).sum();
        } else if (filter instanceof Filter.Or or) {
            return 1 + or.parts().stream().mapToLong(Filters::nodes).sum();
        } else if (filter instanceof Filter.Not not) {
            return 1 + nodes(not.part());
        }
        return filter instanceof Filter.Substring substring ? 1 + substring.any().size() : 1;
    }

    /** The filter as RFC 4515 text; {@link FilterParser} reads the same filter from it. */
    public static String format(Filter filter) {
        StringBuilder text = new StringBuilder();
        append(text, filter);
        return text.toString();
    }

    /**
     * The same filter with other values, for those who must not see all.
     *
     * @param shown what is to stand instead of a value of an attribute description; that is null in an item about all attributes
     */
    public static Filter withValues(Filter filter, BiFunction<String, byte[], byte[]> shown) {
        if (filter instanceof Filter.And and) {
            return new Filter.And(and.parts().stream().map(part -> withValues(part, shown)).toList());
        } else if (filter instanceof Filter.Or or) {
            return new Filter.Or(or.parts().stream().map(part -> withValues(part, shown)).toList());
        } else if (filter instanceof Filter.Not not) {
            return new Filter.Not(withValues(not.part(), shown));
        }
        return withValues((Filter.Item) filter, value -> value == null ? null : shown.apply(((Filter.Item) filter).description(), value));
    }

    private static Filter withValues(Filter.Item item, UnaryOperator<byte[]> shown) {
        if (item instanceof Filter.Equality it) {
            return new Filter.Equality(it.description(), shown.apply(it.value()));
        } else if (item instanceof Filter.GreaterOrEqual it) {
            return new Filter.GreaterOrEqual(it.description(), shown.apply(it.value()));
        } else if (item instanceof Filter.LessOrEqual it) {
            return new Filter.LessOrEqual(it.description(), shown.apply(it.value()));
        } else if (item instanceof Filter.Approximate it) {
            return new Filter.Approximate(it.description(), shown.apply(it.value()));
        } else if (item instanceof Filter.Substring it) {
            return new Filter.Substring(it.description(), shown.apply(it.initial()), it.any().stream().map(shown).toList(), shown.apply(it.last()));
        } else if (item instanceof Filter.Extensible it) {
            return new Filter.Extensible(it.rule(), it.description(), shown.apply(it.value()), it.dnAttributes());
        }
        return item;
    }

    private static void append(StringBuilder text, Filter filter) {
        text.append('(');
        if (filter instanceof Filter.And and) {
            text.append('&');
            and.parts().forEach(part -> append(text, part));
        } else if (filter instanceof Filter.Or or) {
            text.append('|');
            or.parts().forEach(part -> append(text, part));
        } else if (filter instanceof Filter.Not not) {
            text.append('!');
            append(text, not.part());
        } else {
            appendItem(text, filter);
        }
        text.append(')');
    }

    private static void appendItem(StringBuilder text, Filter filter) {
        if (filter instanceof Filter.Equality item) {
            appendItem(text, item.description(), "=", item.value());
        } else if (filter instanceof Filter.GreaterOrEqual item) {
            appendItem(text, item.description(), ">=", item.value());
        } else if (filter instanceof Filter.LessOrEqual item) {
            appendItem(text, item.description(), "<=", item.value());
        } else if (filter instanceof Filter.Approximate item) {
            appendItem(text, item.description(), "~=", item.value());
        } else if (filter instanceof Filter.Present item) {
            text.append(item.description()).append("=*");
        } else if (filter instanceof Filter.Substring item) {
            appendSubstring(text, item);
        } else if (filter instanceof Filter.Extensible item) {
            appendExtensible(text, item);
        }
    }

    private static void appendItem(StringBuilder text, String description, String operator, byte[] value) {
        appendValue(text.append(description).append(operator), value);
    }

    private static void appendSubstring(StringBuilder text, Filter.Substring item) {
        text.append(item.description()).append('=');
        if (item.initial() != null) {
            appendValue(text, item.initial());
        }
        text.append('*');
        for (byte[] piece : item.any()) {
            appendValue(text, piece);
            text.append('*');
        }
        if (item.last() != null) {
            appendValue(text, item.last());
        }
    }

    private static void appendExtensible(StringBuilder text, Filter.Extensible item) {
        text.append(item.description() == null ? "" : item.description());
        text.append(item.dnAttributes() ? ":dn" : "");
        text.append(item.rule() == null ? "" : ":" + item.rule());
        appendValue(text.append(":="), item.value());
    }

    /** Text as it is where it is UTF-8; what RFC 4515 reserves, control characters and all else as {@code \xx}. */
    private static void appendValue(StringBuilder text, byte[] value) {
        String decoded = Utf8.decodeOrNull(value);
        if (decoded == null) {
            for (byte b : value) {
                appendEscaped(text, b);
            }
            return;
        }
        for (int i = 0; i < decoded.length(); i++) {
            char c = decoded.charAt(i);
            if (c < ' ' || c == 0x7F || c == '*' || c == '(' || c == ')' || c == '\\') {
                appendEscaped(text, (byte) c);
            } else {
                text.append(c);
            }
        }
    }

    private static void appendEscaped(StringBuilder text, byte b) {
        HEX.toHexDigits(text.append('\\'), b);
    }
}
