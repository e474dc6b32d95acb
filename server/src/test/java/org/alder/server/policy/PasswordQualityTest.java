package org.alder.server.policy;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.alder.partition.entry.Attribute;
import org.alder.server.TestServer;
import org.alder.server.policy.PasswordQuality.Shortcoming;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class PasswordQualityTest {
    private static final WordList BUILT_IN = WordList.builtIn();

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static PolicyError error(PasswordQuality quality, String password, String... ownWords) {
        Shortcoming found = quality.judge(bytes(password), List.of(ownWords));
        return found == null ? null : found.error();
    }

    private static PasswordQuality lengths(int least, int most) {
        return new PasswordQuality(least, most, 0, false, null);
    }

    @Test
    public void aPasswordHasAsManyCharactersAsItsUserSees() {
        assertEquals(PolicyError.PASSWORD_TOO_SHORT, error(lengths(8, 0), "grün99é"));
        assertNull(error(lengths(8, 0), "grün99éé"));
        assertEquals("8 bytes of two characters", PolicyError.PASSWORD_TOO_SHORT, error(lengths(8, 0), "\uD83D\uDE00\uD83D\uDE00"));
        assertEquals("a letter and its accent are one after NFKC", PolicyError.PASSWORD_TOO_SHORT,
                error(lengths(5, 0), "e\u0301e\u0301e\u0301e\u0301"));
        assertEquals("what is mapped to nothing does not count", PolicyError.PASSWORD_TOO_SHORT, error(lengths(4, 0), "abc\u00AD\u200C"));
        assertEquals(PolicyError.PASSWORD_TOO_LONG, error(lengths(0, 3), "éééé"));
        assertNull(error(lengths(0, 3), "ééé"));
        assertNull("not UTF-8: its bytes", lengths(4, 4).judge(new byte[] {(byte) 0xFF, (byte) 0xFE, 'a', 'b'}, List.of()));
        assertNull("no demands", error(PasswordQuality.NONE, "a", "abcd"));
    }

    @Test
    public void aPasswordHasCharactersOfSoManyKinds() {
        PasswordQuality three = new PasswordQuality(0, 0, 3, false, null);
        assertEquals(PolicyError.INSUFFICIENT_PASSWORD_QUALITY, error(three, "abcdefGH"));
        assertNull(error(three, "abcdefG1"));
        assertNull("letters that are neither small nor capital are others", error(three, "ab1\u6F22"));
        assertNull("small and capital letters of any script, digits of any script", error(three, "\u0436\u0416\u0665"));
        assertEquals(PolicyError.INSUFFICIENT_PASSWORD_QUALITY, error(new PasswordQuality(0, 0, 4, false, null), "abcDEF123"));
        assertNull(error(new PasswordQuality(0, 0, 4, false, null), "abC1 "));
    }

    @Test
    public void aPasswordIsNoWordOfTheListAlsoWithSignsAroundIt() {
        PasswordQuality quality = new PasswordQuality(0, 0, 0, false, BUILT_IN);
        for (String word : List.of("password", "PassWord", "qwertyuiop", "12345678", "Summer2024!", "!!sunshine1", "\uFF50assword",
                "p@ssw0rd", "LetMeIn!")) {
            assertEquals(word, PolicyError.INSUFFICIENT_PASSWORD_QUALITY, error(quality, word));
        }
        for (String fine : List.of("passwordless", "correct horse battery staple", "summer-8812349-76120", "1a1b1c1d", "god1", "")) {
            assertNull(fine, error(quality, fine));
        }
    }

    @Test
    public void aPasswordHasNothingInItThatTheEntryTellsOfItsUser() {
        List<Attribute> entry = List.of(new Attribute("uid", List.of(bytes("jmu"), bytes("jmueller"))),
                new Attribute("commonName", List.of(bytes("Jürgen van Müller-Lüdenscheid"))),
                new Attribute("sn;lang-de", List.of(bytes("Müller"))), new Attribute("mail", List.of(bytes("juergen@example.com"))),
                new Attribute("description", List.of(bytes("likes bicycles"))), new Attribute("unheardOf", List.of(bytes("whoever"))));
        List<String> own = new ArrayList<>(new OwnWords(TestServer.SCHEMA).of(entry));
        PasswordQuality quality = new PasswordQuality(0, 0, 0, true, null);
        for (String bad : List.of("1JMUELLER1", "xxmüllerxx", "MU\u0308LLER", "lüdenscheid9", "juergen-2024")) {
            assertEquals(bad, PolicyError.INSUFFICIENT_PASSWORD_QUALITY, quality.judge(bytes(bad), own).error());
        }
        for (String fine : List.of("jmu-jmu-jmu", "vanvanvan", "example.com", "bicycles", "whoever")) {
            assertNull(fine, quality.judge(bytes(fine), own));
        }
        assertNull("unless the policy asks", PasswordQuality.NONE.judge(bytes("jmueller"), own));
    }

    @Test
    public void manyLongNamesAreNotSearchedFor() {
        List<byte[]> names = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            names.add(bytes("name" + i));
        }
        names.add(0, new byte[1_000_000]);
        assertTrue(new OwnWords(TestServer.SCHEMA).of(List.of(new Attribute("cn", names))).size() <= 100);
    }

    @Test
    public void aFileOfWordsIsReadWholeOrRefusedWithItsLine() throws IOException {
        Path file = folder.newFile().toPath();
        Files.writeString(file, "Zauberlehrling\r\n\n  spaces  \nfünf\nlast");
        WordList words = WordList.withFile(file);
        for (String word : List.of("zauberlehrling", "spaces", "fünf", "last", "password")) {
            assertTrue(word, words.has(word));
        }
        assertFalse(words.has(""));
        assertFalse(words.has("zauber"));

        Files.writeString(file, "one\n" + "x".repeat(2000) + "\n");
        assertRefused(file, ": line 2 is longer than 1024 characters, expected one word");
        Files.write(file, new byte[] {'a', '\n', (byte) 0xFF, '\n'});
        assertRefused(file, "expected UTF-8");
        Files.writeString(file, "1\n".repeat(WordList.MOST_WORDS));
        assertRefused(file, " is beyond 1000000 words, as many as there may be");
    }

    private static void assertRefused(Path file, String end) {
        String message = assertThrows(IOException.class, () -> WordList.withFile(file)).getMessage();
        assertTrue(message, message.startsWith(file.toString()) && message.endsWith(end));
    }
}
