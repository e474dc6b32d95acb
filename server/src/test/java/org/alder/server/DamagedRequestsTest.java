package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;

import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.ldap.protocol.AddRequestProtocolOp;
import com.unboundid.ldap.protocol.BindRequestProtocolOp;
import com.unboundid.ldap.protocol.CompareRequestProtocolOp;
import com.unboundid.ldap.protocol.DeleteRequestProtocolOp;
import com.unboundid.ldap.protocol.ExtendedRequestProtocolOp;
import com.unboundid.ldap.protocol.ModifyDNRequestProtocolOp;
import com.unboundid.ldap.protocol.ModifyRequestProtocolOp;
import com.unboundid.ldap.protocol.ProtocolOp;
import com.unboundid.ldap.protocol.SearchRequestProtocolOp;
import com.unboundid.ldap.protocol.UnbindRequestProtocolOp;
import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.DereferencePolicy;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.AssertionRequestControl;
import com.unboundid.ldap.sdk.controls.ContentSyncRequestControl;
import com.unboundid.ldap.sdk.controls.ContentSyncRequestMode;
import com.unboundid.ldap.sdk.controls.ManageDsaITRequestControl;
import com.unboundid.ldap.sdk.controls.MatchedValuesFilter;
import com.unboundid.ldap.sdk.controls.MatchedValuesRequestControl;
import com.unboundid.ldap.sdk.controls.PermissiveModifyRequestControl;
import com.unboundid.ldap.sdk.controls.PersistentSearchChangeType;
import com.unboundid.ldap.sdk.controls.PersistentSearchRequestControl;
import com.unboundid.ldap.sdk.controls.PostReadRequestControl;
import com.unboundid.ldap.sdk.controls.PreReadRequestControl;
import com.unboundid.ldap.sdk.controls.ProxiedAuthorizationV2RequestControl;
import com.unboundid.ldap.sdk.controls.RFC3672SubentriesRequestControl;
import com.unboundid.ldap.sdk.controls.ServerSideSortRequestControl;
import com.unboundid.ldap.sdk.controls.SimplePagedResultsControl;
import com.unboundid.ldap.sdk.controls.SortKey;
import com.unboundid.ldap.sdk.controls.SubtreeDeleteRequestControl;
import com.unboundid.ldap.sdk.controls.TransactionSpecificationRequestControl;
import com.unboundid.ldap.sdk.controls.VirtualListViewRequestControl;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.alder.partition.testing.Await;
import org.alder.partition.testing.Requirement;
import org.alder.partition.testing.Seed;
import org.junit.Test;

/** Requests of all kinds, with controls, from all who may ask, in which bytes are changed, missing or too many. */
public class DamagedRequestsTest {
    private static final int ROUNDS = 4000;
    private static final String USERS = "ou=users," + TestServer.SUFFIX;
    private static final String DEREFERENCE = "1.3.6.1.4.1.4203.666.5.16";

    private static ProtocolOp search(String base, SearchScope scope, String filter, String... attributes) throws LDAPException {
        return new SearchRequestProtocolOp(base, scope, DereferencePolicy.ALWAYS, 10, 5, false, Filter.create(filter),
                List.of(attributes));
    }

    private static List<byte[]> searches() throws LDAPException {
        Control sort = new ServerSideSortRequestControl(new SortKey("sn"), new SortKey("uid", "caseIgnoreOrderingMatch", true));
        byte[] dereference = {0x30, 0x11, 0x30, 0x0F, 0x04, 0x07, 'm', 'a', 'n', 'a', 'g', 'e', 'r', 0x30, 0x04, 0x04, 0x02,
                'c', 'n'};
        Control[] controls = {sort, new SimplePagedResultsControl(5, new ASN1OctetString("cookie")),
                new MatchedValuesRequestControl(MatchedValuesFilter.createSubstringFilter("cn", "U", null, null)),
                new AssertionRequestControl("(|(uid=user.1)(cn:caseExactMatch:=x))"), new RFC3672SubentriesRequestControl(true),
                new ManageDsaITRequestControl(true), new Control(DEREFERENCE, true, new ASN1OctetString(dereference)),
                new ProxiedAuthorizationV2RequestControl("u:user.3"),
                new ContentSyncRequestControl(ContentSyncRequestMode.REFRESH_ONLY, new ASN1OctetString("rid=000"), true),
                new PersistentSearchRequestControl(PersistentSearchChangeType.allChangeTypes(), false, true)};
        List<byte[]> requests = new ArrayList<>();
        for (Control control : controls) {
            requests.add(RawClient.bytes(1, search(USERS, SearchScope.SUB, "(&(uid=user*)(!(sn>=x))(cn~=user))", "cn", "+"), control));
            requests.add(RawClient.bytes(1, search(TestServer.userDn(1), SearchScope.BASE, "(objectClass=*)"), control, sort));
        }
        requests.add(RawClient.bytes(1, search(USERS, SearchScope.ONE, "(objectClass=person)"), sort,
                new VirtualListViewRequestControl(2, 1, 3, 0, null)));
        requests.add(RawClient.bytes(1, search(USERS, SearchScope.ONE, "(objectClass=person)"), sort,
                new VirtualListViewRequestControl("Number3", 1, 3, null)));
        requests.add(RawClient.bytes(1, search("cn=schema", SearchScope.BASE, "(objectClass=subschema)", "attributeTypes")));
        requests.add(RawClient.bytes(1, search("cn=Monitor", SearchScope.SUB, "(alderEntries>=1)")));
        return requests;
    }

