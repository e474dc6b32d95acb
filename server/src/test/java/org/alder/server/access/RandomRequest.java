package org.alder.server.access;

import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.asn1.ASN1Sequence;
import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.DereferencePolicy;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPSearchException;
import com.unboundid.ldap.sdk.ReadOnlyEntry;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResult;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchResultReference;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.AssertionRequestControl;
import com.unboundid.ldap.sdk.controls.ManageDsaITRequestControl;
import com.unboundid.ldap.sdk.controls.MatchedValuesFilter;
import com.unboundid.ldap.sdk.controls.MatchedValuesRequestControl;
import com.unboundid.ldap.sdk.controls.ServerSideSortRequestControl;
import com.unboundid.ldap.sdk.controls.SimplePagedResultsControl;
import com.unboundid.ldap.sdk.controls.SortKey;
import com.unboundid.ldap.sdk.controls.VirtualListViewRequestControl;
import com.unboundid.ldap.sdk.controls.VirtualListViewResponseControl;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.alder.server.TestServer;

/**
 * Something to search for, and a server's answer as a text that has all that a client is told. Immutable.
 *
 * @param manages whether referral objects are entries  @param assertion of the base, or null
 * @param size of pages, of windows, or the limit  @param key of sorting
 */
record RandomRequest(Kind kind, String base, SearchScope scope, DereferencePolicy aliases, boolean manages, Filter filter,
                     List<String> attributes, int size, String key, Filter assertion) {
    private static final String DEREF = "1.3.6.1.4.1.4203.666.5.16";

    enum Kind {
        PLAIN, SIZE_LIMIT, PAGED, SORTED, SORTED_PAGES, LIST_VIEW, MATCHED_VALUES, DEREFERENCE, TYPES_ONLY
    }

    static RandomRequest of(Random random, RandomTree tree) {
        List<String> dns = tree.dns();
        String base = switch (random.nextInt(9)) {
            case 0, 1, 2 -> TestServer.SUFFIX;
            case 3 -> "cn=missing," + pick(random, dns);
            case 4 -> pick(random, tree.nodes().stream().filter(node -> node.leads() || node.dn().equals(TestServer.SUFFIX)).toList()).dn();
            default -> pick(random, dns);
        };
        SearchScope scope = random.nextInt(2) == 0 ? SearchScope.SUB : SearchScope.values()[random.nextInt(4)];
        return new RandomRequest(Kind.values()[random.nextInt(Kind.values().length)], base, scope, pick(random, ALIASES),
                random.nextInt(3) == 0, filter(random, dns, 2), pick(random, SELECTIONS), 1 + random.nextInt(4),
                pick(random, List.of("sn", "telephoneNumber", "title", "uid", "l")),
                random.nextInt(5) == 0 ? filter(random, dns, 1) : null);
    }

    private static final List<DereferencePolicy> ALIASES = List.of(DereferencePolicy.NEVER, DereferencePolicy.NEVER,
            DereferencePolicy.ALWAYS, DereferencePolicy.FINDING, DereferencePolicy.SEARCHING);
    private static final List<List<String>> SELECTIONS = List.of(List.of("*"), List.of("*"), List.of("*", "+"), List.of("name"), List.of("1.1"),
            List.of("cn", "memberOf"), List.of("sn", "title", "telephoneNumber"), List.of("hasSubordinates", "numSubordinates", "l"),
            List.of("cn;lang-de", "member", "description"), List.of("@person"), List.of("userPassword", "entryUUID", "uid"),
            List.of("member", "memberOf", "ref"));

    private static <T> T pick(Random random, List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    static Filter filter(Random random, List<String> dns, int depth) {
        int kind = depth == 0 ? 9 : random.nextInt(10);
        if (kind < 2) {
            return Filter.createANDFilter(filter(random, dns, depth - 1), filter(random, dns, depth - 1));
        } else if (kind < 4) {
            return Filter.createORFilter(filter(random, dns, depth - 1), filter(random, dns, depth - 1));
        } else if (kind == 4) {
            return Filter.createNOTFilter(filter(random, dns, depth - 1));
        }
        String type = pick(random, List.of("cn", "sn", "title", "l", "employeeType", "description", "name", "cn;lang-de"));
        return switch (random.nextInt(15)) {
            case 0, 1, 2 -> Filter.createEqualityFilter(type, RandomTree.word(random));
            case 3 -> Filter.createPresenceFilter(type);
            case 4 -> Filter.createSubstringFilter(type, RandomTree.word(random).substring(0, 2), null, null);
            case 5 -> Filter.createEqualityFilter("objectClass", pick(random, List.of("inetOrgPerson", "groupOfNames")));
            case 6 -> Filter.createEqualityFilter(pick(random, List.of("member", "manager", "memberOf")), pick(random, dns));
            case 7 -> Filter.createEqualityFilter("telephoneNumber", Integer.toString(100 + random.nextInt(6)));
            case 8 -> Filter.createPresenceFilter("objectClass");
            case 9 -> Filter.createExtensibleMatchFilter(null, "caseIgnoreMatch", false, RandomTree.word(random));
            case 10 -> Filter.createEqualityFilter("uid", "p" + random.nextInt(dns.size()));
            case 11 -> Filter.createEqualityFilter("userPassword", RandomTree.PASSWORD);
            case 12 -> Filter.createEqualityFilter("hasSubordinates", random.nextBoolean() ? "TRUE" : "FALSE");
            case 13 -> Filter.createEqualityFilter("numSubordinates", Integer.toString(random.nextInt(3)));
            default -> Filter.createPresenceFilter(pick(random, List.of("uid", "member", "telephoneNumber", "userPassword")));
        };
    }

    /** The same request with a filter that names what the tree says is found. */
    RandomRequest named(SeenTree seen) {
        return new RandomRequest(kind, base, scope, aliases, manages, seen.named(filter), attributes, size, key, null);
    }

    /** What a server answers where the base is not to be found. */
    String noBase(String matched) {
        return refused(ResultCode.NO_SUCH_OBJECT, matched);
    }

    String refused(ResultCode code, String matched) {
        return (kind == Kind.PAGED || kind == Kind.SORTED_PAGES ? "page: " : "") + code + " matched "
                + (matched.isEmpty() ? null : matched) + '\n';
    }

    /** The values that a person may be shown of an entry: those that a server works out are in its answer though they are cut. */
    @FunctionalInterface
    interface Shown {
        boolean shows(String dn, String attribute, String value);
    }

    /** What the server answers. */
    String ask(LDAPConnection connection, Shown shown) throws LDAPException {
        StringBuilder text = new StringBuilder();
        // In which page they come is not said.
        Set<String> references = new TreeSet<>();
        switch (kind) {
            case PLAIN, SIZE_LIMIT, TYPES_ONLY -> append(text, references, result(connection), shown);
            case SORTED -> append(text, references, result(connection, sort()), shown);
            case PAGED -> pages(text, references, connection, shown);
            case SORTED_PAGES -> pages(text, references, connection, shown, sort());
            case LIST_VIEW -> append(text, references, result(connection, sort(), attributes.size() % 2 == 0
                    ? new VirtualListViewRequestControl("gr", 1, size, null, true)
                    : new VirtualListViewRequestControl(size, 1, size, 0, null, true)), shown);
            case MATCHED_VALUES -> append(text, references, result(connection, new MatchedValuesRequestControl(true,
                    MatchedValuesFilter.createPresentFilter("cn"),
                    MatchedValuesFilter.createSubstringFilter("name", "gre", null, null))), shown);
            case DEREFERENCE -> append(text, references, result(connection, new Control(DEREF, true, new ASN1OctetString(new ASN1Sequence(
                    new ASN1Sequence(new ASN1OctetString("member"), new ASN1Sequence(new ASN1OctetString("sn"),
                    new ASN1OctetString("title"), new ASN1OctetString("userPassword")))).encode()))), shown);
            default -> throw new IllegalStateException(kind.toString());
        }
        references.forEach(text::append);
        return text.toString();
    }

    private Control sort() {
        return new ServerSideSortRequestControl(true, new SortKey(key, null, size % 2 == 0));
    }

    private SearchResult result(LDAPConnection connection, Control... controls) throws LDAPException {
        SearchRequest request = new SearchRequest(base, scope, filter, attributes.toArray(String[]::new));
        request.setDerefPolicy(aliases);
        request.setControls(controls);
        if (manages) {
            request.addControl(new ManageDsaITRequestControl(true));
        }
        if (assertion != null) {
            request.addControl(new AssertionRequestControl(assertion));
        }
        request.setSizeLimit(kind == Kind.SIZE_LIMIT ? size : 0);
        request.setTypesOnly(kind == Kind.TYPES_ONLY);
        try {
            return connection.search(request);
        } catch (LDAPSearchException e) {
            return e.getSearchResult();
        }
    }

    private void pages(StringBuilder text, Set<String> references, LDAPConnection connection, Shown shown, Control... more) throws LDAPException {
        ASN1OctetString cookie = null;
        do {
            Control[] controls = Arrays.copyOf(more, more.length + 1);
            controls[more.length] = new SimplePagedResultsControl(size, cookie, true);
            SearchResult result = result(connection, controls);
            append(text.append("page: "), references, result, shown);
            SimplePagedResultsControl page = SimplePagedResultsControl.get(result);
            cookie = page == null || !page.moreResultsToReturn() ? null : page.getCookie();
        } while (cookie != null);
    }

    private static void append(StringBuilder text, Set<String> references, SearchResult result, Shown shown) throws LDAPException {
        text.append(result.getResultCode()).append(" matched ").append(result.getMatchedDN());
        text.append(result.getReferralURLs().length == 0 ? "" : " " + new TreeSet<>(List.of(result.getReferralURLs())));
        VirtualListViewResponseControl view = VirtualListViewResponseControl.get(result);
        text.append(view == null ? "" : " view " + view.getTargetPosition() + "/" + view.getContentCount()).append('\n');
        for (SearchResultEntry entry : result.getSearchEntries() == null ? List.<SearchResultEntry>of() : result.getSearchEntries()) {
            text.append(text(entry, shown)).append('\n');
        }
        for (SearchResultReference reference : result.getSearchReferences() == null ? List.<SearchResultReference>of()
                : result.getSearchReferences()) {
            references.add("reference " + new TreeSet<>(List.of(reference.getReferralURLs())) + '\n');
        }
    }

    /** What is the same of the same entry in two servers. */
    static String text(ReadOnlyEntry entry, Shown shown) {
        TreeMap<String, String> attributes = new TreeMap<>();
        for (Attribute attribute : entry.getAttributes()) {
            String name = attribute.getName();
            List<String> values = new ArrayList<>(List.of(attribute.getValues()));
            boolean typeOnly = values.isEmpty() && shown.shows(entry.getDN(), name, null);
            values.removeIf(value -> !shown.shows(entry.getDN(), name, value));
            values.sort(null);
            if (!name.equals("entryUSN") && !name.equals("contextCSN") && (typeOnly || !values.isEmpty())) {
                attributes.put(name, values.toString());
            }
        }
        Control dereferenced = entry instanceof SearchResultEntry found ? found.getControl(DEREF) : null;
        return entry.getDN() + " " + attributes + (dereferenced == null ? "" : " " + dereferenced.getValue());
    }
}
