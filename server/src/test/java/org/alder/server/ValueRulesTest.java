package org.alder.server;

import static org.alder.server.ClientTests.fails;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.AddRequest;
import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.Entry;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPResult;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.controls.PostReadRequestControl;
import com.unboundid.ldap.sdk.controls.PostReadResponseControl;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntConsumer;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.jdbm.store.JdbmStore;
import org.alder.partition.rule.EntryRules;
import org.alder.partition.rule.NumberRange;
import org.alder.partition.rule.UniqueRule;
import org.alder.partition.rule.ValueConstraint;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.Store;
import org.alder.partition.testing.Await;
import org.junit.After;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Unique values, constraints and numbers that the server gives, through the wire and on the store that is used. */
public class ValueRulesTest {
    private static final int CLIENTS = 8;

    @Rule
    public TemporaryFolder folder = new TemporaryFolder();
    private int opened;
    private TestServer server;
    private LDAPConnection admin;

    private void start(UnaryOperator<EntryRules> rules) throws LDAPException {
        server = TestServer.withRules(rules, this::open);
        admin = server.admin();
    }

    private Store open(EntryIndexer indexer) {
        return JdbmStore.open(folder.getRoot().toPath().resolve("store" + opened++), StoreSettings.defaults(), indexer);
    }

    @After
    public void stop() {
        admin.close();
        server.close();
    }

    private static AttributeType type(String name) {
        return TestServer.SCHEMA.attributeType(name);
    }

    private static UniqueRule unique(String base, String filter, String... attributes) {
        try {
            return UniqueRule.of(TestServer.SCHEMA, List.of(attributes).stream().map(ValueRulesTest::type).toList(), base == null ? null : TestServer.dn(base), filter);
        } catch (DirectoryException e) {
            throw new IllegalArgumentException(filter, e);
        }
    }

    private static Entry named(String cn, String description, String... uids) {
        return new Entry("cn=" + cn + "," + "ou=users," + TestServer.SUFFIX, new Attribute("objectClass", "inetOrgPerson"), new Attribute("sn", cn),
                new Attribute("description", description), new Attribute("uid", uids));
    }

    private static ValueConstraint constraint(String attribute, ValueConstraint.Test test) {
        return new ValueConstraint(List.of(type(attribute)), test);
    }

    private interface Update {
        void run() throws LDAPException;
    }

    private static void assertRefused(String message, Update update) {
        LDAPException refused = assertThrows(LDAPException.class, update::run);
        assertEquals(ResultCode.CONSTRAINT_VIOLATION, refused.getResultCode());
        assertEquals(message, refused.getDiagnosticMessage());
    }

    private void modify(String dn, ModificationType type, String attribute, String... values) throws LDAPException {
        admin.modify(dn, new Modification(type, attribute, values));
    }

    private void addPerson(LDAPConnection connection, String dn, String... employeeNumber) throws LDAPException {
        connection.add(dn, new Attribute("objectClass", "inetOrgPerson"), new Attribute("cn", "x"), new Attribute("sn", "x"),
                new Attribute("employeeNumber", employeeNumber));
    }

    @Test
    public void aValueOfAnotherEntryIsRefused() throws LDAPException {
        start(rules -> rules.withUnique(unique(null, null, "employeeNumber")));
        String message = "attribute employeeNumber: the value \"7\" must be unique, and another entry has it";
        assertRefused(message, () -> addPerson(admin, "cn=new," + TestServer.SUFFIX, "7"));
        assertRefused(message, () -> modify(TestServer.userDn(8), ModificationType.REPLACE, "employeeNumber", "7"));
        assertEquals("8", admin.getEntry(TestServer.userDn(8)).getAttributeValue("employeeNumber"));
        modify(TestServer.userDn(7), ModificationType.REPLACE, "employeeNumber", "7");
        modify(TestServer.userDn(7), ModificationType.REPLACE, "employeeNumber", "700");
        addPerson(admin, "cn=new," + TestServer.SUFFIX, "7");
        admin.delete("cn=new," + TestServer.SUFFIX);
        modify(TestServer.userDn(8), ModificationType.REPLACE, "employeeNumber", "7");
        modify(TestServer.userDn(8), ModificationType.DELETE, "employeeNumber");
        assertRefused("attribute employeeNumber: the value \"9\" must be unique, and another entry has it",
                () -> admin.modifyDN(TestServer.userDn(8), "employeeNumber=9", false));
    }

