package org.alder.partition.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.schema.ObjectClass;
import org.alder.partition.schema.Schema;
import org.alder.partition.text.Utf8;
import org.apache.directory.api.ldap.model.message.ResultCodeEnum;

/**
 * Which entries below an administrative point are meant (RFC 3672 2.1), such as
 * <code>{ base "ou=people", maximum 1, specificationFilter item:person }</code>. Immutable, thread safe.
 */
public final class SubtreeSpecification {
    private static final Pattern TOKEN = Pattern.compile("\\s*(\"(?:[^\"]|\"\")*\"|[{},:]|[^\\s{},:\"]+)");
    private static final int MOST_NESTING = 100;

    private final Schema schema;
    private final String text;
    private final List<String> tokens = new ArrayList<>();
    private int next;
    private Dn base;
    private final List<Dn> chopBefore = new ArrayList<>();
    private final List<Dn> chopAfter = new ArrayList<>();
    private int minimum;
    private int maximum = Integer.MAX_VALUE;
    private Predicate<List<ObjectClass>> refinement = classes -> true;

    private SubtreeSpecification(Schema schema, Dn point, String text) throws DirectoryException {
        this.schema = schema;
        this.text = text;
        this.base = point;
        Matcher matcher = TOKEN.matcher(text.trim());
        int end = 0;
        while (matcher.find() && matcher.start() == end) {
            tokens.add(matcher.group(1));
            end = matcher.end();
        }
        if (end != text.trim().length()) {
            throw malformed("a word, a string, a brace, a comma or a colon");
        }
        read(point);
    }

    /** @throws DirectoryException invalidAttributeSyntax if the text is no subtree specification; says what was expected */
    public static void requireValid(Schema schema, byte[] value) throws DirectoryException {
        parse(schema, Dn.ROOT, value);
    }

    /**
     * @param point the administrative point: the entry above the subentry
     * @throws DirectoryException invalidAttributeSyntax
     */
    static SubtreeSpecification parse(Schema schema, Dn point, byte[] value) throws DirectoryException {
        String text = Utf8.decodeOrNull(value);
        if (text == null) {
            throw new DirectoryException(ResultCodeEnum.INVALID_ATTRIBUTE_SYNTAX,
                    "the subtree specification \"" + Utf8.shown(value) + "\" is not UTF-8");
        }
        return new SubtreeSpecification(schema, point, text);
    }

    private void read(Dn point) throws DirectoryException {
        expect("{");
        while (!peek().equals("}")) {
            switch (word()) {
                case "base" -> base = below(point, word());
                case "specificexclusions" -> readExclusions();
                case "minimum" -> minimum = number();
                case "maximum" -> maximum = number();
                case "specificationfilter" -> refinement = refinement(0);
                default -> throw malformed("base, specificExclusions, minimum, maximum or specificationFilter");
            }
            if (!peek().equals("}")) {
                expect(",");
            }
        }
        expect("}");
        if (next != tokens.size()) {
            throw malformed("the end");
        }
    }

    private void readExclusions() throws DirectoryException {
        expect("{");
        while (!peek().equals("}")) {
            String kind = word();
            expect(":");
            switch (kind) {
                case "chopbefore" -> chopBefore.add(below(base, word()));
                case "chopafter" -> chopAfter.add(below(base, word()));
                default -> throw malformed("chopBefore or chopAfter");
            }
            if (!peek().equals("}")) {
                expect(",");
            }
        }
        expect("}");
    }

    private Dn below(Dn above, String local) throws DirectoryException {
        String name = local.startsWith("\"") ? local.substring(1, local.length() - 1).replace("\"\"", "\"") : local;
        return name.isBlank() ? above : Dn.parse(schema, above.isRoot() ? name : name + "," + above.text());
    }

    private Predicate<List<ObjectClass>> refinement(int depth) throws DirectoryException {
        String kind = word();
        expect(":");
        if (depth > MOST_NESTING) {
            throw malformed("at most " + MOST_NESTING + " levels");
        } else if (kind.equals("not")) {
            return refinement(depth + 1).negate();
        } else if (kind.equals("item")) {
            ObjectClass asked = schema.objectClass(word());
            return classes -> asked != null && classes.stream().anyMatch(one -> one.isSubclassOf(asked));
        } else if (!kind.equals("and") && !kind.equals("or")) {
            throw malformed("item, and, or, not");
        }
        List<Predicate<List<ObjectClass>>> parts = new ArrayList<>();
        expect("{");
        while (!peek().equals("}")) {
            parts.add(refinement(depth + 1));
            if (!peek().equals("}")) {
                expect(",");
            }
        }
        expect("}");
        return kind.equals("and") ? classes -> parts.stream().allMatch(part -> part.test(classes))
                : classes -> parts.stream().anyMatch(part -> part.test(classes));
    }

    private int number() throws DirectoryException {
        String digits = word();
        if (!digits.matches("\\d{1,9}")) {
            throw malformed("a number");
        }
        return Integer.parseInt(digits);
    }

    private String peek() throws DirectoryException {
        if (next >= tokens.size()) {
            throw malformed("more");
        }
        return tokens.get(next);
    }

    private String word() throws DirectoryException {
        String token = peek();
        next++;
        return token.startsWith("\"") ? token : token.toLowerCase(Locale.ROOT);
    }

    private void expect(String token) throws DirectoryException {
        if (!peek().equals(token)) {
            throw malformed("\"" + token + '"');
        }
        next++;
    }

    private DirectoryException malformed(String expected) {
        return new DirectoryException(ResultCodeEnum.INVALID_ATTRIBUTE_SYNTAX, "the subtree specification \"" + text
                + "\": expected " + expected + " at word " + (next + 1));
    }

    /** The entry at the top of the subtree. */
    Dn base() {
        return base;
    }

    /** @param classes those the entry lists */
    boolean holds(Dn dn, List<ObjectClass> classes) {
        int depth = dn.size() - base.size();
        return depth >= minimum && depth <= maximum && dn.isDescendantOrSelf(base)
                && chopBefore.stream().noneMatch(dn::isDescendantOrSelf)
                && chopAfter.stream().noneMatch(chop -> dn.size() > chop.size() && dn.isDescendantOrSelf(chop))
                && refinement.test(classes);
    }
}
