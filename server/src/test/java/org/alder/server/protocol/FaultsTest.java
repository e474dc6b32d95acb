package org.alder.server.protocol;

import static org.junit.Assert.assertEquals;

import java.util.concurrent.CompletionException;
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