    @Test
    public void onlyEntriesBelowTheBaseThatMatchTheFilterCount() throws LDAPException {
        String base = "ou=unique," + TestServer.SUFFIX;
        start(rules -> rules.withUnique(unique(base, "(!(description=double))", "employeeNumber")));
        admin.add(base, new Attribute("objectClass", "organizationalUnit"));
        addPerson(admin, "cn=one," + base, "7");
        addPerson(admin, "cn=two," + TestServer.SUFFIX, "7");
        String message = "attribute employeeNumber: the value \"7\" must be unique, and another entry has it";
        assertRefused(message, () -> addPerson(admin, "cn=three," + base, "7"));
        assertRefused(message, () -> admin.modifyDN("cn=two," + TestServer.SUFFIX, "cn=two", false, base));
        admin.add("ou=tree," + TestServer.SUFFIX, new Attribute("objectClass", "organizationalUnit"));
        addPerson(admin, "cn=four,ou=tree," + TestServer.SUFFIX, "7");
        assertRefused(message, () -> admin.modifyDN("ou=tree," + TestServer.SUFFIX, "ou=tree", false, base));
        modify("cn=four,ou=tree," + TestServer.SUFFIX, ModificationType.ADD, "description", "double");
        admin.modifyDN("ou=tree," + TestServer.SUFFIX, "ou=tree", false, base);
        assertRefused(message, () -> modify("cn=four,ou=tree," + base, ModificationType.DELETE, "description"));
    }

    /** Entries that the rule does not mean hold the values too, each of them many times. */
    @Test
    public void aChangeDoesNotLookAtMoreHoldersOfItsValuesThanTheWriterHasTimeFor() throws LDAPException {
        start(rules -> rules.withUnique(unique(null, "(description=counts)", "uid")));
        String[] values = IntStream.range(0, 100).mapToObj(i -> "shared" + i).toArray(String[]::new);
        for (int i = 0; i < 101; i++) {
            admin.add(named("other" + i, "other", values));
        }
        admin.add(named("few", "counts", "shared0 and more"));
        LDAPException refused = assertThrows(LDAPException.class, () -> admin.add(named("all", "counts", values)));
        assertEquals(ResultCode.ADMIN_LIMIT_EXCEEDED, refused.getResultCode());
        assertTrue(refused.getDiagnosticMessage(), refused.getDiagnosticMessage().contains("10000"));
    }

    @Test
    public void attributesOfOneRuleShareTheirValues() throws LDAPException {
        start(rules -> rules.withUnique(unique(null, null, "employeeNumber", "uid")));
        assertRefused("attribute employeeNumber: the value \"USER.3\" must be unique, and another entry has it",
                () -> modify(TestServer.userDn(2), ModificationType.REPLACE, "employeeNumber", "USER.3"));
        modify(TestServer.userDn(3), ModificationType.REPLACE, "employeeNumber", "USER.3");
    }

    @Test
    public void ofClientsThatComeTogetherOneIsFirst() throws Exception {
        start(rules -> rules.withUnique(unique(null, null, "employeeNumber")));
        List<ResultCode> results = Collections.synchronizedList(new ArrayList<>());
        inParallel(client -> {
            try (LDAPConnection connection = server.admin()) {
                addPerson(connection, "cn=racer" + client + "," + TestServer.SUFFIX, "4711");
                results.add(ResultCode.SUCCESS);
            } catch (LDAPException e) {
                results.add(e.getResultCode());
            }
        });
        assertEquals(1, Collections.frequency(results, ResultCode.SUCCESS));
        assertEquals(CLIENTS - 1, Collections.frequency(results, ResultCode.CONSTRAINT_VIOLATION));
    }

