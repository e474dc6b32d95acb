package org.alder.partition.schema;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.testing.Requirement;
import org.junit.Test;

public class SchemaCheckerTest {
    private static final SchemaChecker CHECKER = new SchemaChecker(Schema.load(List.of()));

    private static ObjectClass check(List<Attribute> userAttributes) throws DirectoryException {
        return CHECKER.check(entry(userAttributes));
    }

    private static EntryRecord entry(List<Attribute> user, Attribute... operational) {
        return EntryRecord.of(1, "cn=A B".getBytes(StandardCharsets.UTF_8), user, List.of(operational));
    }

    @Test
    public void aClassMayRequireAnOperationalAttribute() throws DirectoryException {
        List<Attribute> user = List.of(attribute("objectClass", "referral"));
        assertRefused(ResultCode.OBJECT_CLASS_VIOLATION, "requires the attribute ref", user);
        assertEquals("referral", CHECKER.check(entry(user, attribute("ref", "ldap://x"))).name());
    }

    private static Attribute attribute(String description, String... values) {
        return new Attribute(description, List.of(values).stream().map(value -> value.getBytes(StandardCharsets.UTF_8)).toList());
    }

    private static List<Attribute> person(Attribute... changes) {
        Map<String, Attribute> attributes = new LinkedHashMap<>();
        for (Attribute one : List.of(attribute("objectClass", "inetOrgPerson"), attribute("cn", "A B"), attribute("sn", "B"))) {
            attributes.put(one.description(), one);
        }
        for (Attribute change : changes) {
            attributes.put(change.description(), change);
        }
        return new ArrayList<>(attributes.values());
    }

    private static void assertRefused(ResultCode code, String inMessage, List<Attribute> entry) {
        DirectoryException e = assertThrows(inMessage, DirectoryException.class, () -> check(entry));
        assertEquals(e.getMessage(), code, e.resultCode());
        assertTrue(e.getMessage(), e.getMessage().contains(inMessage));
    }

    @Test
    public void valuesThatAreNotChangedAreNotCheckedAgain() throws DirectoryException {
        List<Attribute> user = person(attribute("employeeNumber", "1", "2"), attribute("manager", "no name"));
        assertEquals("inetOrgPerson", CHECKER.check(entry(user), "cn"::equals).name());
        DirectoryException e = assertThrows(DirectoryException.class, () ->
                CHECKER.check(entry(user), "manager"::equals));
        assertEquals(e.getMessage(), ResultCode.INVALID_ATTRIBUTE_SYNTAX, e.resultCode());
        DirectoryException forbidden = assertThrows(DirectoryException.class, () ->
                CHECKER.check(entry(person(attribute("dc", "x"))), attribute -> false));
        assertEquals(ResultCode.OBJECT_CLASS_VIOLATION, forbidden.resultCode());
    }

    @Test
    public void aGoodEntryHasAStructuralClass() throws DirectoryException {
        assertEquals("inetOrgPerson", check(person(attribute("objectClass", "top", "PERSON", "2.16.840.1.113730.3.2.2",
                "organizationalPerson", "uidObject"), attribute("uid", "a"), attribute("cn;lang-de", "x"))).name());
        assertEquals("pilotOrganization", check(List.of(attribute("objectClass", "organization", "pilotOrganization",
                "organizationalUnit"), attribute("o", "x"), attribute("ou", "x"))).name());
    }

    @Test
    @Requirement(rfc = 4512, section = "2.4", text = "One structural chain; required and allowed attributes")
    public void objectClasses() {
        ResultCode code = ResultCode.OBJECT_CLASS_VIOLATION;
        assertRefused(code, "objectClass is missing", List.of(attribute("cn", "x")));
        assertRefused(code, "nonsense", person(attribute("objectClass", "person", "nonsense")));
        assertRefused(code, "no structural object class among [top]", List.of(attribute("objectClass", "top")));
        assertRefused(code, "no structural", List.of(attribute("objectClass", "uidObject"), attribute("uid", "x")));
        assertRefused(code, "person and device are not in one chain", person(attribute("objectClass", "person", "device")));
        assertRefused(code, "requires the attribute sn", person(attribute("sn")));
        assertRefused(code, "uidObject requires the attribute uid", person(attribute("objectClass", "person", "uidObject")));
        assertRefused(code, "the attribute dc is not allowed", person(attribute("dc", "x")));
        assertRefused(code, "the attribute dc;x-y is not allowed", person(attribute("dc;x-y", "x")));
    }

    @Test
    public void extensibleObjectAllowsAnyKnownAttribute() throws DirectoryException {
        check(person(attribute("objectClass", "person", "extensibleObject"), attribute("dc", "x")));
        assertRefused(ResultCode.UNDEFINED_ATTRIBUTE_TYPE, "nonsense",
                person(attribute("objectClass", "person", "extensibleObject"), attribute("nonsense", "x")));
    }

    @Test
    @Requirement(rfc = 4512, section = "2.5.1", text = "Single values, no two equal ones, syntax")
    public void values() throws DirectoryException {
        assertRefused(ResultCode.INVALID_ATTRIBUTE_SYNTAX, "mail: the value \"\\c3\\a9\" is not of syntax IA5 String",
                person(attribute("mail", "\u00e9")));
        assertRefused(ResultCode.INVALID_ATTRIBUTE_SYNTAX, "Directory String", person(attribute("description", "")));
        assertRefused(ResultCode.INVALID_ATTRIBUTE_SYNTAX, "not a character", person(attribute("description", "\uffff")));
        assertRefused(ResultCode.CONSTRAINT_VIOLATION, "displayName takes one value",
                person(attribute("displayName", "a", "b")));
        assertRefused(ResultCode.ATTRIBUTE_OR_VALUE_EXISTS, "\"x Y\" twice",
                person(attribute("description", "X  y", "z", "x Y")));
        assertRefused(ResultCode.ATTRIBUTE_OR_VALUE_EXISTS, "twice", person(attribute("objectClass", "person", "2.5.6.6")));
        assertRefused(ResultCode.ATTRIBUTE_OR_VALUE_EXISTS, "twice", person(attribute("commonName", "x")));
        String[] many = IntStream.range(0, 50).mapToObj(i -> "v" + i).toArray(String[]::new);
        check(person(attribute("description", many)));
        many[49] = "V0";
        assertRefused(ResultCode.ATTRIBUTE_OR_VALUE_EXISTS, "\"V0\" twice", person(attribute("description", many)));
    }
}
