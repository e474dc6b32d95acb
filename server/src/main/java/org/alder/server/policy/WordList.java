package org.alder.server.policy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Locale;
import org.alder.server.auth.scheme.Digests;
import org.alder.server.auth.scheme.SaslPrep;

/**
 * Words that are no passwords. It keeps 8 bytes of a digest for each word, so that a list of a million takes 8 MB; that it takes
 * another text for one of the words is as likely as one in 10,000,000,000,000. Immutable, thread safe.
 */
public final class WordList {
    /** The words that a file may have. */
    public static final int MOST_WORDS = 1_000_000;
    private static final String SHA256 = "SHA-256";
    private static final int MOST_LINE = 1024;
    private static final String BUILT_IN = "common-passwords.txt";

    /** Sorted. */
    private final long[] digests;

    private WordList(long[] digests, int count) {
        this.digests = Arrays.copyOf(digests, count);
        Arrays.sort(this.digests);
    }

    /** Some hundred passwords that whoever tries passwords tries first. */
    public static WordList builtIn() {
        try (InputStream in = WordList.class.getResourceAsStream(BUILT_IN)) {
            return new Builder(BUILT_IN).read(in).build();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The built-in words and those of a file in UTF-8, one for each line; empty lines are none.
     *
     * @throws IOException if it cannot be read, is no UTF-8, has a longer line than 1024 characters or more words than {@link
     *     #MOST_WORDS}; the message names file and line
     */
    public static WordList withFile(Path file) throws IOException {
        try (InputStream own = WordList.class.getResourceAsStream(BUILT_IN); InputStream in = Files.newInputStream(file)) {
            return new Builder(file.toString()).read(own).read(in).build();
        }
    }

    /** Whether it has this text, which is folded. */
    boolean has(String folded) {
        return Arrays.binarySearch(digests, digest(Digests.of(SHA256), folded)) >= 0;
    }

    /** As words and passwords are compared: in small letters. */
    static String folded(String text) {
        return text.toLowerCase(Locale.ROOT);
    }

    private static long digest(MessageDigest sha256, String folded) {
        byte[] hash = sha256.digest(folded.getBytes(StandardCharsets.UTF_8));
        long value = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            value = value << 8 | hash[i] & 0xFF;
        }
        return value;
    }

    private static final class Builder {
        private final String name;
        private final MessageDigest sha256 = Digests.of(SHA256);
        private long[] digests = new long[1024];
        private int count;

        Builder(String name) {
            this.name = name;
        }

        Builder read(InputStream in) throws IOException {
            BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8.newDecoder()));
            int number = 1;
            StringBuilder line = new StringBuilder();
            try {
                for (int c = lines.read(); c >= 0; c = lines.read()) {
                    if (c == '\n') {
                        add(line, number++);
                        line.setLength(0);
                    } else if (c != '\r') {
                        line.append((char) c);
                        require(line.length() <= MOST_LINE, number, "is longer than " + MOST_LINE + " characters, expected one word");
                    }
                }
            } catch (CharacterCodingException e) {
                throw new IOException(name + ": after line " + number + ": expected UTF-8", e);
            }
            add(line, number);
            return this;
        }

        private void require(boolean holds, int line, String problem) throws IOException {
            if (!holds) {
                throw new IOException(name + ": line " + line + " " + problem);
            }
        }

        private void add(StringBuilder line, int number) throws IOException {
            String word = line.toString().strip();
            if (word.isEmpty()) {
                return;
            }
            require(count < MOST_WORDS, number, "is beyond " + MOST_WORDS + " words, as many as there may be");
            if (count == digests.length) {
                digests = Arrays.copyOf(digests, 2 * count);
            }
            digests[count++] = digest(sha256, folded(SaslPrep.text(word.getBytes(StandardCharsets.UTF_8))));
        }

        WordList build() {
            return new WordList(digests, count);
        }
    }
}
