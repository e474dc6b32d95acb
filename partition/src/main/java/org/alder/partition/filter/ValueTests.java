package org.alder.partition.filter;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.alder.partition.entry.Octets;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.schema.value.MatchingRule;

/** Makes the tests of values: what can be decided on the stored bytes is, and only the rest is normalised. */
final class ValueTests {
    /** More are looked up in a set. */
    private static final int FEW_FORMS = 8;

    private ValueTests() {
    }

    /** Whether the value's form is one of these. */
    static ValueTest equal(MatchingRule rule, List<byte[]> forms) {
        if (!rule.comparesForms()) {
            return (bytes, offset, length) -> matches(rule, bytes, offset, length, forms);
        }
        if (forms.size() > FEW_FORMS) {
            Set<Octets> asked = new HashSet<>();
            forms.forEach(form -> asked.add(new Octets(form)));
            return (bytes, offset, length) -> {
                byte[] form = form(rule, bytes, offset, length);
                return form != null && asked.contains(new Octets(form));
            };
        }
        if (forms.size() > 1) {
            return (bytes, offset, length) -> {
                byte[] form = form(rule, bytes, offset, length);
                return form != null && forms.stream().anyMatch(one -> Arrays.equals(one, form));
            };
        }
        byte[] asked = forms.get(0);
        ValueTest slow = (bytes, offset, length) -> Arrays.equals(asked, form(rule, bytes, offset, length));
        return rule.foldsPlainText() ? folding(asked, slow) : slow;
    }

    private static boolean matches(MatchingRule rule, byte[] bytes, int offset, int length, List<byte[]> forms) {
        byte[] value = Arrays.copyOfRange(bytes, offset, offset + length);
        try {
            for (byte[] form : forms) {
                if (rule.matches(value, form)) {
                    return true;
                }
            }
            return false;
        } catch (DirectoryException e) {
            return false;
        }
    }

    private static ValueTest folding(byte[] asked, ValueTest slow) {
        return (bytes, offset, length) -> isPlain(bytes, offset, length)
                ? length == asked.length && equalsFolded(bytes, offset, asked)
                : slow.matches(bytes, offset, length);
    }

    /** Printable ASCII without spaces at the ends and without runs of them: its compact form is itself, but for case. */
    private static boolean isPlain(byte[] bytes, int offset, int length) {
        byte last = ' ';
        for (int i = offset; i < offset + length; i++) {
            byte b = bytes[i];
            if (b < ' ' || b == 0x7F || b == ' ' && last == ' ') {
                return false;
            }
            last = b;
        }
        return last != ' ';
    }

    private static boolean equalsFolded(byte[] bytes, int offset, byte[] lowerCase) {
        for (int i = 0; i < lowerCase.length; i++) {
            byte b = bytes[offset + i];
            if ((b >= 'A' && b <= 'Z' ? b + ('a' - 'A') : b) != lowerCase[i]) {
                return false;
            }
        }
        return true;
    }

    /** Whether the value's form is not before this one, or not behind it. */
    static ValueTest ordered(MatchingRule rule, byte[] asked, boolean atLeast) {
        return (bytes, offset, length) -> {
            byte[] form = form(rule, bytes, offset, length);
            return form != null && (atLeast ? Arrays.compareUnsigned(form, asked) >= 0
                    : Arrays.compareUnsigned(form, asked) <= 0);
        };
    }

    /** Whether the value's form is before this one: what an ordering rule in an extensible match says (RFC 4517 4.2.5). */
    static ValueTest before(MatchingRule rule, byte[] asked) {
        return (bytes, offset, length) -> {
            byte[] form = form(rule, bytes, offset, length);
            return form != null && Arrays.compareUnsigned(form, asked) < 0;
        };
    }

    static ValueTest substring(MatchingRule rule, SubstringPieces pieces) {
        return (bytes, offset, length) -> {
            byte[] form = form(rule, bytes, offset, length);
            return form != null && pieces.match(form);
        };
    }

    /** @return null if the rule cannot read the value: then it matches nothing */
    static byte[] form(MatchingRule rule, byte[] bytes, int offset, int length) {
        try {
            return rule.normalize(Arrays.copyOfRange(bytes, offset, offset + length));
        } catch (DirectoryException e) {
            return null;
        }
    }
}
