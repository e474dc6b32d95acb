package org.alder.ldif;

import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.alder.partition.testing.Seed;
import org.junit.Test;

/** Round trips of random records, truncation and mutation of valid text. */
public class LdifFuzzTest {
    private static final LdifOptions OPTIONS = LdifOptions.DEFAULT.withMaxRecordBytes(200).withMaxValueBytes(100);

    private static final String SAMPLE = """
        version: 1
        # a comment
          folded
        dn: uid=user.1,ou=users,dc=example,dc=com
        uid: user.1
        userPassword:: cGFzc3dvcmQ=
        description;lang-de: folded te
         xt
        empty:

        dn:: dWlkPcO8
        control: 1.2.3 true:: AAE=
        changetype: add
        uid: \u00fc

        dn: cn=b
        changetype: modify
        add: cn
        cn: x
        -
        delete: sn
        -

        dn: cn=c
        changetype: moddn
        newrdn: cn=d
        deleteoldrdn: 1
        newsuperior: ou=x

        dn: cn=e
        control: 1.2
        changetype: delete
        """;

    @Test
    public void everyPrefixIsAPrefixOfTheRecordsOrAClearError() throws Exception {
        for (String text : List.of(SAMPLE, SAMPLE.replace("\n", "\r\n"))) {
            byte[] whole = Ldif.bytes(text);
            List<LdifRecord> all = Ldif.read(text);
            assertEquals(5, all.size());
            for (int length = 0; length < whole.length; length++) {
                List<LdifRecord> found = Ldif.readLeniently(Arrays.copyOf(whole, length), OPTIONS);
                int complete = Math.max(0, found.size() - 1);
                assertEquals("length " + length, all.subList(0, complete), found.subList(0, complete));
                if (!found.isEmpty()) {
                    assertEquals(all.get(complete).line(), found.get(complete).line());
                }
            }
        }
    }

    @Test
    public void mutatedTextGivesRecordsOrLdifExceptions() throws Exception {
        Random random = Seed.random(LdifFuzzTest.class);
        byte[] whole = Ldif.bytes(SAMPLE);
        for (int round = 0; round < 40_000; round++) {
            byte[] text = mutate(whole, random);
            try {
                for (LdifRecord record : Ldif.readLeniently(text, OPTIONS)) {
                    List<LdifRecord> back = Ldif.read(Ldif.write(List.of(record), 76), LdifOptions.DEFAULT);
                    assertEquals(Ldif.withoutLine(record), Ldif.withoutLine(back.get(0)));
                }
            } catch (RuntimeException | LdifException e) {
                throw new AssertionError("input " + Arrays.toString(text), e);
            }
        }
    }

    @Test
    public void randomRecordsComeBackAsTheyWere() throws Exception {
        Random random = Seed.random(LdifFuzzTest.class);
        for (int round = 0; round < 300; round++) {
            List<LdifRecord> records = new ArrayList<>();
            for (int i = random.nextInt(20); i > 0; i--) {
                records.add(randomRecord(random));
            }
            int columns = List.of(0, 2, 10, 76, 1000).get(random.nextInt(5));
            List<LdifRecord> back = Ldif.read(Ldif.write(records, columns), LdifOptions.DEFAULT);
            assertEquals(records, back.stream().map(Ldif::withoutLine).toList());
        }
    }

    private static byte[] mutate(byte[] whole, Random random) {
        byte[] text = whole.clone();
        for (int i = random.nextInt(6); i >= 0; i--) {
            int at = random.nextInt(text.length);
            switch (random.nextInt(4)) {
                case 0 -> text[at] = (byte) random.nextInt(256);
                case 1 -> text[at] = (byte) "\r\n :<-=#;\0".charAt(random.nextInt(10));
                case 2 -> text = splice(text, at, 0, at, Math.min(text.length, at + random.nextInt(40)));
                default -> text = splice(text, at, Math.min(text.length - at - 1, random.nextInt(8)), 0, 0);
            }
        }
        // A mutated start may look like gzip, whose damage is an IOException by contract.
        text[0] = whole[0];
        return text;
    }

    /** Removes {@code removed} bytes at {@code at} and puts a copy of {@code [from, to)} there. */
    private static byte[] splice(byte[] text, int at, int removed, int from, int to) {
        byte[] result = new byte[text.length - removed + to - from];
        System.arraycopy(text, 0, result, 0, at);
        System.arraycopy(text, from, result, at, to - from);
        System.arraycopy(text, at + removed, result, at + to - from, text.length - at - removed);
        return result;
    }

    private static LdifRecord randomRecord(Random random) {
        String dn = randomText(random);
        List<LdifControl> controls = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            controls.add(new LdifControl("1.2." + i, random.nextBoolean(), random.nextBoolean() ? null : randomValue(random)));
        }
        return switch (random.nextInt(5)) {
            case 0 -> new LdifDelete(0, dn, controls);
            case 1 -> new LdifModifyDn(0, dn, controls, randomText(random), random.nextBoolean(),
                random.nextBoolean() ? null : randomText(random));
            case 2 -> new LdifModify(0, dn, controls, randomModifications(random));
            default -> randomEntry(random, dn, random.nextBoolean() ? controls : List.of());
        };
    }

    private static LdifEntry randomEntry(Random random, String dn, List<LdifControl> controls) {
        List<LdifAttribute> attributes = new ArrayList<>();
        for (int i = random.nextInt(8); i >= 0; i--) {
            String description = "a" + random.nextInt(3) + (random.nextBoolean() ? ";binary" : "");
            attributes.add(new LdifAttribute(description, randomValue(random)));
        }
        return new LdifEntry(0, dn, controls, attributes);
    }

    private static List<LdifModify.Modification> randomModifications(Random random) {
        List<LdifModify.Modification> modifications = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            LdifModify.Kind kind = LdifModify.Kind.values()[random.nextInt(4)];
            List<byte[]> values = new ArrayList<>();
            for (int v = random.nextInt(3); v > 0; v--) {
                values.add(randomValue(random));
            }
            modifications.add(new LdifModify.Modification(kind, "cn" + i, values));
        }
        return modifications;
    }

    private static String randomText(Random random) {
        int[] points = random.ints(random.nextInt(60), 0, 0x3000).toArray();
        String text = new String(points, 0, points.length);
        return random.nextBoolean() ? text.replaceAll("[^ -~]", "") : text;
    }

    private static byte[] randomValue(Random random) {
        if (random.nextBoolean()) {
            return Ldif.bytes(randomText(random));
        }
        byte[] value = new byte[random.nextInt(300)];
        random.nextBytes(value);
        return value;
    }
}
