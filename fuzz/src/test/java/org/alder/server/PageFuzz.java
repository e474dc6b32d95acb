package org.alder.server;

import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.ldap.protocol.LDAPMessage;
import com.unboundid.ldap.protocol.SearchRequestProtocolOp;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.DereferencePolicy;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.ServerSideSortRequestControl;
import com.unboundid.ldap.sdk.controls.SimplePagedResultsControl;
import com.unboundid.ldap.sdk.controls.SortKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.testing.Await;
import org.alder.server.control.RequestLimits;
import org.alder.server.control.search.PageCookie;
import org.alder.server.control.search.ServerSideSort;
import org.alder.server.control.search.SortedPageCookie;
import org.alder.server.directory.SearchPosition;

/** Cookies of paged searches that somebody has made up, checks and all: the search goes on somewhere, or is refused. */
public final class PageFuzz {
    private static final Filter ALL = Filter.createPresenceFilter("objectClass");
    private static final int PAGE = 3;
    private static final int PLAIN_BYTES = 21;
    private static final int SORTED_BYTES = 9;

    private PageFuzz() {
    }

    /**
     * A byte that says whether and by what the search is sorted, then of one that is not: the number of the partition in four bytes, the
     * last entry's ID in eight, and so many entries in eight; of one that is: so many entries, and the last place in the order.
     */
    public static void cookie(byte[] input) throws Exception {
        if (input.length < PLAIN_BYTES) {
            return;
        }
        List<Control> controls = new ArrayList<>();
        ByteBuffer in = ByteBuffer.wrap(input);
        byte kind = in.get();
        byte[] cookie;
        if (kind % PAGE == 0) {
            cookie = PageCookie.encode(new SearchPosition(in.getInt(), in.getLong(), in.getLong()), search(List.of()));
        } else {
            Control sort = new ServerSideSortRequestControl(kind < 0, new SortKey(kind % PAGE == 1 ? "sn" : "cn"));
            controls.add(sort);
            cookie = new SortedPageCookie(in.getLong(), Arrays.copyOfRange(input, SORTED_BYTES, input.length))
                    .encode(search(ServerSideSort.CONTROL.decode(sort.getValue().getValue(), RequestLimits.STANDARD)));
        }
        controls.add(new SimplePagedResultsControl(PAGE, new ASN1OctetString(cookie), true));
        LDAPMessage request = new LDAPMessage(1, new SearchRequestProtocolOp(ServerFuzz.SUFFIX, SearchScope.SUB, DereferencePolicy.NEVER, 0, 0,
                false, ALL, List.of("1.1")), controls);
        boolean done = false;
        for (LDAPMessage answer : ServerFuzz.answers(ServerFuzz.ADMIN, request.encode().encode(), TimeUnit.SECONDS.toNanos(Await.SECONDS))) {
            if (answer.getMessageID() == 1 && answer.getProtocolOpType() == 0x65) {
                done = true;
                String told = String.valueOf(answer.getSearchResultDoneProtocolOp().getDiagnosticMessage());
                assertFalse("a cookie made up by this target: " + told, told.contains("the cookie is not one"));
            }
        }
        assertTrue("no answer", done);
    }

    /** What all pages have in common (docs/format/page-cookie.md). */
    private static byte[] search(List<ServerSideSort.SortKey> keys) throws DirectoryException {
        BerWriter out = new BerWriter(256);
        out.octets(BerWriter.OCTET_STRING, ServerFuzz.dn(ServerFuzz.ADMIN).normalized());
        out.octets(BerWriter.OCTET_STRING, ServerFuzz.dn(ServerFuzz.SUFFIX).normalized());
        out.octets(BerWriter.OCTET_STRING, new byte[] {2, 0});
        out.octets(BerWriter.OCTET_STRING, ALL.toString().getBytes(StandardCharsets.UTF_8));
        for (ServerSideSort.SortKey key : keys) {
            out.octets(BerWriter.OCTET_STRING, key.toString().getBytes(StandardCharsets.UTF_8));
        }
        return out.toByteArray();
    }
}
