package org.alder.server;

import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.alder.partition.testing.Await;

/** What a server and its copy have to have alike: all attributes, and the operational ones that say who changed what when. */
public final class FollowedContent {
    private static final String[] COMPARED = {"*", "entryUUID", "entryCSN", "creatorsName", "createTimestamp", "modifiersName",
            "modifyTimestamp", "structuralObjectClass"};

    private FollowedContent() {
    }

    /** By the names of the entries. */
    public static Map<String, String> of(LDAPConnection connection, String base) throws LDAPException {
        return of(connection, base, COMPARED);
    }

    private static Map<String, String> of(LDAPConnection connection, String base, String... compared) throws LDAPException {
        Map<String, String> content = new TreeMap<>();
        for (SearchResultEntry entry : connection.search(base, SearchScope.SUB, "(objectClass=*)", compared).getSearchEntries()) {
            Map<String, String> attributes = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            for (Attribute attribute : entry.getAttributes()) {
                attributes.put(attribute.getName(), new TreeSet<>(List.of(attribute.getValues())).toString());
            }
            content.put(entry.getParsedDN().toNormalizedString(), attributes.toString());
        }
        return content;
    }

    /** The same; what went wrong if it cannot be had. */
    private static Map<String, String> tried(LDAPConnection connection, String base, String... compared) {
        try {
            return of(connection, base, compared);
        } catch (LDAPException e) {
            return Map.of("error", e.getMessage());
        }
    }

    /** Waits until both have the same. */
    public static void awaitSame(LDAPConnection provider, LDAPConnection copy, String base) throws Exception {
        awaitSame(provider, copy, base, COMPARED);
    }

    /** @param compared the attributes that are */
    public static void awaitSame(LDAPConnection provider, LDAPConnection copy, String base, String... compared) throws Exception {
        Map<String, String> expected = of(provider, base, compared);
        Await.value("the copy to be " + expected, () -> tried(copy, base, compared), expected::equals);
    }
}
