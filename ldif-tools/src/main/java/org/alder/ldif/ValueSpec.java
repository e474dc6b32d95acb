package org.alder.ldif;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import org.alder.partition.text.Utf8;

/**
 * Decodes RFC 2849's value-spec: {@code : text}, {@code :: base64}, {@code :< url}. More lenient than the grammar where
 * real files are: text may hold any byte but NUL and CR, such as unencoded UTF-8.
 */
final class ValueSpec {

    /** Why a value was refused; the caller knows the line. */
    static final class Refusal extends Exception {

        private static final long serialVersionUID = 1L;

        private final String expected;
        private final String found;

        Refusal(String expected, String found) {
            super(expected);
            this.expected = expected;
            this.found = found;
        }

        String expected() {
            return expected;
        }

        String found() {
            return found;
        }
    }

    private final LdifOptions options;

    ValueSpec(LdifOptions options) {
        this.options = options;
    }

    /** Decodes what follows the description; {@code colon} is the offset of its first colon. */
    byte[] decode(byte[] data, int colon, int to) throws Refusal {
        int kind = colon + 1 < to ? data[colon + 1] : 0;
        if (kind == ':') {
            return base64(data, skipSpaces(data, colon + 2, to), to);
        }
        if (kind == '<') {
            return url(data, skipSpaces(data, colon + 2, to), to);
        }
        return text(data, skipSpaces(data, colon + 1, to), to);
    }

    private static int skipSpaces(byte[] data, int from, int to) {
        int i = from;
        while (i < to && data[i] == ' ') {
            i++;
        }
        return i;
    }

    private byte[] text(byte[] data, int from, int to) throws Refusal {
        checkLength(to - from);
        for (int i = from; i < to; i++) {
            if (data[i] == 0 || data[i] == '\r') {
                throw new Refusal("a value without NUL and CR (such values must be base64)", Excerpt.of(data, from, to));
            }
        }
        return Arrays.copyOfRange(data, from, to);
    }

    private byte[] base64(byte[] data, int from, int to) throws Refusal {
        int end = to;
        while (end > from && data[end - 1] == ' ') {
            end--;
        }
        checkLength((end - from) / 4 * 3L - 2);
        if ((end - from) % 4 != 0) {
            throw new Refusal("base64 in groups of 4 characters, padded with '='",
                (end - from) + " characters: " + Excerpt.of(data, from, end));
        }
        byte[] value;
        try {
            value = Base64.getDecoder().decode(Arrays.copyOfRange(data, from, end));
        } catch (IllegalArgumentException e) {
            throw refusal("base64 (" + e.getMessage() + ")", Excerpt.of(data, from, end), e);
        }
        checkLength(value.length);
        return value;
    }

    private byte[] url(byte[] data, int from, int to) throws Refusal {
        String url = Utf8.decodeOrNull(data, from, to - from);
        if (url == null) {
            throw new Refusal("a URL in UTF-8", Excerpt.of(data, from, to));
        }
        if (!options.fileUrls()) {
            throw new Refusal("a value in the file itself (reading values from URLs is not enabled)", Excerpt.of(url));
        }
        Path path = path(url);
        if (!Files.isRegularFile(path)) {
            throw new Refusal("the URL of an existing regular file", Excerpt.of(url));
        }
        try (InputStream in = Files.newInputStream(path)) {
            byte[] value = in.readNBytes((int) Math.min(options.maxValueBytes() + 1L, Integer.MAX_VALUE));
            checkLength(value.length);
            return value;
        } catch (IOException e) {
            throw refusal("the URL of a readable file", Excerpt.of(url) + " (" + e + ")", e);
        }
    }

    private static Path path(String url) throws Refusal {
        try {
            URI uri = new URI(url.strip());
            if (!"file".equalsIgnoreCase(uri.getScheme())) {
                throw new Refusal("a file: URL", Excerpt.of(url));
            }
            return Path.of(uri);
        } catch (URISyntaxException | IllegalArgumentException | FileSystemNotFoundException e) {
            throw refusal("a file: URL with an absolute path and no host", Excerpt.of(url) + " (" + e.getMessage() + ")", e);
        }
    }

    private static Refusal refusal(String expected, String found, Exception cause) {
        Refusal refusal = new Refusal(expected, found);
        refusal.initCause(cause);
        return refusal;
    }

    private void checkLength(long length) throws Refusal {
        if (length > options.maxValueBytes()) {
            throw new Refusal("a value of at most " + options.maxValueBytes() + " bytes", "a longer one");
        }
    }
}
