package org.alder.partition.query.plan;

import java.util.Locale;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.filter.AttributeAccess;
import org.alder.partition.filter.CandidateEntry;
import org.alder.partition.filter.CompiledFilter;
import org.alder.partition.filter.Filter;
import org.alder.partition.filter.FilterParser;
import org.alder.partition.filter.Truth;
import org.alder.partition.request.SearchScope;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.partition.text.PercentCoding;
import org.alder.partition.text.Utf8;

/**
 * A value of memberURL, {@code ldap:///BASE??SCOPE?FILTER} (RFC 4516), that says who the members of a dynamic group are. Its list
 * of attributes is not looked at, nor are extensions that are not critical. Immutable, thread safe.
 *
 * @param filter as it is written, for the planner  @param compiled the same, for a test of one entry
 */
record MemberUrl(Dn base, SearchScope scope, Filter filter, CompiledFilter compiled) {
    private static final String SCHEME = "ldap:///";
    /** URLs are kept in memory, with what they mean. */
    static final int MOST_CHARS = 65_536;
    private static final int MOST_SHOWN = 200;
    private static final int SCOPE = 2;
    private static final int FILTER = 3;
    private static final int EXTENSIONS = 4;

    /**
     * @throws DirectoryException invalidAttributeSyntax for what is no such URL, or asks another server, or asks for passwords:
     *     what nobody may read must not show in who is a member
     */
    static MemberUrl parse(Schema schema, String url) throws DirectoryException {
        if (url.length() > MOST_CHARS) {
            throw invalid(url, "it has " + url.length() + " characters, allowed are " + MOST_CHARS);
        }
        if (!url.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
            throw invalid(url, "expected ldap:///BASE??SCOPE?FILTER");
        }
        String[] parts = url.substring(SCHEME.length()).split("\\?", -1);
        if (parts.length > EXTENSIONS + 1) {
            throw invalid(url, "expected no more than ldap:///BASE??SCOPE?FILTER?EXTENSIONS; in a filter, a question mark is %3F");
        } else if (parts.length > EXTENSIONS && ("," + parts[EXTENSIONS]).contains(",!")) {
            throw invalid(url, "it has a critical extension, of which none is known");
        }
        for (int i = 0; i < parts.length; i++) {
            parts[i] = decoded(url, parts[i]);
        }
        Filter filter = FilterParser.parse(parts.length > FILTER && !parts[FILTER].isEmpty() ? parts[FILTER] : "(objectClass=*)");
        if (asksForSecret(schema, filter)) {
            throw invalid(url, "its filter asks for passwords or other secrets");
        }
        return new MemberUrl(Dn.parse(schema, parts[0]), scope(url, parts.length > SCOPE ? parts[SCOPE] : ""), filter,
                CompiledFilter.compile(schema, filter));
    }

    private static SearchScope scope(String url, String text) throws DirectoryException {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "", "base" -> SearchScope.BASE;
            case "one" -> SearchScope.ONE_LEVEL;
            case "sub" -> SearchScope.SUBTREE;
            case "subordinate", "children" -> SearchScope.CHILDREN;
            default -> throw invalid(url, "expected the scope base, one or sub");
        };
    }

    private static boolean asksForSecret(Schema schema, Filter filter) {
        if (filter instanceof Filter.And and) {
            return and.parts().stream().anyMatch(part -> asksForSecret(schema, part));
        } else if (filter instanceof Filter.Or or) {
            return or.parts().stream().anyMatch(part -> asksForSecret(schema, part));
        } else if (filter instanceof Filter.Not not) {
            return asksForSecret(schema, not.part());
        }
        return filter instanceof Filter.Item item && (item.description() == null || isSecret(schema, item.description()));
    }

    private static boolean isSecret(Schema schema, String description) {
        AttributeDescription known = schema.descriptionOrNull(description);
        return known != null && known.type().withSubtypes().stream().anyMatch(AttributeType::isSecret);
    }

    private static String decoded(String url, String text) throws DirectoryException {
        byte[] utf8 = PercentCoding.decodedOrNull(text);
        if (utf8 == null) {
            throw invalid(url, "expected two hexadecimal digits behind each %");
        }
        String decoded = Utf8.decodeOrNull(utf8);
        if (decoded == null) {
            throw invalid(url, "expected UTF-8");
        }
        return decoded;
    }

    private static DirectoryException invalid(String url, String what) {
        return new DirectoryException(ResultCode.INVALID_ATTRIBUTE_SYNTAX, "the member URL \""
                + (url.length() > MOST_SHOWN ? url.substring(0, MOST_SHOWN) + "..." : url) + "\": " + what);
    }

    /** What it finds for somebody who may know no more than this of an entry. */
    MemberUrl as(Schema schema, AttributeAccess rights) {
        try {
            return rights == AttributeAccess.ALL ? this
                    : new MemberUrl(base, scope, filter, CompiledFilter.compile(schema, filter, rights));
        } catch (DirectoryException e) {
            throw new IllegalStateException("a filter that was compiled before cannot be now", e);
        }
    }

    /** Whether the entry is one the URL finds. */
    boolean finds(Dn dn, CandidateEntry entry) {
        int depth = dn.size() - base.size();
        boolean inScope = switch (scope) {
            case BASE -> depth == 0;
            case ONE_LEVEL -> depth == 1;
            case SUBTREE -> depth >= 0;
            case CHILDREN -> depth > 0;
        };
        return inScope && dn.isDescendantOrSelf(base)
                && compiled.evaluate(entry) == Truth.TRUE;
    }
}
