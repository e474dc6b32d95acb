package org.alder.partition.update;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.List;
import org.alder.partition.entry.Attribute;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.rule.EntryLimits;
import org.alder.partition.testing.Requirement;
import org.alder.partition.testing.TextDirectory;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;

/** Each way in which an update must fail: the result code, a telling word of the message, matchedDN, and nothing changed. */
@RunWith(Parameterized.class)
public final class UpdateResultCodesTest {
    private static final String BASE = "dc=example,dc=com";
    private static final String PEOPLE = "ou=people," + BASE;
    private static final String ANN = "cn=Ann," + PEOPLE;

    /** An operation on the directory that {@link #directory} sets up. */
    private interface Operation {
        void on(TextDirectory directory) throws DirectoryException;
    }

    private record Case(String name, ResultCode code, String word, String matchedDn, Operation operation) {
        @Override
        public String toString() {
            return name + " -> " + code;
        }
    }

    @Parameterized.Parameter
    public Case test;

    private static Case fails(String name, ResultCode code, String word, Operation operation) {
        return new Case(name, code, word, "", operation);
    }

    private static Case unmatched(String name, String matchedDn, Operation operation) {
        return new Case(name, ResultCode.NO_SUCH_OBJECT, "", matchedDn, operation);
    }

    @Parameterized.Parameters(name = "{0}")
    public static List<Case> cases() {
        return List.of(
                unmatched("add below a missing entry", PEOPLE, d -> d.addPerson("cn=x,ou=none,ou=People,dc=EXAMPLE,dc=com")),
                unmatched("add outside of the suffix", "", d -> d.addPerson("cn=x,dc=example,dc=org")),
                unmatched("add above the suffix", "", d -> d.add("dc=com", "objectClass: domain")),
                fails("add what exists", ResultCode.ENTRY_ALREADY_EXISTS, "cn=ANN,ou=people",
                        d -> d.addPerson("cn=ANN,ou=People,dc=Example,dc=com")),
                fails("add the suffix twice", ResultCode.ENTRY_ALREADY_EXISTS, BASE, TextDirectory::withSuffix),
                fails("add below an alias", ResultCode.ALIAS_PROBLEM, "ou=link", d -> d.addPerson("cn=x,ou=link," + BASE)),
                fails("add without a required attribute", ResultCode.OBJECT_CLASS_VIOLATION, "sn",
                        d -> d.add("cn=x," + BASE, "objectClass: person")),
                fails("add an attribute no class allows", ResultCode.OBJECT_CLASS_VIOLATION, "uidNumber",
                        d -> d.addPerson("cn=x," + BASE, "uidNumber: 1")),
                fails("add without object class", ResultCode.OBJECT_CLASS_VIOLATION, "", d -> d.add("cn=x," + BASE, "sn: x")),
                fails("add an unknown attribute", ResultCode.UNDEFINED_ATTRIBUTE_TYPE, "shoeSize",
                        d -> d.addPerson("cn=x," + BASE, "shoeSize: 43")),
                fails("add a value of wrong syntax", ResultCode.INVALID_ATTRIBUTE_SYNTAX, "manager",
                        d -> d.addPerson("cn=x," + BASE, "manager: no DN")),
                fails("add equal values", ResultCode.ATTRIBUTE_OR_VALUE_EXISTS, "description",
                        d -> d.addPerson("cn=x," + BASE, "description: a b", "description: A  B")),
                fails("add equal values under two names", ResultCode.ATTRIBUTE_OR_VALUE_EXISTS, "",
                        d -> d.addPerson("cn=x," + BASE, "surname: SURNAME")),
                fails("add two values to a single-valued attribute", ResultCode.CONSTRAINT_VIOLATION, "employeeNumber",
                        d -> d.addPerson("cn=x," + BASE, "employeeNumber: 1", "employeeNumber: 2")),
                fails("add a timestamp", ResultCode.CONSTRAINT_VIOLATION, "createTimestamp",
                        d -> d.addPerson("cn=x," + BASE, "createTimestamp: 20260101000000Z")),
                fails("add an entryUUID", ResultCode.CONSTRAINT_VIOLATION, "entryUUID",
                        d -> d.addPerson("cn=x," + BASE, "entryUUID: 597ae2f6-16a6-1027-98f4-d28b5365dc14")),
                fails("add with an RDN against a single value", ResultCode.NAMING_VIOLATION, "employeeNumber",
                        d -> d.addPerson("employeeNumber=2," + BASE, "cn: x", "employeeNumber: 1")),
                fails("add with an operational RDN", ResultCode.NAMING_VIOLATION, "operational",
                        d -> d.addPerson("createTimestamp=20260101000000Z," + BASE, "cn: x")),
                fails("add an attribute without values", ResultCode.PROTOCOL_ERROR, "description",
                        UpdateResultCodesTest::addNoValues),
                fails("add the empty DN", ResultCode.NAMING_VIOLATION, "", d -> d.addPerson("", "cn: x")),

                unmatched("delete what is missing", ANN, d -> d.delete("cn=child," + ANN)),
                unmatched("delete outside of the suffix", "", d -> d.delete("dc=org")),
                fails("delete an entry with children", ResultCode.NOT_ALLOWED_ON_NON_LEAF, "only leaves",
                        d -> d.delete(PEOPLE)),

                unmatched("modify what is missing", PEOPLE, d -> d.modify("cn=none," + PEOPLE, "add description: x")),
                fails("modify: add a value that is there", ResultCode.ATTRIBUTE_OR_VALUE_EXISTS, "BLUE",
                        d -> d.modify(ANN, "add description: BLUE")),
                fails("modify: add a value twice", ResultCode.ATTRIBUTE_OR_VALUE_EXISTS, "New",
                        d -> d.modify(ANN, "add description: new|New")),
                fails("modify: add no value", ResultCode.PROTOCOL_ERROR, "description",
                        d -> d.modify(ANN, "add description")),
                fails("modify: delete a missing value", ResultCode.NO_SUCH_ATTRIBUTE, "green",
                        d -> d.modify(ANN, "delete description: green")),
                fails("modify: delete a value twice", ResultCode.NO_SUCH_ATTRIBUTE, "Blue",
                        d -> d.modify(ANN, "delete description: blue|Blue")),
                fails("modify: delete a missing attribute", ResultCode.NO_SUCH_ATTRIBUTE, "title",
                        d -> d.modify(ANN, "delete title")),
                fails("modify: delete a value of a missing attribute", ResultCode.NO_SUCH_ATTRIBUTE, "title",
                        d -> d.modify(ANN, "delete title: x")),
                fails("modify: replace by equal values", ResultCode.ATTRIBUTE_OR_VALUE_EXISTS, "twice",
                        d -> d.modify(ANN, "replace description: a|A")),
                fails("modify: the last of three fails", ResultCode.NO_SUCH_ATTRIBUTE, "title",
                        d -> d.modify(ANN, "add description: x", "replace sn: y", "delete title")),
                fails("modify: unknown attribute", ResultCode.UNDEFINED_ATTRIBUTE_TYPE, "shoeSize",
                        d -> d.modify(ANN, "replace shoeSize: 43")),
                fails("modify: wrong syntax", ResultCode.INVALID_ATTRIBUTE_SYNTAX, "manager",
                        d -> d.modify(ANN, "add manager: no DN")),
                fails("modify: a timestamp", ResultCode.CONSTRAINT_VIOLATION, "modifyTimestamp",
                        d -> d.modify(ANN, "replace modifyTimestamp: 20260101000000Z")),
                fails("modify: second value of a single-valued attribute", ResultCode.CONSTRAINT_VIOLATION, "employeeNumber",
                        d -> d.modify(ANN, "add employeeNumber: 8")),
                fails("modify: a required attribute goes", ResultCode.OBJECT_CLASS_VIOLATION, "sn",
                        d -> d.modify(ANN, "delete sn")),
                fails("modify: an attribute no class allows", ResultCode.OBJECT_CLASS_VIOLATION, "uidNumber",
                        d -> d.modify(ANN, "add uidNumber: 1")),
                fails("modify: delete the RDN's value", ResultCode.NOT_ALLOWED_ON_RDN, "rename",
                        d -> d.modify(ANN, "add cn: Other", "delete cn: ann")),
                fails("modify: replace the RDN's attribute", ResultCode.NOT_ALLOWED_ON_RDN, "Ann",
                        d -> d.modify(ANN, "replace cn: Other")),
                fails("modify: another structural class", ResultCode.OBJECT_CLASS_MODS_PROHIBITED, "inetOrgPerson",
                        d -> d.modify(ANN, "delete objectClass: inetOrgPerson", "delete employeeNumber", "delete audio")),
                fails("modify: add to an attribute without equality rule", ResultCode.INAPPROPRIATE_MATCHING, "audio",
                        d -> d.modify(ANN, "add audio: second")),
                fails("modify: delete from an attribute without equality rule", ResultCode.INAPPROPRIATE_MATCHING, "audio",
                        d -> d.modify(ANN, "delete audio: first")),
                fails("increment a missing attribute", ResultCode.NO_SUCH_ATTRIBUTE, "gidNumber",
                        d -> d.modify(ANN, "increment gidNumber: 1")),
                fails("increment text", ResultCode.CONSTRAINT_VIOLATION, "description",
                        d -> d.modify(ANN, "increment description: 1")),
                fails("increment by text", ResultCode.INVALID_ATTRIBUTE_SYNTAX, "many",
                        d -> d.modify("cn=staff," + BASE, "increment gidNumber: many")),
                fails("increment by two numbers", ResultCode.PROTOCOL_ERROR, "gidNumber",
                        d -> d.modify("cn=staff," + BASE, "increment gidNumber: 1|2")),

                unmatched("rename what is missing", PEOPLE, d -> d.rename("cn=none," + PEOPLE, "cn=x", true, null)),
                unmatched("move below a missing entry", BASE, d -> d.rename(ANN, "cn=Ann", false, "ou=none," + BASE)),
                fails("rename to a taken name", ResultCode.ENTRY_ALREADY_EXISTS, "cn=BOB",
                        d -> d.rename(ANN, "cn=BOB", true, null)),
                fails("move to a taken name", ResultCode.ENTRY_ALREADY_EXISTS, "cn=bob",
                        d -> d.rename(ANN, "cn=bob", true, PEOPLE)),
                fails("move below itself", ResultCode.UNWILLING_TO_PERFORM, "below itself",
                        d -> d.rename(ANN, "cn=Ann", false, ANN)),
                fails("move below its child", ResultCode.UNWILLING_TO_PERFORM, "below itself",
                        d -> d.rename(PEOPLE, "ou=people", false, "CN=ann,OU=people,dc=example,dc=com")),
                fails("move out of the partition", ResultCode.AFFECTS_MULTIPLE_DSAS, "dc=org",
                        d -> d.rename(ANN, "cn=Ann", false, "dc=org")),
                fails("rename the suffix entry", ResultCode.UNWILLING_TO_PERFORM, "suffix",
                        d -> d.rename(BASE, "dc=x", true, null)),
                fails("move below an alias", ResultCode.ALIAS_PROBLEM, "ou=link",
                        d -> d.rename(ANN, "cn=Ann", false, "ou=link," + BASE)),
                fails("rename to an operational attribute", ResultCode.NAMING_VIOLATION, "operational",
                        d -> d.rename(ANN, "modifyTimestamp=20260101000000Z", true, null)),
                fails("rename to an attribute no class allows", ResultCode.OBJECT_CLASS_VIOLATION, "uidNumber",
                        d -> d.rename(ANN, "uidNumber=1", false, null)),
                fails("rename takes the last required value", ResultCode.OBJECT_CLASS_VIOLATION, "cn",
                        d -> d.rename(ANN, "description=blue", true, null)),
                fails("rename to the second value of a single-valued attribute", ResultCode.CONSTRAINT_VIOLATION,
                        "employeeNumber",
                        d -> d.rename(ANN, "employeeNumber=8", false, null)));
    }