    private static void inParallel(IntConsumer work) throws InterruptedException {
        List<Thread> threads = IntStream.range(0, CLIENTS).mapToObj(client -> new Thread(() -> work.accept(client))).toList();
        threads.forEach(Thread::start);
        Await.end(threads.toArray(Thread[]::new));
    }

    @Test
    public void aPatternThatTakesTooLongRefusesTheValue() throws LDAPException {
        start(rules -> rules.withConstraints(
                constraint("description", new ValueConstraint.Matching(Pattern.compile("^(a|b)*$"), true)),
                constraint("title", new ValueConstraint.Matching(Pattern.compile("^(.*a){12}$"), true))));
        String user = TestServer.userDn(1);
        modify(user, ModificationType.REPLACE, "description", "abab");
        modify(user, ModificationType.REPLACE, "title", "a".repeat(12));
        assertRefused("attribute title: the value \"" + "a".repeat(60) + "b\" is not allowed, expected one that the pattern ^(.*a){12}$"
                        + " can be held against in reasonable time",
                () -> modify(user, ModificationType.REPLACE, "title", "a".repeat(60) + "b"));
        LDAPException e = fails(ResultCode.CONSTRAINT_VIOLATION,
                () -> modify(user, ModificationType.REPLACE, "description", "a".repeat(100_000)));
        assertTrue(e.getMessage(), e.getMessage().endsWith("expected one that the pattern ^(a|b)*$ can be held against in"
                + " reasonable time"));
    }

    @Test
    public void valuesAreWhatTheConstraintsSay() throws LDAPException {
        start(rules -> rules.withConstraints(
                constraint("mail", new ValueConstraint.Matching(Pattern.compile("^[^@]+@example\\.com$"), true)),
                constraint("mail", new ValueConstraint.Count(2)),
                constraint("description", new ValueConstraint.Matching(Pattern.compile("secret"), false)),
                constraint("name", new ValueConstraint.Size(10)),
                constraint("employeeType", new ValueConstraint.OneOf(List.of("alpha", "beta"))),
                constraint("uidNumber", new ValueConstraint.Matching(Pattern.compile("^\\d$"), true))));
        String user = TestServer.userDn(1);
        modify(user, ModificationType.ADD, "mail", "a@example.com");
        assertRefused("attribute mail: the value \"a@b\" is not allowed, expected one that matches"
                        + " the pattern ^[^@]+@example\\.com$",
                () -> modify(user, ModificationType.ADD, "mail", "a@b"));
        assertRefused("attribute mail has 3 values, expected at most 2",
                () -> modify(user, ModificationType.ADD, "mail", "b@example.com", "c@example.com"));
        assertRefused("attribute description: the value \"a secret\" is not allowed, expected one that does not match the pattern"
                + " secret", () -> modify(user, ModificationType.REPLACE, "description", "a secret"));
        assertRefused("attribute givenName: the value \"01234567890\" is not allowed, expected one of at most 10 bytes",
                () -> modify(user, ModificationType.REPLACE, "givenName", "01234567890"));
        modify(user, ModificationType.REPLACE, "employeeType", "ALPHA");
        assertRefused("attribute employeeType: the value \"gamma\" is not allowed, expected one of alpha, beta",
                () -> modify(user, ModificationType.REPLACE, "employeeType", "gamma"));
        assertRefused("attribute cn: the value \"01234567890\" is not allowed, expected one of at most 10 bytes",
                () -> admin.modifyDN(user, "cn=01234567890", false));
        assertRefused("attribute employeeType: the value \"gamma\" is not allowed, expected one of alpha, beta",
                () -> admin.add("cn=new," + TestServer.SUFFIX, new Attribute("objectClass", "inetOrgPerson"),
                        new Attribute("sn", "x"), new Attribute("employeeType", "gamma")));
    }

