package org.alder.server.protocol.operation;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.ldap.protocol.AbandonRequestProtocolOp;
import com.unboundid.ldap.protocol.AddRequestProtocolOp;
import com.unboundid.ldap.protocol.BindRequestProtocolOp;
import com.unboundid.ldap.protocol.CompareRequestProtocolOp;
import com.unboundid.ldap.protocol.DeleteRequestProtocolOp;
import com.unboundid.ldap.protocol.ExtendedRequestProtocolOp;
import com.unboundid.ldap.protocol.LDAPMessage;
import com.unboundid.ldap.protocol.ModifyDNRequestProtocolOp;
import com.unboundid.ldap.protocol.ModifyRequestProtocolOp;
import com.unboundid.ldap.protocol.ProtocolOp;
import com.unboundid.ldap.protocol.SearchRequestProtocolOp;
import com.unboundid.ldap.protocol.UnbindRequestProtocolOp;
import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.DereferencePolicy;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.SearchScope;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.filter.Filters;
import org.alder.partition.request.Modification.Kind;
import org.alder.partition.testing.Requirement;
import org.alder.partition.testing.Seed;
import org.alder.server.control.RequestControl;
import org.alder.server.control.RequestLimits;
import org.alder.server.protocol.LdapMessage;
import org.alder.server.protocol.search.SearchParameters;
import org.junit.Test;
import org.junit.function.ThrowingRunnable;

/**
 * What UnboundID's encoder writes is read as it was meant; what is cut short or changed gives only the two declared exceptions.
 */
public class RequestDecodingTest {
    private static final RequestLimits LIMITS = RequestLimits.STANDARD;
    private static final List<String> FILTERS = List.of("(a=b)", "(a=)", "(objectClass=*)", "(a>=1)", "(a<=1)", "(a~=x)",
            "(a=x*)", "(a=*x)",
            "(a=*x*)", "(a=x*y*z*w)", "(cn;lang-de=x)", "(a:=x)", "(a:dn:=x)", "(:1.2.3:=x)", "(:dn:1.2.3:=x)",
                    "(a:dn:caseExactMatch:=x)",
            "(&)", "(|)", "(!(a=b))", "(&(a=b)(|(c=d)(!(e=*)))(f=g*))", "(a=\\2a\\28\\29\\5c\\00)", "(sn=Lu\\c4\\8di\\c4\\87)");

    private static byte[] bytes(ProtocolOp operation, Control... controls) {
        return new LDAPMessage(77, operation, controls).encode().encode();
    }

    private static LdapMessage decode(ProtocolOp operation, Control... controls) throws BerException {
        byte[] message = bytes(operation, controls);
        byte[] shifted = new byte[message.length + 5];
        System.arraycopy(message, 0, shifted, 3, message.length);
        LdapMessage decoded = LdapMessage.decode(shifted, 3, message.length);
        assertEquals(77, decoded.id());
        return decoded;
    }

    private static SearchRequestProtocolOp search(Filter filter) {
        return search(SearchScope.SUB, filter);
    }

    private static SearchRequestProtocolOp search(SearchScope scope, Filter filter) {
        return new SearchRequestProtocolOp("dc=example,dc=com", scope, DereferencePolicy.ALWAYS, 5, 7, true, filter,
                List.of("cn", "*", "userCertificate;binary"));
    }

    @Test
    public void readsSearches() throws Exception {
        SearchParameters read = SearchParameters.decode(decode(search(Filter.create("(a=b)"))).operation(), LIMITS);
        assertEquals("dc=example,dc=com", read.base());
        assertEquals(org.alder.partition.request.SearchScope.SUBTREE, read.scope());
        assertEquals(5, read.sizeLimit());
        assertEquals(7, read.timeLimitSeconds());
        assertTrue(read.typesOnly());
        assertEquals(List.of("cn", "*", "userCertificate;binary"), read.attributes());
    }

