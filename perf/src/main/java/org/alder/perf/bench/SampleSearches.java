package org.alder.perf.bench;

import java.io.IOException;
import java.util.SplittableRandom;
import org.alder.ldif.LdifGenerator;
import org.alder.perf.client.LdapConnection;
import org.alder.perf.client.Load;
import org.alder.perf.client.SearchFilter;

/** Searches among the sample users; the number of entries of each answer, and the name where it is one, is held against the data set. Thread safe. */
public record SampleSearches(SampleUsers users) {
    private static final String NO_ATTRIBUTES = "1.1";

    /** One user by the uid. */
    public LdapConnection.Result byUid(LdapConnection client, SplittableRandom random) throws IOException {
        long user = 1 + random.nextLong(users.entries());
        return checked(client.search(LdifGenerator.SUFFIX, SearchFilter.equal("uid", "user." + user), 0), user);
    }

    /** All users with one pair of initials, and all their attributes. */
    public LdapConnection.Result byInitials(LdapConnection client, SplittableRandom random) throws IOException {
        return byInitials(client, SampleUsers.initials(random));
    }

    /** As {@link #byInitials}, but no attributes. */
    public LdapConnection.Result namesByInitials(LdapConnection client, SplittableRandom random) throws IOException {
        return byInitials(client, SampleUsers.initials(random), NO_ATTRIBUTES);
    }

    /** Always the same search. */
    public Load.Request byInitials(String initials) {
        return (client, random) -> byInitials(client, initials);
    }

    public LdapConnection.Result byInitials(LdapConnection client, String initials, String... attributes) throws IOException {
        SearchFilter filter = SearchFilter.equal("initials", initials);
        return countChecked(client.search(LdifGenerator.SUFFIX, filter, 0, attributes), users.withInitials(initials));
    }

    /** The AND of two large sets, no attributes. */
    public Load.Request andOfTwo() {
        SearchFilter filter = SearchFilter.and(SearchFilter.equal("employeeType", "alpha"),
                SearchFilter.equal("departmentNumber", "3"));
        long expected = users.alphaInThree();
        return (client, random) -> countChecked(client.search(LdifGenerator.SUFFIX, filter, 0, NO_ATTRIBUTES), expected);
    }

    /** The AND of two large sets and a small one, no attributes. */
    public LdapConnection.Result andOfThree(LdapConnection client, SplittableRandom random) throws IOException {
        String initials = SampleUsers.initials(random);
        SearchFilter filter = SearchFilter.and(SearchFilter.equal("employeeType", "alpha"),
                SearchFilter.equal("departmentNumber", "3"), SearchFilter.equal("initials", initials));
        return countChecked(client.search(LdifGenerator.SUFFIX, filter, 0, NO_ATTRIBUTES), users.alphaInThree(initials));
    }

    /** By 20 random letters, of which no two users have the same, in an attribute without an index. */
    public LdapConnection.Result unindexed(LdapConnection client, SplittableRandom random) throws IOException {
        long user = 1 + random.nextLong(users.entries());
        String description = users.value(user, "description");
        return checked(client.search(LdifGenerator.SUFFIX, SearchFilter.equal("description", description), 0), user);
    }

    /** This user, and nobody else. */
    private static LdapConnection.Result checked(LdapConnection.Result result, long user) throws IOException {
        String expected = LdifGenerator.userDn(user);
        if (!expected.equals(countChecked(result, 1).firstDn())) {
            throw new IOException("a search returned " + result.firstDn() + ", but the data set has " + expected);
        }
        return result;
    }

    private static LdapConnection.Result countChecked(LdapConnection.Result result, long expected) throws IOException {
        result.expect(0);
        if (result.entries() != expected) {
            throw new IOException("a search returned " + result.entries() + " entries, but the data set has " + expected);
        }
        return result;
    }
}