    @Test
    public void theResultOfAnIncrementIsAValueToo() throws LDAPException {
        start(rules -> rules.withConstraints(
                constraint("uidNumber", new ValueConstraint.Matching(Pattern.compile("^\\d$"), true))));
        admin.add("cn=nine," + TestServer.SUFFIX, new Attribute("objectClass", "device", "extensibleObject"),
                new Attribute("uidNumber", "8"));
        modify("cn=nine," + TestServer.SUFFIX, ModificationType.INCREMENT, "uidNumber", "1");
        assertRefused("attribute uidNumber: the value \"10\" is not allowed, expected one that matches the pattern ^\\d$",
                () -> modify("cn=nine," + TestServer.SUFFIX, ModificationType.INCREMENT, "uidNumber", "1"));
    }

    private void startWithNumbers(long last) throws LDAPException {
        start(rules -> rules.withNumbers(new NumberRange(type("uidNumber"), 100, last, null, "-1")));
    }

    private static AddRequest account(String name, String... number) {
        AddRequest request = new AddRequest("uid=" + name + "," + TestServer.SUFFIX,
                new Attribute("objectClass", "account", "posixAccount"), new Attribute("cn", name), new Attribute("gidNumber",
                        "1"),
                new Attribute("homeDirectory", "/"));
        if (number.length > 0) {
            request.addAttribute("uidNumber", number);
        }
        return request;
    }

    private String numberOf(String name) throws LDAPException {
        return admin.getEntry("uid=" + name + "," + TestServer.SUFFIX).getAttributeValue("uidNumber");
    }

    @Test
    public void newEntriesGetTheNextNumber() throws LDAPException {
        startWithNumbers(103);
        AddRequest first = account("first");
        first.addControl(new PostReadRequestControl("uidNumber"));
        LDAPResult result = admin.add(first);
        assertEquals("100", PostReadResponseControl.get(result).getEntry().getAttributeValue("uidNumber"));
        admin.add(account("given", "101"));
        admin.add(account("second", "-1"));
        assertEquals("102", numberOf("second"));
        admin.delete("uid=second," + TestServer.SUFFIX);
        admin.add(account("third"));
        assertEquals("a number is not given again", "103", numberOf("third"));
        LDAPException refused = assertThrows(LDAPException.class, () -> admin.add(account("fourth")));
        assertEquals(ResultCode.UNWILLING_TO_PERFORM, refused.getResultCode());
        assertEquals("all numbers from 100 to 103 for attribute uidNumber are used up", refused.getDiagnosticMessage());
        admin.add(account("fifth", "7"));
        assertEquals("7", numberOf("fifth"));
        assertEquals("uidNumber 100 104", admin.getEntry(TestServer.SUFFIX, "+").getAttributeValue("alderNextNumber"));
    }

    @Test
    public void aModifyMayAskForANumber() throws LDAPException {
        startWithNumbers(199);
        admin.add(account("old", "7"));
        modify("uid=old," + TestServer.SUFFIX, ModificationType.REPLACE, "uidNumber", "-1");
        assertEquals("100", numberOf("old"));
        LDAPException refused = assertThrows(LDAPException.class,
                () -> modify(TestServer.SUFFIX, ModificationType.REPLACE, "alderNextNumber", "uidNumber 100 1"));
        assertEquals(ResultCode.CONSTRAINT_VIOLATION, refused.getResultCode());
    }

    @Test
    public void clientsThatComeTogetherGetDifferentNumbers() throws Exception {
        startWithNumbers(10_000);
        inParallel(client -> {
            try (LDAPConnection connection = server.admin()) {
                for (int i = 0; i < 10; i++) {
                    connection.add(account("racer" + client + "." + i));
                }
            } catch (LDAPException e) {
                throw new AssertionError(e);
            }
        });
        Set<String> numbers = new TreeSet<>();
        for (int client = 0; client < CLIENTS; client++) {
            for (int i = 0; i < 10; i++) {
                numbers.add(numberOf("racer" + client + "." + i));
            }
        }
        assertEquals(CLIENTS * 10, numbers.size());
        assertEquals("uidNumber 100 180", admin.getEntry(TestServer.SUFFIX, "+").getAttributeValue("alderNextNumber"));
    }
}
