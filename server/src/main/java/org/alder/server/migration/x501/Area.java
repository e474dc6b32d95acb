package org.alder.server.migration.x501;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.Shortened;
import org.alder.partition.schema.ObjectClass;
import org.alder.partition.schema.Schema;
import org.alder.server.migration.x501.Notation.Part;

/**
 * Entries at and below one, from so many levels below it to so many, of which a filter is true: a subtree specification (X.501 12.3.5,
 * RFC 3672). Immutable.
 *
 * @param filter in parentheses; empty for all
 * @param open   what of it has no counterpart, so that this area has more in it
 */
record Area(Dn base, int least, int most, String filter, List<String> open) {
    private static final int NO_LIMIT = Integer.MAX_VALUE;
    private static final int MOST_DEPTH_OF_FILTERS = 16;
    private static final int MOST_CHARACTERS_OF_FILTERS = 4096;

    Area {
        open = List.copyOf(open);
    }

    /** One entry. */
    static Area entry(Dn dn) {
        return new Area(dn, 0, 0, "", List.of());
    }

    /** An entry and all below. */
    static Area below(Dn dn) {
        return new Area(dn, 0, NO_LIMIT, "", List.of());
    }

    /** The subentries of an administrative point. */
    static Area subentries(Dn dn) {
        return new Area(dn, 1, 1, "(objectClass=subentry)", List.of());
    }

    /** @param point the administrative point, the parent of the subentry that has the specification */
    static Area of(Schema schema, Dn point, List<List<Part>> specification) throws X501Exception {
        Map<String, List<Part>> fields = Notation.fields(specification);
        List<String> open = new ArrayList<>();
        Dn base = point;
        int least = 0;
        int most = NO_LIMIT;
        String filter = "";
        for (Map.Entry<String, List<Part>> field : fields.entrySet()) {
            List<Part> parts = field.getValue();
            switch (field.getKey()) {
                case "base" -> base = base(schema, point, parts);
                case "minimum" -> least = Notation.numberOf("minimum", parts, NO_LIMIT);
                case "maximum" -> most = Notation.numberOf("maximum", parts, NO_LIMIT);
                case "specificexclusions" -> {
                    if (!Notation.blockOf("specificExclusions", parts).isEmpty()) {
                        open.add("specificExclusions have no counterpart");
                    }
                }
                case "specificationfilter" -> {
                    try {
                        filter = refinement(schema, parts, 0);
                    } catch (X501Exception e) {
                        open.add("specificationFilter: " + e.getMessage());
                    }
                }
                default -> throw new X501Exception("subtreeSpecification: " + Shortened.of(field.getKey()) + " is no component of one");
            }
        }
        if (filter.length() > MOST_CHARACTERS_OF_FILTERS) {
            open.add("specificationFilter of " + filter.length() + " characters");
            filter = "";
        }
        return new Area(base, least, most, filter, open).sayable();
    }

    private static Dn base(Schema schema, Dn point, List<Part> parts) throws X501Exception {
        if (parts.size() != 1 || parts.get(0).text() == null) {
            throw new X501Exception("expected base and a name in quotation marks");
        }
        String local = parts.get(0).text();
        return local.isBlank() ? point : dn(schema, point.isRoot() ? local : local + "," + point.text());
    }

    static Dn dn(Schema schema, String text) throws X501Exception {
        try {
            return Dn.parse(schema, text);
        } catch (DirectoryException e) {
            throw new X501Exception("\"" + Shortened.of(text) + "\" is no name here: " + e.getMessage());
        }
    }

    /** Levels that a rule can name; where it cannot, all below. */
    private Area sayable() {
        boolean isSayable = least == 0 && (most == 0 || most == NO_LIMIT) || least == 1 && (most == 1 || most == NO_LIMIT);
        if (isSayable || least > most) {
            return this;
        }
        List<String> more = new ArrayList<>(open);
        more.add("minimum " + least + (most == NO_LIMIT ? "" : ", maximum " + most) + " has no counterpart");
        return new Area(base, 0, NO_LIMIT, filter, more);
    }

    /** A refinement: {@code item:person}, {@code and:{...}}, {@code or:{...}}, {@code not:item:person}. */
    private static String refinement(Schema schema, List<Part> parts, int depth) throws X501Exception {
        String kind = parts.isEmpty() || parts.get(0).word() == null ? "" : parts.get(0).word().toLowerCase(Locale.ROOT);
        List<Part> rest = parts.isEmpty() ? parts : parts.subList(1, parts.size());
        if (depth > MOST_DEPTH_OF_FILTERS) {
            throw new X501Exception("more than " + MOST_DEPTH_OF_FILTERS + " refinements inside of each other");
        } else if (kind.equals("item") && rest.size() == 1 && rest.get(0).word() != null) {
            ObjectClass named = schema.objectClass(rest.get(0).word());
            if (named == null) {
                throw new X501Exception(Shortened.of(rest.get(0).word()) + " is no object class here");
            }
            return "(objectClass=" + rest.get(0).word() + ")";
        } else if (kind.equals("not")) {
            return "(!" + refinement(schema, rest, depth + 1) + ")";
        } else if (kind.equals("and") || kind.equals("or")) {
            StringBuilder text = new StringBuilder(kind.equals("and") ? "(&" : "(|");
            for (List<Part> each : Notation.blockOf(kind, rest)) {
                text.append(refinement(schema, each, depth + 1));
            }
            return text.append(')').toString();
        }
        throw new X501Exception("expected item, and, or, or not");
    }

    boolean isEmpty() {
        return least > most;
    }

    /** What is in both; null if that is nothing, as far as names say. */
    Area and(Area other) {
        if (base.size() > other.base.size()) {
            return other.and(this);
        } else if (!other.base.isDescendantOrSelf(base)) {
            return null;
        }
        int below = other.base.size() - base.size();
        int from = Math.max(other.least, least - below);
        int to = Math.min(other.most, most == NO_LIMIT ? NO_LIMIT : most - below);
        boolean isOne = filter.equals(other.filter) || other.filter.isEmpty();
        String both = isOne ? filter : filter.isEmpty() ? other.filter : "(&" + filter + other.filter + ")";
        return from > to ? null : new Area(other.base, from, to, both, List.of());
    }

    /** Whether all of another one is in it. */
    boolean covers(Area other) {
        int below = other.base.size() - base.size();
        return below >= 0 && other.base.isDescendantOrSelf(base) && (filter.isEmpty() || filter.equals(other.filter)) && least - below <= other.least
                && (most == NO_LIMIT || other.most != NO_LIMIT && other.most + below <= most);
    }

    /** In the words of access rules. */
    String words() {
        String scope = most == 0 ? "base " : least == 0 ? "" : most == 1 ? "one " : "children ";
        return " in " + scope + '"' + base.text() + '"' + (filter.isEmpty() ? "" : " where " + filter);
    }
}