    private static List<byte[]> updates() throws LDAPException {
        Control[] shown = {new PreReadRequestControl("*"), new PostReadRequestControl("*", "+", "@person")};
        Control noOperation = new Control("1.3.6.1.4.1.4203.1.10.2", true);
        Control transaction = new TransactionSpecificationRequestControl(new ASN1OctetString("1"));
        List<byte[]> requests = new ArrayList<>();
        requests.add(RawClient.bytes(1, new AddRequestProtocolOp("cn=x," + USERS, List.of(new Attribute("objectClass", "device"),
                new Attribute("cn", "x"), new Attribute("description;lang-de", "y"))), shown[1], noOperation));
        requests.add(RawClient.bytes(1, new ModifyRequestProtocolOp(TestServer.userDn(5), List.of(
                new Modification(ModificationType.ADD, "description", "x", "y"),
                new Modification(ModificationType.DELETE, "description"),
                new Modification(ModificationType.INCREMENT, "employeeNumber", "1"))), shown[0], shown[1],
                new PermissiveModifyRequestControl(), new AssertionRequestControl("(sn=Number5)")));
        requests.add(RawClient.bytes(1, new ModifyDNRequestProtocolOp(TestServer.userDn(6), "uid=six", true, USERS), shown));
        requests.add(RawClient.bytes(1, new DeleteRequestProtocolOp(TestServer.userDn(7)), new SubtreeDeleteRequestControl(),
                noOperation));
        requests.add(RawClient.bytes(1, new ModifyRequestProtocolOp(TestServer.userDn(8),
                List.of(new Modification(ModificationType.REPLACE, "title", "x"))), transaction));
        return requests;
    }

    private static List<byte[]> others() throws LDAPException {
        List<byte[]> requests = new ArrayList<>();
        requests.add(RawClient.bytes(1, new BindRequestProtocolOp(TestServer.userDn(9), TestServer.USER_PASSWORD),
                new Control("2.16.840.1.113730.3.4.16")));
        requests.add(RawClient.bytes(1, new CompareRequestProtocolOp(TestServer.userDn(9), "sn", new ASN1OctetString("Number9")),
                new AssertionRequestControl("(sn=*)")));
        for (String[] each : new String[][] {{"1.3.6.1.4.1.4203.1.11.1", "\u0030\u0000"}, {"1.3.6.1.1.8", "\60\3\2\1\1"},
                {"1.3.6.1.1.21.1", null}, {"1.3.6.1.1.21.3", "\60\3\4\1\61"}, {"1.3.6.1.4.1.4203.1.11.3", null}}) {
            requests.add(RawClient.bytes(1, new ExtendedRequestProtocolOp(each[0],
                    each[1] == null ? null : new ASN1OctetString(each[1]))));
        }
        return requests;
    }

    private static byte[] damaged(byte[] request, Random random) {
        byte[] damaged = request.clone();
        for (int changes = random.nextInt(4); changes > 0; changes--) {
            damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
        }
        int kind = random.nextInt(20);
        return kind > 1 ? damaged : Arrays.copyOf(damaged, kind == 0 ? random.nextInt(damaged.length + 1) : damaged.length + 3);
    }

    /** Whatever bytes come, the server answers or closes, finds no fault with itself, and goes on serving others. */
    @Test(timeout = Await.MILLIS)
    @Requirement(rfc = 4511, section = "5.1", text = "No damaged message harms the server, whoever sends it")
    public void damagedRequestsHarmNobodyElse() throws Exception {
        Random random = Seed.random(DamagedRequestsTest.class);
        List<byte[]> requests = new ArrayList<>(searches());
        requests.addAll(updates());
        requests.addAll(others());
        byte[][] binds = {null, RawClient.bytes(3, new BindRequestProtocolOp(TestServer.userDn(2), TestServer.USER_PASSWORD)),
                RawClient.bytes(3, new BindRequestProtocolOp(TestServer.ADMIN, TestServer.ADMIN_PASSWORD))};
        try (TestServer server = new TestServer()) {
            for (int i = 0; i < ROUNDS; i++) {
                byte[] bind = binds[i % binds.length];
                byte[] damaged = damaged(requests.get(random.nextInt(requests.size())), random);
                byte[] next = damaged(requests.get(random.nextInt(requests.size())), random);
                try (RawClient client = new RawClient(server.port())) {
                    if (bind != null) {
                        client.send(bind);
                        client.read();
                    }
                    client.send(damaged, next, RawClient.bytes(2, new UnbindRequestProtocolOp()));
                    client.endOutput();
                    client.readToEnd();
                }
                assertEquals("after round " + i + ": " + Arrays.toString(damaged) + Arrays.toString(next), List.of(), server.takeFaults());
            }
            Await.until("all connections to be closed", () -> server.server().service().sessionCount() == 0);
            Await.until("nothing to be held for clients that are gone", () ->
                    server.server().memory().operations().heldBytes() + server.server().memory().unfinished().heldBytes() == 0);
            try (LDAPConnection connection = server.admin()) {
                assertNotNull(connection.getEntry(TestServer.SUFFIX));
            }
        }
    }
}
