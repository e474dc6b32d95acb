package org.alder.partition.update;

import static org.alder.partition.testing.TextDirectory.utf8;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.request.Modification;
import org.alder.partition.rule.EntryLimits;
import org.alder.partition.rule.EntryRules;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.testing.Await;
import org.alder.partition.testing.TextDirectory;
import org.junit.Before;
import org.junit.Test;

/**
 * The thread that makes all updates never does work that grows with the square of what one request sends or an entry has. The
 * limits of time are those of a wait: quadratic work takes many minutes here.
 */
public final class LinearUpdatesTest {
    private static final String ANN = "cn=Ann,dc=example,dc=com";

    private TextDirectory directory;
    private Updates updates;

    @Before
    public void setUp() throws DirectoryException {
        directory = new TextDirectory().withSuffix();
        directory.addPerson(ANN, "employeeNumber: 1");
        updates = new Updates(directory.partition());
    }

    private EntryRecord modify(List<Modification> modifications) {
        return updates.modify(TextDirectory.dn(ANN), modifications, TextDirectory.ORIGIN).join().record();
    }

    private EntryRecord modify(Modification.Kind kind, String description, List<byte[]> values) {
        return modify(List.of(new Modification(kind, description, values)));
    }

    private static List<byte[]> numbers(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> utf8("value number " + i)).toList();
    }

    private static int count(EntryRecord record, String description) {
        return TextDirectory.values(record, description).size();
    }

    @Test(timeout = Await.MILLIS)
    public void halfOfManyValuesAreDeletedAndTheOthersReplaced() {
        int many = 300_000;
        modify(Modification.Kind.ADD, "description", numbers(0, many));
        assertEquals(many / 2, count(modify(Modification.Kind.DELETE, "description", numbers(many / 2, many)), "description"));
        assertEquals(List.of("one"), TextDirectory.values(
                modify(Modification.Kind.REPLACE, "description", List.of(utf8("one"))), "description"));
    }

    @Test(timeout = Await.MILLIS)
    public void fiftyThousandPasswordsAreReplacedByOne() {
        modify(Modification.Kind.ADD, "userPassword", numbers(0, 50_000));
        assertEquals(25_000, count(modify(Modification.Kind.DELETE, "userPassword", numbers(0, 25_000)), "userPassword"));
        assertEquals(1, count(modify(Modification.Kind.REPLACE, "userPassword", numbers(7, 8)), "userPassword"));
    }

    /** The forms of values are the keys of maps: who chooses them so that all have one hash makes no map slow. */
    @Test(timeout = Await.MILLIS)
    public void valuesWithEqualHashesAreOrdinaryValues() {
        for (String[] alike : new String[][] {{"Aa", "BB"}, {"aA", "BB"}}) {
            List<byte[]> values = new ArrayList<>();
            for (int i = 0; i < 1 << 16; i++) {
                StringBuilder text = new StringBuilder();
                for (int bit = 0; bit < 16; bit++) {
                    text.append(alike[i >> bit & 1]);
                }
                values.add(utf8(text.toString()));
            }
            Collections.shuffle(values, new Random(1));
            assertEquals(values.size(), count(modify(Modification.Kind.REPLACE, "userPassword", values), "userPassword"));
            assertEquals(1, count(modify(Modification.Kind.DELETE, "userPassword", values.subList(1, values.size())),
                    "userPassword"));
        }
    }

    @Test
    public void descriptionsHaveAnOrderThatSuitsTheirEquality() throws DirectoryException {
        AttributeDescription one = TextDirectory.SCHEMA.description("cn;lang-en;x-b");
        assertEquals(0, one.compareTo(TextDirectory.SCHEMA.description("commonName;X-B;lang-EN")));
        assertEquals(-1, Integer.signum(one.compareTo(TextDirectory.SCHEMA.description("cn;lang-en;x-c"))));
    }

    @Test(timeout = Await.MILLIS)
    public void manyAttributesAreChangedInOneRequest() {
        int many = 60_000;
        directory.reopen(directory.partition().store(), EntryRules.standard(TextDirectory.SCHEMA)
                .withLimits(new EntryLimits(EntryRecord.MAX_BYTES, 2 * many, many, 10)));
        updates = new Updates(directory.partition());
        List<Modification> add = new ArrayList<>();
        List<Modification> delete = new ArrayList<>();
        for (int i = 0; i < many; i++) {
            add.add(new Modification(Modification.Kind.ADD, "description;x-" + i, List.of(utf8("v"))));
            delete.add(new Modification(Modification.Kind.DELETE, "DESCRIPTION;X-" + i, List.of()));
        }
        assertEquals(1, count(modify(add), "description;x-" + (many - 1)));
        assertEquals(0, count(modify(delete), "description;x-" + (many - 1)));
    }

    @Test(timeout = Await.MILLIS)
    public void anAttributeIsAddedInManyParts() {
        List<Attribute> attributes = new ArrayList<>(List.of(
                new Attribute("objectClass", List.of(utf8("device"))), new Attribute("cn", List.of(utf8("parts")))));
        int many = 400_000;
        for (int i = 0; i < many; i++) {
            attributes.add(new Attribute("description", List.of(utf8("part " + i))));
        }
        EntryRecord added = updates.add(TextDirectory.dn("cn=parts,dc=example,dc=com"), attributes, TextDirectory.ORIGIN).join()
                .record();
        assertEquals(many, count(added, "description"));
    }

    @Test(timeout = Await.MILLIS)
    public void aClassThatIsGivenAMillionTimesIsRefused() {
        List<Attribute> attributes = List.of(new Attribute("objectClass", Collections.nCopies(1_000_000, utf8("inetOrgPerson"))),
                new Attribute("cn", List.of(utf8("x"))), new Attribute("sn", List.of(utf8("x"))));
        refused(ResultCode.ATTRIBUTE_OR_VALUE_EXISTS,
                () -> updates.add(TextDirectory.dn("cn=x,dc=example,dc=com"), attributes, TextDirectory.ORIGIN).join());
    }

    private static void refused(ResultCode code, Runnable update) {
        CompletionException e = assertThrows(CompletionException.class, update::run);
        assertEquals(e.toString(), code, ((DirectoryException) e.getCause()).resultCode());
    }

    private static byte[] digits(int count) {
        return "7".repeat(count).getBytes(StandardCharsets.US_ASCII);
    }

    private static List<Modification> increments(int count, byte[] amount) {
        return Collections.nCopies(count, new Modification(Modification.Kind.INCREMENT, "uidNumber", List.of(amount)));
    }

    /** There is no such entry: that an amount of millions of digits comes first shows that no writer was asked. */
    @Test(timeout = Await.MILLIS)
    public void theAmountOfAnIncrementIsCheckedBeforeTheWriterIsAsked() {
        for (byte[] amount : new byte[][] {digits(5_000_000), utf8("one"), utf8(""), utf8("+1")}) {
            refused(ResultCode.INVALID_ATTRIBUTE_SYNTAX, () -> updates.modify(TextDirectory.dn("cn=none,dc=example,dc=com"),
                    increments(1, amount), TextDirectory.ORIGIN).join());
        }
    }

    @Test(timeout = Await.MILLIS)
    public void incrementsReadOnlySoManyDigits() throws DirectoryException {
        directory.modify(ANN, "add objectClass: posixAccount", "add uid: ann", "add uidNumber: 1", "add gidNumber: 1", "add homeDirectory: /");
        modify(increments(200, digits(4_000)));
        refused(ResultCode.ADMIN_LIMIT_EXCEEDED, () -> modify(increments(100_000, digits(4_000))));
        refused(ResultCode.CONSTRAINT_VIOLATION, () -> modify(Modification.Kind.INCREMENT, "description",
                List.of(utf8("1"))));
    }

    /** Values of before their syntax was checked, or of another schema. */
    @Test(timeout = Await.MILLIS)
    public void aStoredValueOfTooManyDigitsIsNotIncremented() {
        long suffix = directory.read("dc=example,dc=com").id();
        directory.partition().submit(context -> {
            context.add(context.allocateId(), EntryRecord.of(suffix, utf8("cn=long"), List.of(
                    new Attribute("objectClass", List.of(utf8("device"))), new Attribute("cn", List.of(utf8("long"))),
                    new Attribute("uidNumber", List.of(digits(5_000)))), List.of()));
            return null;
        }).join();
        refused(ResultCode.INVALID_ATTRIBUTE_SYNTAX, () -> updates.modify(TextDirectory.dn("cn=long,dc=example,dc=com"),
                increments(1, utf8("1")), TextDirectory.ORIGIN).join());
    }
}