    private static void addNoValues(TextDirectory directory) throws DirectoryException {
        new EntryPreparation(TextDirectory.SCHEMA, EntryLimits.STANDARD).prepareAdd(TextDirectory.dn("cn=x," + BASE),
                List.of(new Attribute("description", List.of())), TextDirectory.ORIGIN);
    }

    private static TextDirectory directory() throws DirectoryException {
        TextDirectory directory = new TextDirectory().withSuffix();
        directory.add(PEOPLE, "objectClass: organizationalUnit");
        directory.addPerson(ANN, "description: blue", "description: red", "employeeNumber: 7", "audio: first");
        directory.addPerson("cn=Bob," + PEOPLE);
        directory.add("ou=link," + BASE, "objectClass: alias", "objectClass: extensibleObject", "aliasedObjectName: " + PEOPLE,
                "ou: link");
        directory.add("cn=staff," + BASE, "objectClass: groupOfNames", "objectClass: posixGroup", "member: " + ANN,
                "gidNumber: 41");
        return directory;
    }

    @Test
    @Requirement(rfc = 4511, section = "4.6 to 4.9, A", text = "Result codes of updates that cannot be")
    public void failsAsTheStandardSaysAndChangesNothing() throws DirectoryException {
        TextDirectory directory = directory();
        long sequence = directory.partition().store().maintenance().status().sequence();
        DirectoryException e = assertThrows(test.name(), DirectoryException.class, () -> test.operation().on(directory));
        assertEquals(e.getMessage(), test.code(), e.resultCode());
        assertTrue(e.getMessage(), e.getMessage().contains(test.word()));
        assertEquals(test.matchedDn(), e.matchedDn());
        assertEquals(sequence, directory.partition().store().maintenance().status().sequence());
        assertEquals(List.of(), directory.check().problems());
    }
}
