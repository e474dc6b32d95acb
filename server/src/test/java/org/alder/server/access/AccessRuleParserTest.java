package org.alder.server.access;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.alder.partition.request.SearchScope;
import org.alder.partition.schema.AttributeType;
import org.alder.server.TestServer;
import org.junit.Test;

/** The text form of rules. */
public class AccessRuleParserTest {
    private static AccessRule rule(String text) throws AccessRuleException {
        return AccessRuleParser.parse(TestServer.SCHEMA, text, "a test");
    }

    private static AttributeType type(String name) {
        return TestServer.SCHEMA.attributeType(name);
    }

    @Test
    public void aRuleSaysWhatOfWhatWhereToWhom() throws AccessRuleException {
        AccessRule rule = rule("grant read, search of cn,+ except modifiersName in children \"ou=a\\,b,dc=example\""
                + " where (&(objectClass=person)(cn=a\\28b)) to users");
        assertEquals(Set.of(Right.READ, Right.SEARCH), rule.granted());
        assertEquals(Set.of(), rule.denied());
        assertEquals(new Place(SearchScope.CHILDREN, TestServer.dn("ou=a\\2Cb,dc=example")), rule.place());
        assertNotNull(rule.filter());
        assertEquals(true, rule.says(Right.READ, type("cn")));
        assertEquals(true, rule.says(Right.READ, type("createTimestamp")));
        assertNull(rule.says(Right.READ, type("modifiersName")));
        assertNull(rule.says(Right.READ, type("sn")));
        assertNull(rule.says(Right.COMPARE, type("cn")));
        assertEquals(new Subject.Authenticated(false), rule.subject());
        assertEquals("a test", rule.origin());
    }

    @Test
    public void wordsStandForSeveralRights() throws AccessRuleException {
        assertEquals(EnumSet.of(Right.READ, Right.SEARCH, Right.COMPARE), rule("grant view to anyone").granted());
        assertEquals(EnumSet.of(Right.RENAME_IN, Right.RENAME_OUT, Right.DELETE), rule("deny RENAME,delete to anyone").denied());
        assertEquals(EnumSet.complementOf(EnumSet.of(Right.AUTHENTICATE, Right.PROXY)), rule("deny all to anyone").denied());
        assertEquals(EnumSet.of(Right.READ, Right.SEARCH, Right.COMPARE, Right.ADD, Right.WRITE, Right.SELF_WRITE),
                rule("deny all of cn to anyone").denied());
        AccessRule only = rule("grant only write of userPassword to self");
        assertEquals(true, only.says(Right.WRITE, type("userPassword")));
        assertEquals(false, only.says(Right.READ, type("userPassword")));
        assertNull(only.says(Right.READ, type("cn")));
    }

    @Test
    public void secretsAreGrantedByTheirNamesAlone() throws AccessRuleException {
        for (String attributes : new String[] {"", "of *,+ ", "of @inetOrgPerson,@extensibleObject ", "of *,cn "}) {
            assertNull(attributes, rule("grant read " + attributes + "to anyone").says(Right.READ, type("userPassword")));
            assertEquals(attributes, true, rule("grant read " + attributes + "to anyone").says(Right.READ, type("cn")));
        }
        assertEquals(true, rule("grant read of userPassword to anyone").says(Right.READ, type("userPassword")));
        assertEquals(false, rule("deny read to anyone").says(Right.READ, type("userPassword")));
        assertEquals(false, rule("grant only view to anyone").says(Right.READ, type("userPassword")));
        assertEquals("with subtypes", true, rule("grant read of name to anyone").says(Right.READ, type("sn")));
    }

