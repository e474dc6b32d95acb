package org.alder.server.protocol;

import static org.junit.Assert.assertEquals;

import java.util.concurrent.CompletionException;
import org.alder.partition.error.StoreException;
import org.apache.directory.api.ldap.model.message.ResultCodeEnum;
import org.junit.Test;

public class FaultsTest {
    private static void assertResult(ResultCodeEnum expected, StoreException.Kind kind) {
        StoreException fault = new StoreException(kind, "the reason");
        LdapResult result = Faults.toResult(new CompletionException(fault));
        assertEquals(expected.getResultCode(), result.code());
        assertEquals("the reason", result.message());
    }

    @Test
    public void whatTheClientCanWaitForIsToldInFull() {
        assertResult(ResultCodeEnum.UNWILLING_TO_PERFORM, StoreException.Kind.DISK_FULL);
        assertResult(ResultCodeEnum.UNAVAILABLE, StoreException.Kind.READ_ONLY);
        assertResult(ResultCodeEnum.UNAVAILABLE, StoreException.Kind.CLOSED);
        assertResult(ResultCodeEnum.ADMIN_LIMIT_EXCEEDED, StoreException.Kind.SNAPSHOT_EXPIRED);
    }
}