    @Test
    public void readsAllScopes() throws Exception {
        Filter filter = Filter.create("(a=b)");
        for (int code = 0; code <= 3; code++) {
            LdapMessage message = decode(search(SearchScope.valueOf(code), filter));
            assertEquals(code, SearchParameters.decode(message.operation(), LIMITS).scope().ordinal());
        }
        LdapMessage unknown = decode(search(SearchScope.valueOf(4), filter));
        refused(() -> SearchParameters.decode(unknown.operation(), LIMITS));
    }

    /** The text form is written by independent code on both sides. */
    @Test
    @Requirement(rfc = 4511, section = "4.5.1.7", text = "All filter choices are decoded")
    public void readsAllFilters() throws Exception {
        for (String text : FILTERS) {
            Filter filter = Filter.create(text);
            String read = Filters.format(SearchParameters.decode(decode(search(filter)).operation(), LIMITS).filter());
            assertEquals(text, filter, Filter.create(read));
        }
    }

    @Test
    public void refusesFiltersNestedTooDeep() throws Exception {
        SearchParameters.decode(decode(search(nested(LIMITS.filter().depth()))).operation(), LIMITS);
        LdapMessage deeper = decode(search(nested(LIMITS.filter().depth() + 1)));
        tooMuch("100 (maxFilterDepth)", () -> SearchParameters.decode(deeper.operation(), LIMITS));
    }

    private static void tooMuch(String limit, ThrowingRunnable decoding) {
        DirectoryException refusal = assertThrows(DirectoryException.class, decoding);
        assertEquals(ResultCode.ADMIN_LIMIT_EXCEEDED, refusal.resultCode());
        assertTrue(refusal.getMessage(), refusal.getMessage().contains("limit is " + limit));
    }

    private static Filter nested(int depth) {
        Filter filter = Filter.createEqualityFilter("a", "b");
        for (int i = 1; i < depth; i++) {
            filter = Filter.createNOTFilter(filter);
        }
        return filter;
    }

    /** Each name is an object or two: three million of them are more than 16 MiB of request. */
    @Test
    public void refusesMoreAttributesThanAnySchemaHas() throws Exception {
        for (int count : new int[] {10_000, 10_001}) {
            LdapMessage message = decode(new SearchRequestProtocolOp("", SearchScope.BASE, DereferencePolicy.NEVER, 0, 0, false,
                    Filter.create("(a=b)"), Collections.nCopies(count, "a")));
            if (count == 10_000) {
                assertEquals(count, SearchParameters.decode(message.operation(), LIMITS).attributes().size());
            } else {
                tooMuch("10000 (maxRequestedAttributes)", () -> SearchParameters.decode(message.operation(), LIMITS));
            }
        }
    }

    @Test
    public void countsWhatRequestsBecomeWhenTheyAreDecoded() throws Exception {
        String[] values = new String[100_000];
        Arrays.fill(values, "");
        LdapMessage many = decode(new AddRequestProtocolOp("cn=x", List.of(new Attribute("cn", values))));
        assertTrue("an object for each value: " + many.decodedBytes(), many.decodedBytes() > 32L * values.length);
        LdapMessage one = decode(new AddRequestProtocolOp("cn=x", List.of(new Attribute("cn", "x".repeat(200_000)))));
        assertTrue("copies only: " + one.decodedBytes(), one.decodedBytes() < 4L * one.length());
        assertEquals("nothing is decoded by that", "cn=x", UpdateRequest.Add.decode(one.operation()).dn());
    }

    @Test
    public void refusesMoreControlsThanThereAre() throws Exception {
        Control[] many = Collections.nCopies(257, new Control("1.2.3")).toArray(new Control[0]);
        assertThrows(BerException.class, () -> decode(new DeleteRequestProtocolOp("cn=x"), many));
        decode(new DeleteRequestProtocolOp("cn=x"), Arrays.copyOf(many, 256));
    }

