package org.alder.perf.bench;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.alder.ldif.LdifAttribute;
import org.alder.ldif.LdifEntry;
import org.alder.ldif.LdifGenerator;
import org.alder.perf.client.LdapClient;
import org.alder.perf.client.Message;
import org.alder.perf.client.Request;
import org.alder.perf.client.SearchFilter;

/**
 * Holds every value of what a server returns against the data set, which the measured requests have no time for: they count entries and look at
 * names. Immutable.
 */
public record SampleValues(LdifGenerator generator) {
    private static final int USERS = 50;
    private static final String UID = "uid=user.";
    /** Nobody but its own account is shown it. */
    private static final String HIDDEN = "userpassword";

    /**
     * Some users by their uid, and all with one pair of initials.
     *
     * @param first    of those users
     * @param initials null to leave that out
     * @throws IOException naming the entry and the attribute where a server returns anything else than what is in the data set
     */
    public void check(int port, long first, long last, SampleUsers users, String initials) throws IOException {
        SplittableRandom random = new SplittableRandom(first);
        try (LdapClient client = new LdapClient("127.0.0.1", port)) {
            for (int i = 0; i < USERS; i++) {
                long user = first + random.nextLong(last - first + 1);
                requireUsers(search(client, "uid", "user." + user), Set.of(user));
            }
            if (initials != null) {
                List<Message> found = search(client, "initials", initials);
                if (requireUsers(found, null).size() != users.withInitials(initials)) {
                    throw new IOException("a search for the initials " + initials + " found " + found.size() + " entries, but the data set has "
                            + users.withInitials(initials));
                }
            }
        }
    }

    private static List<Message> search(LdapClient client, String attribute, String value) throws IOException {
        return client.send(new Request.Search(LdifGenerator.SUFFIX, Request.Scope.SUBTREE, SearchFilter.equal(attribute, value), List.of())).expect(0).entries();
    }

    /** @param expected null for any @return the users found, each once */
    private Set<Long> requireUsers(List<Message> found, Set<Long> expected) throws IOException {
        Set<Long> users = new HashSet<>();
        for (Message each : found) {
            long user = user(each.text());
            requireSame(each, generator.entry(user));
            if (!users.add(user)) {
                throw new IOException(each.text() + " came twice");
            }
        }
        if (expected != null && !expected.equals(users)) {
            throw new IOException("found the users " + users + ", expected " + expected);
        }
        return users;
    }

    private static long user(String dn) throws IOException {
        try {
            return Long.parseLong(dn.substring(UID.length(), dn.indexOf(',')));
        } catch (RuntimeException e) {
            throw new IOException("a search for users returned " + dn, e);
        }
    }

    private static void requireSame(Message found, LdifEntry expected) throws IOException {
        Map<String, SortedSet<String>> attributes = new TreeMap<>();
        for (LdifAttribute each : expected.attributes()) {
            attributes.computeIfAbsent(each.description().toLowerCase(Locale.ROOT), name -> new TreeSet<>()).add(each.text());
        }
        attributes.remove(HIDDEN);
        if (!found.text().equals(expected.dn()) || !found.attributes().equals(attributes)) {
            throw new IOException("a server returned " + found.text() + " with " + found.attributes() + ", but the data set has " + expected.dn() + " with "
                    + attributes);
        }
    }
}
