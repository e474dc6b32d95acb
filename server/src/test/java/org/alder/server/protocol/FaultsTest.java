package org.alder.server.protocol;

import static org.junit.Assert.assertEquals;

import java.util.List;
import java.util.concurrent.CompletionException;
import org.alder.partition.error.NotLeaderException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.StoreException;
import org.junit.Test;

public class FaultsTest {
    private static void assertResult(ResultCode expected, StoreException.Kind kind) {
        StoreException fault = new StoreException(kind, "the reason");
        LdapResult result = Faults.toResult(new CompletionException(fault));
        assertEquals(expected, result.code());
        assertEquals("the reason", result.message());
    }

    /** RFC 4511 4.1.10. */
    @Test
    public void aReplicaRefersUpdatesToTheLeader() {
        LdapResult result = Faults.toResult(new CompletionException(new NotLeaderException("only the leader does", "ldap://leader:389")));
        assertEquals(ResultCode.REFERRAL, result.code());
        assertEquals(List.of("ldap://leader:389"), result.referrals());
        assertEquals("only the leader does", result.message());
        assertEquals("", result.matchedDn());
    }

    @Test
    public void withoutALeaderOrWhereClientsAreNotReferredTheyAreToldToWait() {
        LdapResult result = Faults.toResult(new NotLeaderException("none is known now", null));
        assertEquals(ResultCode.UNAVAILABLE, result.code());
        assertEquals("none is known now", result.message());
        assertEquals("a referral has a URL, at least one", List.of(), result.referrals());
    }

    @Test
    public void whatTheClientCanWaitForIsToldInFull() {
        assertResult(ResultCode.UNWILLING_TO_PERFORM, StoreException.Kind.DISK_FULL);
        assertResult(ResultCode.UNAVAILABLE, StoreException.Kind.READ_ONLY);
        assertResult(ResultCode.UNAVAILABLE, StoreException.Kind.CLOSED);
        assertResult(ResultCode.UNAVAILABLE, StoreException.Kind.NOT_LEADER);
        assertResult(ResultCode.UNAVAILABLE, StoreException.Kind.OUTCOME_UNKNOWN);
        assertResult(ResultCode.ADMIN_LIMIT_EXCEEDED, StoreException.Kind.SNAPSHOT_EXPIRED);
    }
}
