package org.alder.ldif;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.Test;

public class LdifWriterTest {

    private static String written(LdifRecord... records) throws Exception {
        return new String(Ldif.write(List.of(records), 76), StandardCharsets.US_ASCII);
    }

    private static LdifEntry entry(String dn, String... values) {
        return new LdifEntry(dn, Arrays.stream(values).map(value -> LdifAttribute.of("cn", value)).toList());
    }

    @Test
    public void writesHeaderAndEntries() throws Exception {
        assertEquals("version: 1\n\ndn: cn=a\ncn: a\ncn:\n\ndn: cn=b\ncn: b\n",
            written(entry("cn=a", "a", ""), entry("cn=b", "b")));
    }

    @Test
    public void encodesOnlyWhatMustBe() throws Exception {
        assertEquals("version: 1\n\ndn:: w7w=\n"
            + "cn:: IGE=\ncn:: OmE=\ncn:: PGE=\ncn:: YSA=\ncn:: AGE=\ncn:: YQph\ncn:: YQ1h\ncn:: w7w=\n"
            + "cn: a:<b c\n", written(entry("\u00fc", " a", ":a", "<a", "a ", "\0a", "a\na", "a\ra", "\u00fc", "a:<b c")));
    }

    @Test
    public void foldsAt76Columns() throws Exception {
        assertEquals("version: 1\n\ndn: cn=a\ncn: " + "x".repeat(72) + "\ncn: " + "y".repeat(72) + "\n y\ncn: " + "z".repeat(72)
            + "\n " + "z".repeat(75) + "\n z\n", written(entry("cn=a", "x".repeat(72), "y".repeat(73), "z".repeat(72 + 76))));
    }

    @Test
    public void foldsWhereAskedOrNot() throws Exception {
        List<LdifEntry> entries = List.of(entry("cn=" + "long".repeat(30_000), "x".repeat(200_000), "\u00fc".repeat(500)));
        for (int columns : new int[] {0, 2, 3, 20, 76}) {
            byte[] text = Ldif.write(entries, columns);
            int longest = new String(text, StandardCharsets.US_ASCII).lines().mapToInt(String::length).max().orElse(0);
            assertTrue("columns " + columns + " longest " + longest, columns == 0 ? longest > 200_000
                : longest == Math.max(columns, "version: 1".length()));
            LdifEntry back = (LdifEntry) Ldif.read(text, LdifOptions.DEFAULT).get(0);
            assertEquals(entries.get(0).attributes(), back.attributes());
            assertEquals(entries.get(0).dn(), back.dn());
        }
        assertThrows(IllegalArgumentException.class, () -> Ldif.write(entries, 1));
    }

    @Test
    public void refusesWhatLdifCannotHold() throws Exception {
        for (String name : List.of("", "a b", "a\nb", "a:b", "dn", "ChangeType", "control", "\u00fc", "a;")) {
            assertThrows(name, IllegalArgumentException.class,
                () -> Ldif.write(List.of(new LdifEntry("cn=a", List.of(LdifAttribute.of(name, "x")))), 76));
        }
        assertThrows(IllegalArgumentException.class, () -> Ldif.write(List.of(entry("cn=a")), 76));
    }
}
