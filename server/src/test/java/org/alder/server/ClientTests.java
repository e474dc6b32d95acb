package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import java.util.Set;
import java.util.TreeSet;
import org.junit.function.ThrowingRunnable;

/** What the tests through a client share. */
final class ClientTests {
    private ClientTests() {
    }

    /** The operation ends with this result, and says why. */
    static LDAPException fails(ResultCode code, ThrowingRunnable operation) {
        LDAPException failure = assertThrows(LDAPException.class, operation);
        assertEquals(failure.getMessage(), code, failure.getResultCode());
        assertFalse("a message for the person", failure.getDiagnosticMessage().isEmpty());
        return failure;
    }

    /** The DNs of what the filter finds, in a search of the whole suffix and of each entry alone. */
    static Set<String> find(LDAPConnection connection, String filter) throws LDAPException {
        Set<String> found = new TreeSet<>();
        for (SearchResultEntry entry : connection.search(TestServer.SUFFIX, SearchScope.SUB, filter, "1.1").getSearchEntries()) {
            found.add(entry.getDN());
        }
        Set<String> alone = new TreeSet<>();
        for (SearchResultEntry entry : connection.search(TestServer.SUFFIX, SearchScope.SUB, "(objectClass=*)", "1.1")
                .getSearchEntries()) {
            if (connection.search(entry.getDN(), SearchScope.BASE, filter, "1.1").getEntryCount() == 1) {
                alone.add(entry.getDN());
            }
        }
        assertEquals("the filter tested on each entry and answered by indexes", alone, found);
        return found;
    }
}