    @Test
    public void readsBinds() throws Exception {
        BindOperation.Parameters simple =
                BindOperation.Parameters.decode(decode(new BindRequestProtocolOp("cn=x", "secret")).operation());
        assertEquals(3, simple.version());
        assertEquals("cn=x", simple.dn());
        assertArrayEquals("secret".getBytes(StandardCharsets.UTF_8), simple.password());
        BindOperation.Parameters sasl =
                BindOperation.Parameters.decode(decode(new BindRequestProtocolOp("", "PLAIN", new ASN1OctetString("x")))
                        .operation());
        assertEquals("PLAIN", sasl.mechanism());
        assertNull(sasl.password());
    }

    @Test
    public void readsAdds() throws Exception {
        ProtocolOp operation = new AddRequestProtocolOp("cn=x", List.of(new Attribute("cn", "x"), new Attribute("sn", "y", "z")));
        UpdateRequest.Add read = UpdateRequest.Add.decode(decode(operation).operation());
        assertEquals("cn=x", read.dn());
        assertEquals(List.of("cn", "sn"), read.attributes().stream().map(each -> each.description()).toList());
        assertArrayEquals(new byte[] {'z'}, read.attributes().get(1).values().get(1));
        LdapMessage empty = decode(new AddRequestProtocolOp("cn=x", List.of(new Attribute("cn", List.<String>of()))));
        refused(() -> UpdateRequest.Add.decode(empty.operation()));
    }

    @Test
    public void readsModifies() throws Exception {
        ProtocolOp operation = new ModifyRequestProtocolOp("cn=x", List.of(new Modification(ModificationType.ADD, "a", "1", "2"),
                new Modification(ModificationType.DELETE, "b"), new Modification(ModificationType.REPLACE, "c", "3"),
                new Modification(ModificationType.INCREMENT, "d", "4")));
        UpdateRequest.Modify read = UpdateRequest.Modify.decode(decode(operation).operation());
        assertEquals(List.of(Kind.values()), read.modifications().stream().map(each -> each.kind()).toList());
        assertEquals(List.of(2, 0, 1, 1), read.modifications().stream().map(each -> each.values().size()).toList());
        LdapMessage unknown = decode(new ModifyRequestProtocolOp("cn=x",
                List.of(new Modification(ModificationType.valueOf(4), "a", "1"))));
        refused(() -> UpdateRequest.Modify.decode(unknown.operation()));
    }

    @Test
    public void readsModifyDns() throws Exception {
        UpdateRequest.ModifyDn moved = UpdateRequest.ModifyDn.decode(
                decode(new ModifyDNRequestProtocolOp("cn=x", "cn=y", true, "ou=z")).operation());
        assertEquals(new UpdateRequest.ModifyDn("cn=x", "cn=y", true, "ou=z"), moved);
        UpdateRequest.ModifyDn renamed = UpdateRequest.ModifyDn.decode(
                decode(new ModifyDNRequestProtocolOp("cn=x", "cn=y", false, null)).operation());
        assertEquals(new UpdateRequest.ModifyDn("cn=x", "cn=y", false, null), renamed);
    }

    @Test
    public void readsCompares() throws Exception {
        CompareOperation.Parameters read = CompareOperation.Parameters.decode(
                decode(new CompareRequestProtocolOp("cn=x", "sn", new ASN1OctetString("v"))).operation());
        assertEquals("cn=x", read.dn());
        assertEquals("sn", read.description());
        assertArrayEquals(new byte[] {'v'}, read.value());
    }

    @Test
    public void readsExtendedRequests() throws Exception {
        assertNull(ExtendedOperations.Parameters.decode(decode(new ExtendedRequestProtocolOp("1.2.3", null)).operation())
                .value());
        ExtendedOperations.Parameters read =
                ExtendedOperations.Parameters.decode(decode(new ExtendedRequestProtocolOp("1.2.3", new ASN1OctetString("v")))
                        .operation());
        assertEquals("1.2.3", read.oid());
        assertArrayEquals(new byte[] {'v'}, read.value());
    }

