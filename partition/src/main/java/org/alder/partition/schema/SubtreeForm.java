package org.alder.partition.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.schema.value.GserReader;
import org.alder.partition.schema.value.StringPreparation;
import org.alder.partition.text.Oids;

/**
 * What a subtree specification says (RFC 3672 2.1), such as
 * <code>{ base "ou=people", maximum 1, specificationFilter item:person }</code>. Immutable, thread safe.
 *
 * @param base a name below the administrative point; blank for the point itself
 * @param chopBefore names below the base, at which the subtree ends
 * @param chopAfter names below the base, below which it ends
 * @param maximum the most levels below the base
 * @param refinement of the classes that an entry lists
 */
public record SubtreeForm(String base, List<String> chopBefore, List<String> chopAfter, int minimum, int maximum,
        Predicate<List<ObjectClass>> refinement) {
    private static final int MOST_NESTING = 100;
    private static final int MOST_DIGITS = 9;
    private static final NameSink NO_SINK = new NameSink() {
        @Override
        public void ava(AttributeType type, String typeText, byte[] value) {
            // It is there, which is all that is asked.
        }

        @Override
        public void rdn(int start, int end, byte[] normalized) {
            // As above.
        }
    };

    /** Reads one value. */
    private static final class Reader {
        private final Schema schema;
        private final GserReader in;
        private String base = "";
        private final List<String> chopBefore = new ArrayList<>();
        private final List<String> chopAfter = new ArrayList<>();
        private int minimum;
        private int maximum = Integer.MAX_VALUE;
        private Predicate<List<ObjectClass>> refinement = classes -> true;

        Reader(Schema schema, String text) {
            this.schema = schema;
            this.in = new GserReader("subtree specification", text);
        }

        SubtreeForm read() throws DirectoryException {
            in.expect('{');
            while (!in.isNext('}')) {
                switch (in.word()) {
                    case "base" -> base = name();
                    case "specificexclusions" -> readExclusions();
                    case "minimum" -> minimum = number();
                    case "maximum" -> maximum = number();
                    case "specificationfilter" -> refinement = refinement(0);
                    default -> throw in.malformed("base, specificExclusions, minimum, maximum or specificationFilter");
                }
                separate();
            }
            in.expect('}');
            in.expectEnd();
            return new SubtreeForm(base, List.copyOf(chopBefore), List.copyOf(chopAfter), minimum, maximum, refinement);
        }

        private void separate() throws DirectoryException {
            if (!in.isNext('}')) {
                in.expect(',');
            }
        }

        private void readExclusions() throws DirectoryException {
            in.expect('{');
            while (!in.isNext('}')) {
                String kind = in.word();
                in.expect(':');
                switch (kind) {
                    case "chopbefore" -> chopBefore.add(name());
                    case "chopafter" -> chopAfter.add(name());
                    default -> throw in.malformed("chopBefore or chopAfter");
                }
                separate();
            }
            in.expect('}');
        }

        private String name() throws DirectoryException {
            String name = in.string();
            try {
                NameParser.parseDn(schema, name, NO_SINK);
            } catch (DirectoryException e) {
                throw new DirectoryException(ResultCode.INVALID_ATTRIBUTE_SYNTAX, e.getMessage());
            }
            return name;
        }

        private Predicate<List<ObjectClass>> refinement(int depth) throws DirectoryException {
            String kind = in.word();
            in.expect(':');
            if (depth > MOST_NESTING) {
                throw in.malformed("at most " + MOST_NESTING + " levels");
            } else if (kind.equals("not")) {
                return refinement(depth + 1).negate();
            } else if (kind.equals("item")) {
                ObjectClass asked = schema.objectClass(in.word());
                return classes -> asked != null && classes.stream().anyMatch(one -> one.isSubclassOf(asked));
            } else if (!kind.equals("and") && !kind.equals("or")) {
                throw in.malformed("item, and, or, not");
            }
            List<Predicate<List<ObjectClass>>> parts = new ArrayList<>();
            in.expect('{');
            while (!in.isNext('}')) {
                parts.add(refinement(depth + 1));
                separate();
            }
            in.expect('}');
            return kind.equals("and") ? classes -> parts.stream().allMatch(part -> part.test(classes))
                    : classes -> parts.stream().anyMatch(part -> part.test(classes));
        }

        private int number() throws DirectoryException {
            String digits = in.word();
            if (digits.length() > MOST_DIGITS || !digits.chars().allMatch(Oids::isDigit)) {
                throw in.malformed("a number of at most " + MOST_DIGITS + " digits before this");
            }
            return Integer.parseInt(digits);
        }
    }

    /** @throws DirectoryException invalidAttributeSyntax; says what was expected */
    public static SubtreeForm parse(Schema schema, byte[] value) throws DirectoryException {
        return new Reader(schema, StringPreparation.decode(value)).read();
    }

    static boolean isOne(Schema schema, byte[] value) {
        try {
            parse(schema, value);
            return true;
        } catch (DirectoryException e) {
            return false;
        }
    }
}
