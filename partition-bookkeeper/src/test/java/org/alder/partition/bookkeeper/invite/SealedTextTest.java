package org.alder.partition.bookkeeper.invite;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.alder.partition.error.StoreException;
import org.junit.Test;

/** What is sealed is opened as it was, by its token, in its time, or not at all. */
public class SealedTextTest {
    private static final Instant ENDS = Instant.parse("2026-11-24T06:00:00Z");
    private static final byte[] TEXT = "name: node4\n".getBytes(StandardCharsets.US_ASCII);

    private final JoinToken token = JoinToken.random();
    private final byte[] sealed = SealedText.seal(token, ENDS, TEXT);

    private static void assertRefused(String part, JoinToken with, byte[] what, Instant now) {
        StoreException e = assertThrows(StoreException.class, () -> SealedText.open(with, what, now));
        assertEquals(StoreException.Kind.REFUSED, e.kind());
        assertTrue(e.getMessage(), e.getMessage().contains(part));
    }

    @Test
    public void whoeverHasTheTokenOpensItBeforeItEnds() {
        assertArrayEquals(TEXT, SealedText.open(JoinToken.parse(token.text() + "\n"), sealed, ENDS.minusSeconds(1)));
        assertEquals(ENDS, SealedText.ends(sealed));
        assertRefused("has ended at 2026-11-24T06:00:00Z", token, sealed, ENDS);
        assertRefused("not sealed for this token", JoinToken.random(), sealed, ENDS.minusSeconds(1));
        assertFalse("two of the same are not alike", Arrays.equals(sealed, SealedText.seal(token, ENDS, TEXT)));
    }

    @Test
    public void eachChangedBitAndEachMissingByteIsNoticed() {
        for (int i = 0; i < sealed.length * 8; i++) {
            byte[] changed = sealed.clone();
            changed[i / 8] ^= (byte) (1 << i % 8);
            assertThrows(StoreException.class, () -> SealedText.open(token, changed, Instant.EPOCH));
        }
        for (int i = 0; i < sealed.length; i++) {
            byte[] cut = Arrays.copyOf(sealed, i);
            assertThrows(StoreException.class, () -> SealedText.open(token, cut, Instant.EPOCH));
        }
        assertRefused("not sealed for this token", token, Arrays.copyOf(sealed, sealed.length + 1), Instant.EPOCH);
    }

    @Test
    public void noMoreThanTheLimitIsSealedOrOpened() {
        byte[] most = new byte[SealedText.MOST_BYTES];
        assertArrayEquals(most, SealedText.open(token, SealedText.seal(token, ENDS, most), Instant.EPOCH));
        StoreException e = assertThrows(StoreException.class, () -> SealedText.seal(token, ENDS, new byte[SealedText.MOST_BYTES + 1]));
        assertEquals(StoreException.Kind.TOO_LARGE, e.kind());
        byte[] more = Arrays.copyOf(sealed, SealedText.MOST_BYTES + 100);
        assertRefused("204937 bytes", token, Arrays.copyOf(sealed, 204_937), Instant.EPOCH);
        assertRefused("expected", token, more, Instant.EPOCH);
    }

    @Test
    public void aTokenIsOneLineAndItsIdTellsNothingElse() {
        assertTrue(token.text(), token.text().matches("alder-join-1-[A-Za-z0-9_-]{43}"));
        assertArrayEquals(token.id(), JoinToken.parse("  " + token.text() + "\r\n").id());
        assertEquals(JoinToken.ID_BYTES, token.id().length);
        assertFalse(Arrays.equals(token.id(), Arrays.copyOf(token.key().getEncoded(), JoinToken.ID_BYTES)));
        assertFalse(Arrays.equals(token.id(), JoinToken.random().id()));
        for (String wrong : new String[] {"", "alder-join-1-", token.text() + "A", token.text().substring(1), token.text().replace("-1-", "-2-"), token.text() + "\n" + token.text()}) {
            StoreException e = assertThrows(StoreException.class, () -> JoinToken.parse(wrong));
            assertEquals(StoreException.Kind.REFUSED, e.kind());
            assertFalse("a secret may be in it", e.getMessage().contains(token.text().substring(13)));
        }
    }

    @Test
    public void filesComeBackByTheirNamesAndNoOthers() {
        Map<String, byte[]> files = new LinkedHashMap<>();
        files.put("member.conf", "name: ü\n".getBytes(StandardCharsets.UTF_8));
        files.put("keys/member.pem", new byte[] {0, -1, '\n'});
        byte[] text = new MemberFiles(files).text();
        Map<String, byte[]> read = MemberFiles.parse(text).byName();
        assertEquals(files.keySet(), read.keySet());
        files.forEach((name, content) -> assertArrayEquals(content, read.get(name)));
        for (int i = 0; i < text.length; i++) {
            byte[] cut = Arrays.copyOf(text, i);
            if (i != "file member.conf 9\n".length() + 9) {
                assertThrows("cut at " + i, StoreException.class, () -> MemberFiles.parse(cut));
            }
        }
        for (String wrong : new String[] {"file ../member.conf 0\n", "file /etc/passwd 0\n", "file member.conf -1\n", "file member.conf 999999\n", "file keys/other 0\n",
            "file member.conf 0\nfile member.conf 0\n", "file keys/ca.crt 0\n"}) {
            assertThrows(wrong, StoreException.class, () -> MemberFiles.parse(wrong.getBytes(StandardCharsets.US_ASCII)));
        }
    }
}
