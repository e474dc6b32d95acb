package org.alder.server.directory.naming;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.request.SearchScope;
import org.alder.partition.schema.Schema;
import org.alder.partition.text.PercentCoding;

/**
 * Makes the URLs that clients are sent out of the URIs that referral objects hold (RFC 3296 5.2 to 5.4): their DN becomes that of
 * the object the client asks for, as the other server calls it, and their scope that of the search. Labels, attribute lists and
 * filters are dropped, critical extensions are kept, and what is no LDAP URL (RFC 4516) stays as it is. Immutable, thread safe.
 */
public final class ReferralUrls {
    private static final List<String> SCHEMES = List.of("ldap", "ldaps", "ldapi");
    private static final int EXTENSIONS = 4;

    private final Schema schema;

    public ReferralUrls(Schema schema) {
        this.schema = schema;
    }

    /**
     * @param refs values of the attribute ref
     * @param referral the DN of the object that holds them
     * @param target what the client asks for, the referral object or an object below it
     * @param scope that of the search the client is to go on with; null for other operations
     */
    List<String> of(List<String> refs, Dn referral, Dn target, SearchScope scope) {
        return refs.stream().map(ref -> url(withoutLabel(ref), referral, target, scope)).toList();
    }

    /** Where another server has the same entry. @param provider its URL */
    public List<String> of(String provider, Dn target) {
        return of(List.of(provider), Dn.ROOT, target, null);
    }

    /** A value is a URI and perhaps a label after a space (RFC 3296 2.2). */
    private static String withoutLabel(String ref) {
        int space = ref.indexOf(' ');
        return space < 0 ? ref : ref.substring(0, space);
    }

    private String url(String uri, Dn referral, Dn target, SearchScope scope) {
        int authority = uri.indexOf("://") + 3;
        if (authority < 3 || !SCHEMES.contains(uri.substring(0, authority - 3).toLowerCase(Locale.ROOT))) {
            return uri;
        }
        int slash = uri.indexOf('/', authority);
        int question = uri.indexOf('?', authority);
        if (question >= 0 && (slash < 0 || question < slash)) {
            return uri;
        }
        String[] parts = slash < 0 ? new String[] {""} : uri.substring(slash + 1).split("\\?", -1);
        byte[] base = PercentCoding.decodedOrNull(parts[0]);
        if (base == null) {
            return uri;
        }
        try {
            Dn there = base.length == 0 ? referral : Dn.parse(schema, base);
            String start = slash < 0 ? uri : uri.substring(0, slash);
            String scopeText = scope == null ? "" : text(scope);
            String extensions = parts.length > EXTENSIONS ? critical(parts[EXTENSIONS]) : "";
            String end = scopeText.isEmpty() && extensions.isEmpty() ? "" : "??" + scopeText;
            return start + '/' + PercentCoding.encodedDn(target.rebase(referral, there).text()) + end
                    + (extensions.isEmpty() ? "" : "??" + extensions);
        } catch (DirectoryException e) {
            return uri;
        }
    }

    private static String critical(String extensions) {
        return Arrays.stream(extensions.split(",")).filter(one -> one.startsWith("!")).collect(Collectors.joining(","));
    }

    private static String text(SearchScope scope) {
        return switch (scope) {
            case BASE -> "base";
            case ONE_LEVEL -> "one";
            case SUBTREE -> "sub";
            case CHILDREN -> "subordinate";
        };
    }
}
