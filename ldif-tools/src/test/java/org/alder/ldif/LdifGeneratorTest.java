package org.alder.ldif;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.alder.ldif.progress.Progress;
import org.junit.Test;

public class LdifGeneratorTest {

    private final LdifGenerator generator = new LdifGenerator(LdifGenerator.DEFAULT_SEED);

    private static String generated(LdifGenerator generator, long entries) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (LdifWriter writer = new LdifWriter(out)) {
            generator.writeTo(writer, entries, Progress.NONE);
        }
        return out.toString(StandardCharsets.US_ASCII);
    }

    @Test
    public void firstEntriesNeverChange() throws Exception {
        assertEquals("""
            version: 1

            dn: dc=example,dc=com
            objectClass: top
            objectClass: domain
            dc: example

            dn: ou=users,dc=example,dc=com
            objectClass: top
            objectClass: organizationalUnit
            ou: users

            dn: uid=user.1,ou=users,dc=example,dc=com
            uid: user.1
            initials: mm
            description: mvNUzwtUlxUqGMwakjiB
            pager: OBmvYVuyQk
            cn: VboWWloDxTIOZui
            postalCode: aUSmD
            st: nl
            street: ohPwSGJjZOuLzWxvnxGY
            l: yLMuMfCxCn
            objectClass: top
            objectClass: person
            objectClass: organizationalPerson
            objectClass: inetOrgPerson
            sn: ejsOAnmVJ
            homePhone: iVPmDXbkTq
            mobile: MpqdxodIFR
            telephoneNumber: 8785266644
            mail: xUAeSCtEkGEHmML
            givenName: JAZTZR
            postalAddress: wfEZQAYLCvFRqBaCOQRJ
            employeeNumber: 1
            userPassword: password
            employeeType: beta
            departmentNumber: 9
            """, generated(generator, 1));
    }

    @Test
    public void everyPartCanBeMadeAlone() throws Exception {
        List<LdifRecord> whole = Ldif.read(generated(generator, 50));
        assertEquals(52, whole.size());
        for (int i = 50; i > 0; i--) {
            LdifEntry alone = new LdifGenerator(42).entry(i);
            assertEquals(alone.dn(), whole.get(i + 1).dn());
            assertEquals(alone.attributes(), ((LdifEntry) whole.get(i + 1)).attributes());
        }
        assertNotEquals(generated(generator, 5), generated(new LdifGenerator(43), 5));
        assertThrows(IllegalArgumentException.class, () -> generator.entry(0));
    }

    @Test
    public void valuesHaveTheSeedsShapes() {
        Map<String, String> shapes = Map.ofEntries(Map.entry("uid", "user\\.[0-9]+"), Map.entry("initials", "[a-z]{2}"),
            Map.entry("description", "[a-zA-Z]{20}"), Map.entry("pager", "[a-zA-Z]{10}"), Map.entry("cn", "[a-zA-Z]{15}"),
            Map.entry("postalCode", "[a-zA-Z]{5}"), Map.entry("st", "[a-z]{2}"), Map.entry("street", "[a-zA-Z]{20}"),
            Map.entry("l", "[a-zA-Z]{10}"), Map.entry("objectClass", "top|person|organizationalPerson|inetOrgPerson"),
            Map.entry("sn", "[a-zA-Z]{9}"), Map.entry("homePhone", "[a-zA-Z]{10}"), Map.entry("mobile", "[a-zA-Z]{10}"),
            Map.entry("telephoneNumber", "[0-9]{10}"), Map.entry("mail", "[a-zA-Z]{15}"), Map.entry("givenName", "[A-Z]{6}"),
            Map.entry("postalAddress", "[a-zA-Z]{20}"), Map.entry("employeeNumber", "[0-9]+"),
            Map.entry("userPassword", "password"), Map.entry("employeeType", "alpha|beta"),
            Map.entry("departmentNumber", "[0-9]"));
        for (int i = 1; i <= 1000; i++) {
            LdifEntry entry = generator.entry(i);
            assertEquals(24, entry.attributes().size());
            for (LdifAttribute attribute : entry.attributes()) {
                assertTrue(attribute.toString(), attribute.text().matches(shapes.get(attribute.description())));
            }
        }
    }

    @Test
    public void initialsTypesAndDepartmentsAreUniformAndIndependent() {
        int entries = 100_000;
        Map<String, Map<String, Integer>> counts = new TreeMap<>();
        int alphaInDepartment3 = 0;
        for (int i = 1; i <= entries; i++) {
            Map<String, String> values = generator.entry(i).attributes().stream()
                .collect(Collectors.toMap(LdifAttribute::description, LdifAttribute::text, (a, b) -> b));
            for (String name : List.of("initials", "st", "employeeType", "departmentNumber")) {
                counts.computeIfAbsent(name, n -> new TreeMap<>()).merge(values.get(name), 1, Integer::sum);
            }
            boolean both = values.get("employeeType").equals("alpha") && values.get("departmentNumber").equals("3");
            alphaInDepartment3 += both ? 1 : 0;
        }
        assertUniform(counts.get("initials"), 676, entries);
        assertUniform(counts.get("st"), 676, entries);
        assertUniform(counts.get("employeeType"), 2, entries);
        assertUniform(counts.get("departmentNumber"), 10, entries);
        assertEquals(entries / 20.0, alphaInDepartment3, 6 * Math.sqrt(entries / 20.0));
    }

    /** Each count within six standard deviations, and all of them together as chi-square wants it. */
    private static void assertUniform(Map<String, Integer> counts, int kinds, int entries) {
        assertEquals(kinds, counts.size());
        double expected = (double) entries / kinds;
        double chiSquare = 0;
        for (Map.Entry<String, Integer> count : counts.entrySet()) {
            double off = count.getValue() - expected;
            assertEquals(count.toString(), expected, count.getValue(), 6 * Math.sqrt(expected));
            chiSquare += off * off / expected;
        }
        assertTrue("chi-square " + chiSquare, chiSquare < kinds + 6 * Math.sqrt(2.0 * kinds));
    }

    @Test
    public void initialsAreWhatAPlainCountOfTheTextFinds() throws Exception {
        String text = generated(generator, 5000);
        long inText = Arrays.stream(text.split("\n")).filter("initials: aa"::equals).count();
        long inEntries = 0;
        for (int i = 1; i <= 5000; i++) {
            inEntries += generator.entry(i).attributes().contains(LdifAttribute.of("initials", "aa")) ? 1 : 0;
        }
        assertEquals(inEntries, inText);
        assertTrue("some", inText > 0);
    }

    @Test
    public void realisticUsersNeverChange() throws Exception {
        String text = generated(new LdifGenerator(42, SampleValues.REALISTIC), 1);
        String user = text.substring(text.indexOf("dn: uid=user.1,"));
        assertEquals("""
            dn: uid=user.1,ou=users,dc=example,dc=com
            uid: user.1
            initials: md
            description:: Q3VzdG9tZXIgU3VwcG9ydCBTcGVjaWFsaXN0LCBGaW5hbmNlLCBLcmFrw7N3
            pager: +48 12 367401
            cn: Marta Dubois
            postalCode: 30438
            st: malopolskie
            street: 181 Via Roma
            l:: S3Jha8Ozdw==
            objectClass: top
            objectClass: person
            objectClass: organizationalPerson
            objectClass: inetOrgPerson
            sn: Dubois
            homePhone: +48 12 1157524
            mobile: +48 12 9934819
            telephoneNumber: +48 12 555 0299
            mail: marta.dubois.1@example.com
            givenName: Marta
            postalAddress:: MTgxIFZpYSBSb21hJDMwNDM4IEtyYWvDs3c=
            title: Customer Support Specialist
            employeeNumber: 1
            userPassword: password
            employeeType: alpha
            departmentNumber: 2
            """, user);
    }

    @Test
    public void realisticUsersHaveTheSameAttributesAndPlausibleValues() {
        LdifGenerator realistic = new LdifGenerator(42, SampleValues.REALISTIC);
        Map<String, Integer> families = new TreeMap<>();
        for (int i = 1; i <= 2000; i++) {
            LdifEntry entry = realistic.entry(i);
            assertEquals("uid=user." + i + ",ou=users,dc=example,dc=com", entry.dn());
            Map<String, String> values = entry.attributes().stream()
                .collect(Collectors.toMap(LdifAttribute::description, LdifAttribute::text, (a, b) -> b));
            for (LdifAttribute attribute : generator.entry(i).attributes()) {
                assertTrue(attribute.description(), values.containsKey(attribute.description()));
            }
            assertEquals(values.get("givenName") + " " + values.get("sn"), values.get("cn"));
            assertTrue(values.get("mail"), values.get("mail").matches("[a-z]+\\.[a-z]+\\." + i + "@example\\.com"));
            assertTrue(values.get("initials"), values.get("initials").matches("[a-z]{2}"));
            assertTrue(values.get("telephoneNumber"), values.get("telephoneNumber").matches("\\+[0-9]+ [0-9]+ 555 [0-9]{4}"));
            assertEquals(values.get("street") + "$" + values.get("postalCode") + " " + values.get("l"),
                    values.get("postalAddress"));
            families.merge(values.get("sn"), 1, Integer::sum);
        }
        assertTrue("names repeat, common ones more: " + families, families.size() > 40
            && families.get("Smith") > 3 * families.get("Papadopoulos"));
    }

    @Test
    public void realisticUsersDependOnTheSeedAndCanBeMadeAlone() {
        LdifGenerator realistic = new LdifGenerator(42, SampleValues.REALISTIC);
        assertEquals(realistic.entry(77).attributes(), new LdifGenerator(42, SampleValues.REALISTIC).entry(77).attributes());
        assertNotEquals(realistic.entry(77).attributes(), new LdifGenerator(43, SampleValues.REALISTIC).entry(77).attributes());
        assertNotEquals(realistic.entry(77).attributes(), new LdifGenerator(42).entry(77).attributes());
    }
}
