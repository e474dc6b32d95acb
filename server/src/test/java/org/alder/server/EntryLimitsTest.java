package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ResultCode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.alder.partition.rule.EntryLimits;
import org.junit.After;
import org.junit.Test;
import org.junit.function.ThrowingRunnable;

/** How large an entry may be, and that one that is larger already can be made smaller. */
public class EntryLimitsTest {
    private static final String DN = "cn=one," + TestServer.SUFFIX;
    private static final int OUTSIDE = TestServer.LARGE_ATTRIBUTE_THRESHOLD;

    private TestServer server;
    private LDAPConnection admin;

    private void start(EntryLimits limits) throws LDAPException {
        server = TestServer.withRules(rules -> rules.withLimits(limits));
        admin = server.admin();
    }

    @After
    public void stop() {
        admin.close();
        server.close();
    }

    private void refused(String limit, ThrowingRunnable update) throws LDAPException {
        LDAPException refusal = assertThrows(LDAPException.class, update);
        assertEquals(refusal.getMessage(), ResultCode.ADMIN_LIMIT_EXCEEDED, refusal.getResultCode());
        assertTrue(refusal.getMessage(), refusal.getDiagnosticMessage().contains(limit));
        assertEquals("the connection lives", TestServer.SUFFIX, admin.getEntry(TestServer.SUFFIX).getDN());
    }

    private void add(Attribute... more) throws LDAPException {
        List<Attribute> attributes = new ArrayList<>(List.of(new Attribute("objectClass", "extensibleObject", "device"), new Attribute("cn", "one")));
        attributes.addAll(List.of(more));
        admin.add(DN, attributes);
    }

    private void modify(ModificationType type, String attribute, String... values) throws LDAPException {
        admin.modify(DN, new Modification(type, attribute, values));
    }

    private static String[] values(int from, int to) {
        List<String> values = new ArrayList<>();
        for (int i = from; i < to; i++) {
            values.add("value " + i);
        }
        return values.toArray(new String[0]);
    }

    private static Attribute[] options(int count) {
        Attribute[] attributes = new Attribute[count];
        for (int i = 0; i < count; i++) {
            attributes[i] = new Attribute("description;x-" + i, "x");
        }
        return attributes;
    }

    @Test
    public void entriesOfTooManyBytesAreRefused() throws LDAPException {
        start(new EntryLimits(4000, 10_000, 10_000, 10));
        refused("bytes, the limit is 4000 (maxEntryBytes)", () -> add(new Attribute("description", "x".repeat(4000))));
        add(new Attribute("description", "x".repeat(2000)));
        refused("bytes, the limit is 4000 (maxEntryBytes)", () -> modify(ModificationType.ADD, "description", "y".repeat(2000)));
        refused("bytes, the limit is 4000 (maxEntryBytes)", () -> admin.modifyDN(DN, "cn=" + "y".repeat(1000), false));
        modify(ModificationType.REPLACE, "description", "x".repeat(3000));
    }

    @Test
    public void entriesOfTooManyAttributesAreRefused() throws LDAPException {
        start(new EntryLimits(1 << 20, 30, 10_000, 10));
        refused("the entry would have 31 attributes, the limit is 30 (maxEntryAttributes)", () -> add(options(29)));
        add(options(27));
        modify(ModificationType.ADD, "description;x-27", "x");
        refused("the entry would have 31 attributes, the limit is 30 (maxEntryAttributes)", () -> modify(ModificationType.ADD, "l", "x"));
        modify(ModificationType.DELETE, "description;x-1");
        modify(ModificationType.ADD, "l", "x");
    }

    /** In the entry's record, and outside of it, where values of large attributes are. */
    @Test
    public void attributesOfTooManyValuesAreRefused() throws LDAPException {
        for (int most : new int[] {OUTSIDE - 2, OUTSIDE + 5}) {
            start(new EntryLimits(1 << 20, 10_000, most, 10));
            String limit = "attribute description would have " + (most + 1) + " values, the limit is " + most + " (maxAttributeValues)";
            refused(limit, () -> add(new Attribute("description", values(0, most + 1))));
            add(new Attribute("description", values(0, most)));
            refused(limit, () -> modify(ModificationType.ADD, "description", "one more"));
            refused(limit, () -> modify(ModificationType.REPLACE, "description", values(50, 51 + most)));
            modify(ModificationType.DELETE, "description", "value 0");
            modify(ModificationType.ADD, "description", "one more");
            modify(ModificationType.ADD, "l", "x");
            if (most < OUTSIDE) {
                stop();
            }
        }
    }