    @Test
    public void someValuesAreMeant() throws AccessRuleException {
        AccessRule rule = rule("grant write of title, sn values (|(title=Dr*)(sn=x)) to anyone");
        assertTrue(rule.means(type("title"), "dr No".getBytes(StandardCharsets.UTF_8)));
        assertFalse(rule.means(type("title"), "Mr".getBytes(StandardCharsets.UTF_8)));
        assertTrue(rule.means(type("sn"), "X".getBytes(StandardCharsets.UTF_8)));
        assertFalse(rule.means(type("sn"), "Dr".getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    public void subjectsAreCombined() throws AccessRuleException {
        Subject expected = new Subject.Or(List.of(new Subject.Self(),
                new Subject.And(List.of(new Subject.NamedBy(type("manager")), new Subject.Not(new Subject.Tls()))),
                new Subject.And(List.of(new Subject.Or(List.of(new Subject.Strength(128),
                        new Subject.Mechanism(Set.of("EXTERNAL", "GSSAPI")))),
                        new Subject.Named(new Place(SearchScope.SUBTREE, TestServer.dn("ou=x")))))));
        assertEquals(expected, rule("grant read to self or namedBy manager and not tls"
                + " or (ssf 128 or mechanism external, GSSAPI) and dn subtree \"ou=x\"").subject());
        assertEquals(new Subject.Named(new Place(SearchScope.BASE, TestServer.dn("uid=x"))), rule("grant read to dn \"uid=x\"").subject());
        assertEquals(new Subject.Group(TestServer.dn("cn=x")), rule("grant read to group \"CN=X\"").subject());
        assertEquals(rule("grant read to address 10.0.0.0/8,::1,unix").subject(),
                rule("deny read to address ::1, 10.0.0.0/8 , unix").subject());
    }

    private static void refused(String text, int column, String problem) {
        String message = assertThrows(text, AccessRuleException.class, () -> rule(text)).getMessage();
        assertTrue(message, message.startsWith("column " + column + ": "));
        assertTrue(message, message.contains(problem));
    }

    @Test
    public void errorsNameTheColumnAndWhatWasExpected() {
        refused("", 1, "expected grant or deny, found the end");
        refused("allow read to anyone", 1, "expected grant or deny, found \"allow\"");
        refused("grant reed to anyone", 7, "expected a right, one of all, view, rename, search, compare, read, ");
        refused("grant read, to anyone", 13, "expected a right");
        refused("grant read anyone", 12, "expected of, values, in or where, each at most once, or to, found \"anyone\"");
        refused("grant read of favouriteFood to anyone", 15, "expected an attribute of the schema, without options, found \"favouriteFood\"");
        refused("grant read of cn;lang-de to anyone", 15, "without options");
        refused("grant read of @unicorn to anyone", 15, "expected an object class of the schema");
        refused("grant delete of cn to anyone", 7, "delete is a right to whole entries, expected no \"of\"");
        refused("grant read in ou=people to anyone", 15, "expected base, one, subtree, children, or a DN in quotation marks");
        refused("grant read in \"ou people\" to anyone", 15, "ou people");
        refused("grant read in \"ou=people to anyone", 15, "expected a quotation mark at the end");
        refused("grant read in \"ou=x\" in \"ou=y\" to anyone", 22, "each at most once");
        refused("grant read where cn=x to anyone", 18, "expected a filter in parentheses");
        refused("grant read where (cn=x to anyone", 18, "expected a parenthesis at the end");
        refused("grant read where (cn=x)) to anyone", 24, "found \")\"");
        refused("grant read where (&(cn=x)(favouriteFood=x)) to anyone", 18, "\"favouriteFood\", expected an attribute of the schema");
        refused("grant read where (uidNumber=many) to anyone", 18, "the filter is true of no entry");
        refused("grant read values (cn=x) to anyone", 19, "expected \"of\"");
        refused("grant read of cn values (&(cn=x)(cn=y)) to anyone", 25, "expected one filter item");
        refused("grant read to", 14, "expected anyone, anonymous, users, self, dn, group");
        refused("grant read to anybody", 15, "expected anyone, anonymous, users");
        refused("grant read to users or", 23, "expected anyone");
        refused("grant read to users group \"cn=x\"", 21, "expected and, or, or the end");
        refused("grant read to (users or self", 29, "a closing parenthesis");
        refused("grant read to namedBy cn", 23, "the values of cn are no DNs");
        refused("grant read to address 10.0.0.0/33", 23, "expected an address, a range such as 10.0.0.0/8, or unix");
        refused("grant read to address localhost", 23, "expected an address");
        refused("grant read to ssf strong", 19, "expected the least number of key bits, from 0 to 1024");
        refused("grant read to " + "(".repeat(60) + "users", 65, "no more than 50 levels");
        refused("grant read to users" + " ".repeat(20_000), 16_385, "expected at most 16384 characters");
    }
}
