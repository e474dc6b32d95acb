package org.alder.partition.schema.definition;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.zip.CRC32C;
import org.alder.partition.error.StoreException;
import org.alder.partition.text.Utf8;

/**
 * The file of the definitions that were added over LDAP, {@code schema.ldif}, version 1 (docs/format/online-schema.md; do not
 * change without a new version): LDIF between two comments,
 * <pre>
 *   # alder-schema 1: ...
 *   dn: cn=schema
 *   ATTRIBUTE: DEFINITION           any number; ":: " and base64 if the definition has several lines
 *   # crc32c 8-HEX-DIGITS           of all bytes before this line
 * </pre>
 * A file that is cut off or damaged would be a schema without some definitions, and entries that nobody can read: it is refused.
 * Stateless.
 */
public final class OnlineSchemaFile {
    private static final String VERSION = "# alder-schema 1";
    private static final String HEAD = VERSION
            + ": definitions that were added over LDAP. The server writes this file anew with each change.\n";
    private static final String CHECK = "# crc32c ";
    private static final int CHECK_LINE_BYTES = CHECK.length() + 9;

    private OnlineSchemaFile() {
    }

    public static byte[] encode(List<Definition> definitions) {
        StringBuilder text = new StringBuilder(HEAD).append("dn: cn=schema").append('\n');
        for (Definition definition : definitions) {
            text.append(definition.kind().attribute()).append(value(definition.text())).append('\n');
        }
        byte[] body = utf8(text.toString());
        return utf8(text + checkLine(body, body.length));
    }

    /** A definition may be of several lines, as a client wrote it. */
    private static String value(String text) {
        return text.chars().anyMatch(c -> c == '\n' || c == '\r') ? ":: " + Base64.getEncoder().encodeToString(utf8(text))
                : ": " + text;
    }

    /** @throws StoreException IO if it cannot be read, CORRUPT if it is not as it was written; the message names the line */
    public static List<Definition> read(Path file) {
        try {
            check(file, Files.readAllBytes(file));
        } catch (IOException e) {
            throw new StoreException(StoreException.Kind.IO, "cannot read the schema file " + file + ": " + e, e);
        }
        return SchemaFile.read(DefinitionOrigin.Layer.ONLINE, file, new OidMacros());
    }

    private static void check(Path file, byte[] bytes) {
        int body = bytes.length - CHECK_LINE_BYTES;
        String text = Utf8.shown(bytes);
        if (!text.startsWith(VERSION + ":")) {
            throw corrupt(file, 1, "\"" + VERSION + ":\" expected at its beginning, found \""
                    + text.lines().findFirst().orElse("") + "\"");
        }
        String last = body < 0 ? "" : Utf8.shown(Arrays.copyOfRange(bytes, body, bytes.length));
        boolean isCheck = last.startsWith(CHECK);
        String expected = checkLine(bytes, isCheck ? body : bytes.length);
        if (!last.equals(expected)) {
            throw corrupt(file, text.lines().count(), "\"" + expected.strip() + "\" expected as the last line, found \""
                    + text.lines().reduce("", (first, second) -> second)
                    + "\": the file is damaged or cut off, and has to be restored from a backup; if it was changed by hand and "
                    + "nothing is missing, put the expected line at its end");
        }
    }

    private static String checkLine(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return CHECK + String.format(Locale.ROOT, "%08x", crc.getValue()) + "\n";
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static StoreException corrupt(Path file, long line, String what) {
        return new StoreException(StoreException.Kind.CORRUPT, file + ", line " + Math.max(1, line) + ": " + what);
    }
}