    private String below(String rdn, String parent) throws LDAPException {
        String dn = rdn + "," + parent;
        admin.add(dn, new Attribute("objectClass", "device"));
        return dn;
    }

    /** A deeper one could be reached by no name that a client may send. The suffix is two RDNs. */
    @Test
    public void entriesThatWouldBeTooDeepAreRefused() throws LDAPException {
        start(new EntryLimits(1 << 20, 10_000, 10_000, 5));
        String three = below("cn=three", TestServer.SUFFIX);
        String four = below("cn=four", three);
        String five = below("cn=five", four);
        refused("the entry's name would have 6 RDNs, the limit is 5 (maxEntryDepth)", () -> below("cn=six", five));

        String other = below("cn=other", TestServer.SUFFIX);
        String below = below("cn=below", other);
        String limit = "would have more RDNs than they may, the limit is 5 (maxEntryDepth)";
        refused(limit, () -> admin.modifyDN(three, "cn=three", false, other));
        refused(limit, () -> admin.modifyDN(four, "cn=four", false, below));
        refused(limit, () -> admin.modifyDN(other, "cn=other", false, five));
        admin.modifyDN(four, "cn=moved", true, other);
        assertEquals("as deep as before", "five", admin.getEntry("cn=five,cn=moved," + other).getAttributeValue("cn"));
        admin.modifyDN(three, "cn=three", false, below);
        refused(limit, () -> admin.modifyDN("cn=five,cn=moved," + other, "cn=five", false, "cn=three," + below));
    }

    /** It was made when more was allowed: whoever lowers a limit does not lock what there is. */
    @Test
    public void whatIsLargerAlreadyMayBecomeSmallerAndNotLarger() throws LDAPException {
        start(new EntryLimits(500, 10, OUTSIDE - 2, 10));
        List<org.alder.partition.entry.Attribute> attributes = new ArrayList<>();
        attributes.add(stored("objectClass", "extensibleObject", "device"));
        attributes.add(stored("cn", "one"));
        attributes.add(stored("l", values(0, OUTSIDE)));
        attributes.add(stored("member", names(OUTSIDE + 5)));
        for (int i = 0; i < 25; i++) {
            attributes.add(stored("description;x-" + i, "twenty bytes or so of it"));
        }
        server.addRecord(DN, attributes, List.of(stored("structuralObjectClass", "device")));
        refused("maxEntryBytes", () -> modify(ModificationType.ADD, "street", "x"));
        List<Modification> less = new ArrayList<>();
        for (int i = 10; i < 20; i++) {
            less.add(new Modification(ModificationType.DELETE, "description;x-" + i));
        }
        admin.modify(DN, less);
        refused("maxAttributeValues", () -> admin.modify(DN, new Modification(ModificationType.ADD, "l", "value 99"),
                new Modification(ModificationType.DELETE, "description;x-2")));
        refused("maxAttributeValues", () -> admin.modify(DN, new Modification(ModificationType.ADD, "member", "cn=99"),
                new Modification(ModificationType.DELETE, "description;x-2")));
        refused("maxEntryAttributes", () -> admin.modify(DN, new Modification(ModificationType.REPLACE, "description;x-2", "x"),
                new Modification(ModificationType.ADD, "o", "x")));
        modify(ModificationType.DELETE, "l", "value 1");
        modify(ModificationType.DELETE, "description;x-1");
        modify(ModificationType.DELETE, "member", "cn=1");
        assertEquals(OUTSIDE + 4, admin.getEntry(DN).getAttributeValues("member").length);
    }

    private static org.alder.partition.entry.Attribute stored(String description, String... values) {
        return new org.alder.partition.entry.Attribute(description,
                Stream.of(values).map(value -> value.getBytes(StandardCharsets.UTF_8)).toList());
    }

    private static String[] names(int count) {
        String[] names = new String[count];
        for (int i = 0; i < count; i++) {
            names[i] = "cn=" + i;
        }
        return names;
    }
}
