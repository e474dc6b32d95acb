package org.alder.server.control;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.controls.SimplePagedResultsControl;
import java.util.Arrays;
import java.util.List;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.testing.Requirement;
import org.alder.server.control.search.PageCookie;
import org.alder.server.control.search.PagedResults;
import org.alder.server.directory.SearchPosition;
import org.alder.server.protocol.operation.Controls;
import org.junit.Test;

public class ControlsTest {
    private final ControlRegistry registry = new ControlRegistry(List.of(PagedResults.CONTROL, ManageDsaIt.CONTROL), () -> RequestLimits.STANDARD);

    private RequestControls accept(OperationKind kind, RequestControl... controls) throws DirectoryException {
        return registry.accept(List.of(controls), kind);
    }

    private void refused(ResultCode code, OperationKind kind, RequestControl... controls) {
        assertEquals(code, assertThrows(DirectoryException.class, () -> accept(kind, controls)).resultCode());
    }

    private static RequestControl paged(boolean critical, int size, String cookie) {
        Control control = new SimplePagedResultsControl(size, new ASN1OctetString(cookie), critical);
        return new RequestControl(control.getOID(), critical, control.getValue().getValue());
    }

    @Test
    public void decodesWhatApplies() throws DirectoryException {
        RequestControls controls = accept(OperationKind.SEARCH, paged(true, 100, "xyz"),
                new RequestControl(ManageDsaIt.CONTROL.oid(), true, null));
        assertEquals(100, controls.get(PagedResults.CONTROL).size());
        assertArrayEquals(new byte[] {'x', 'y', 'z'}, controls.get(PagedResults.CONTROL).cookie());
        assertTrue(controls.has(ManageDsaIt.CONTROL));
    }

    @Test
    @Requirement(rfc = 4511, section = "4.1.11", text = "Controls that are not critical are ignored where they do not apply")
    public void ignoresUnknownAndInapplicableOnesThatAreNotCritical() throws DirectoryException {
        RequestControls controls = accept(OperationKind.MODIFY, paged(false, 10, ""), new RequestControl("1.2.3", false, null));
        assertNull(controls.get(PagedResults.CONTROL));
        assertFalse(controls.has(ManageDsaIt.CONTROL));
    }

    @Test
    public void refusesUnknownAndInapplicableOnesThatAreCritical() {
        refused(ResultCode.UNAVAILABLE_CRITICAL_EXTENSION, OperationKind.SEARCH, new RequestControl("1.2.3", true, null));
        refused(ResultCode.UNAVAILABLE_CRITICAL_EXTENSION, OperationKind.MODIFY, paged(true, 10, ""));
    }

    @Test
    public void refusesAControlThatComesTwice() {
        refused(ResultCode.PROTOCOL_ERROR, OperationKind.SEARCH, paged(false, 10, ""), paged(false, 10, ""));
    }

    @Test
    public void refusesWrongPagedResultsValues() {
        String oid = PagedResults.CONTROL.oid();
        byte[] good = paged(true, 100, "x").value();
        refused(ResultCode.PROTOCOL_ERROR, OperationKind.SEARCH, new RequestControl(oid, false, null));
        refused(ResultCode.PROTOCOL_ERROR, OperationKind.SEARCH, paged(true, -1, ""));
        for (int length = 0; length < good.length; length++) {
            refused(ResultCode.PROTOCOL_ERROR, OperationKind.SEARCH,
                    new RequestControl(oid, false, Arrays.copyOf(good, length)));
        }
    }

    @Test
    public void cookiesComeBackAsTheyWere() throws DirectoryException {
        byte[] search = {1, 2, 3};
        SearchPosition position = new SearchPosition(3, 1L << 40, 12345);
        byte[] cookie = PageCookie.encode(position, search);
        assertEquals(29, cookie.length);
        assertEquals(position, PageCookie.decode(cookie, search));
    }

    @Test
    public void changedCookiesAndThoseOfOtherSearchesAreRefused() {
        byte[] search = {1, 2, 3};
        byte[] cookie = PageCookie.encode(new SearchPosition(0, 7, 7), search);
        refusedCookie(cookie, new byte[] {1, 2, 4});
        for (int i = 0; i < cookie.length; i++) {
            byte[] changed = cookie.clone();
            changed[i] ^= 1;
            refusedCookie(changed, search);
            refusedCookie(Arrays.copyOf(cookie, i), search);
        }
        refusedCookie(Arrays.copyOf(cookie, cookie.length + 1), search);
    }

    private static void refusedCookie(byte[] cookie, byte[] search) {
        assertEquals(ResultCode.UNWILLING_TO_PERFORM,
                assertThrows(DirectoryException.class, () -> PageCookie.decode(cookie, search)).resultCode());
    }
}