    @Test
    public void readsTheShortOnes() throws Exception {
        assertEquals("cn=x", decode(new DeleteRequestProtocolOp("cn=x")).operation().readString(LdapMessage.DELETE));
        assertEquals(300, decode(new AbandonRequestProtocolOp(300)).operation().readInt(LdapMessage.ABANDON));
        assertEquals(LdapMessage.UNBIND, decode(new UnbindRequestProtocolOp()).tag());
    }

    @Test
    public void readsControls() throws Exception {
        LdapMessage message = decode(new DeleteRequestProtocolOp("cn=x"), new Control("1.2.3", true, new ASN1OctetString("v")),
                new Control("1.2.4", false), new Control("1.2.5", true));
        assertEquals(List.of("1.2.3", "1.2.4", "1.2.5"), message.controls().stream().map(RequestControl::oid).toList());
        assertEquals(List.of(true, false, true), message.controls().stream().map(RequestControl::critical).toList());
        assertArrayEquals(new byte[] {'v'}, message.controls().get(0).value());
        assertNull(message.controls().get(1).value());
        assertTrue(decode(new DeleteRequestProtocolOp("cn=x")).controls().isEmpty());
    }

    /** Whatever follows a prefix of a message or comes instead of a byte, decoding ends with a result or a declared exception. */
    @Test
    @Requirement(rfc = 4511, section = "5.1", text = "No damaged message harms the server")
    public void damagedMessagesGiveOnlyDeclaredExceptions() throws LDAPException {
        Random random = Seed.random(RequestDecodingTest.class);
        for (String filter : FILTERS) {
            damage(bytes(search(Filter.create(filter)), new Control("1.2.3", true, new ASN1OctetString("v"))), random);
        }
        damage(bytes(new BindRequestProtocolOp("cn=x", "secret")), random);
        damage(bytes(new AddRequestProtocolOp("cn=x", List.of(new Attribute("cn", "x")))), random);
        damage(bytes(new ModifyRequestProtocolOp("cn=x", List.of(new Modification(ModificationType.ADD, "a", "1")))), random);
        damage(bytes(new ModifyDNRequestProtocolOp("cn=x", "cn=y", true, "ou=z")), random);
        damage(bytes(new CompareRequestProtocolOp("cn=x", "sn", new ASN1OctetString("v"))), random);
        damage(bytes(new ExtendedRequestProtocolOp("1.2.3", new ASN1OctetString("v"))), random);
    }

    private static void damage(byte[] message, Random random) {
        for (int length = 0; length < message.length; length++) {
            assertFalse("a message cut to " + length + " bytes", decodes(Arrays.copyOf(message, length)));
        }
        for (int i = 0; i < 2000; i++) {
            byte[] changed = message.clone();
            for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
                changed[random.nextInt(changed.length)] = (byte) random.nextInt(256);
            }
            decodes(changed);
        }
    }

    private static boolean decodes(byte[] message) {
        try {
            LdapMessage decoded = LdapMessage.decode(message, 0, message.length);
            BerReader operation = decoded.operation();
            switch (decoded.tag()) {
                case LdapMessage.SEARCH -> SearchParameters.decode(operation, LIMITS);
                case LdapMessage.BIND -> BindOperation.Parameters.decode(operation);
                case LdapMessage.ADD -> UpdateRequest.Add.decode(operation);
                case LdapMessage.MODIFY -> UpdateRequest.Modify.decode(operation);
                case LdapMessage.MODIFY_DN -> UpdateRequest.ModifyDn.decode(operation);
                case LdapMessage.COMPARE -> CompareOperation.Parameters.decode(operation);
                case LdapMessage.EXTENDED -> ExtendedOperations.Parameters.decode(operation);
                default -> { }
            }
            return true;
        } catch (BerException | DirectoryException declared) {
            return false;
        }
    }

    private interface Decoding {
        void run() throws BerException, DirectoryException;
    }

    private static void refused(Decoding decoding) {
        DirectoryException refusal = assertThrows(DirectoryException.class, decoding::run);
        assertEquals(ResultCode.PROTOCOL_ERROR, refusal.resultCode());
    }
}
