package org.alder.server;

import static org.alder.server.ClientTests.fails;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import com.unboundid.asn1.ASN1Element;
import com.unboundid.asn1.ASN1Integer;
import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.asn1.ASN1Sequence;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResult;
import com.unboundid.ldap.sdk.SearchScope;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.alder.server.control.search.Explain;
import org.junit.Test;

/** Administrators are told how a search was planned, beside what it finds. */
public class ExplainTest {
    private static SearchRequest search(String filter) throws Exception {
        SearchRequest request = new SearchRequest(TestServer.SUFFIX, SearchScope.SUB, filter, "1.1");
        request.addControl(new Control(Explain.OID, true));
        return request;
    }

    private static ASN1Element[] explained(SearchResult result) throws Exception {
        return ASN1Sequence.decodeAsSequence(result.getResponseControl(Explain.OID).getValue().getValue()).elements();
    }

    private static String plan(ASN1Element[] explained) throws Exception {
        return Arrays.stream(ASN1Sequence.decodeAsSequence(explained[1]).elements())
                .map(line -> ASN1OctetString.decodeAsOctetString(line).stringValue()).collect(Collectors.joining("\n"));
    }

    @Test
    @Proves(Explain.OID)
    public void theResultHasThePlanAndWhatItCost() throws Exception {
        try (TestServer server = new TestServer(); LDAPConnection admin = server.admin()) {
            SearchResult one = admin.search(search("(uid=user.7)"));
            assertEquals(1, one.getEntryCount());
            ASN1Element[] explained = explained(one);
            assertEquals(1, ASN1Integer.decodeAsInteger(explained[0]).intValue());
            assertTrue(plan(explained), plan(explained).contains("candidates  1"));
            ASN1Element[] walk = explained(admin.search(search("(givenName=Given7)")));
            assertTrue(plan(walk), plan(walk).contains("no index") && plan(walk).contains("givenName"));
            assertTrue(ASN1Integer.decodeAsInteger(walk[0]).intValue() > TestServer.USERS);
            assertNull(admin.search(TestServer.SUFFIX, SearchScope.BASE, "(objectClass=*)").getResponseControl(Explain.OID));
        }
    }

    @Test
    public void nobodyElseIsToldCountsOfEntriesHeMayNotSee() throws Exception {
        try (TestServer server = new TestServer(); LDAPConnection user = server.user(1)) {
            fails(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, () -> user.search(search("(uid=user.7)")));
            SearchRequest wrong = new SearchRequest(TestServer.SUFFIX, SearchScope.SUB, "(uid=user.7)");
            wrong.addControl(new Control(Explain.OID, true, new ASN1OctetString("x")));
            fails(ResultCode.PROTOCOL_ERROR, () -> user.search(wrong));
            assertEquals(1, user.search(TestServer.SUFFIX, SearchScope.SUB, "(uid=user.7)").getEntryCount());
        }
    }
}
