package org.alder.partition.schema.definition;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.alder.partition.error.StoreException;
import org.alder.partition.file.CheckedText;
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
    private static final CheckedText CHECKED = new CheckedText("# crc32c");

    private OnlineSchemaFile() {
    }

    public static byte[] encode(List<Definition> definitions) {
        StringBuilder text = new StringBuilder(HEAD).append("dn: cn=schema").append('\n');
        for (Definition definition : definitions) {
            text.append(definition.kind().attribute()).append(value(definition.text())).append('\n');
        }
        return CHECKED.encode(text.toString());
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

    /**
     * What such a file holds that is none.
     *
     * @param from says where it is
     * @throws StoreException CORRUPT if it is not as it was written
     */
    public static List<Definition> decode(byte[] bytes, String from) {
        check(from, bytes);
        return SchemaFile.read(DefinitionOrigin.Layer.ONLINE, from, bytes);
    }

    private static void check(Object file, byte[] bytes) {
        String text = Utf8.shown(bytes);
        if (!text.startsWith(VERSION + ":")) {
            throw corrupt(file, 1, "\"" + VERSION + ":\" expected at its beginning, found \""
                    + text.lines().findFirst().orElse("") + "\"");
        }
        try {
            CHECKED.decode(bytes);
        } catch (IllegalArgumentException e) {
            throw corrupt(file, text.lines().count(), e.getMessage() + ": the file is damaged or cut off, and has to be restored "
                    + "from a backup; if it was changed by hand and nothing is missing, put the expected line at its end");
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static StoreException corrupt(Object file, long line, String what) {
        return new StoreException(StoreException.Kind.CORRUPT, file + ", line " + Math.max(1, line) + ": " + what);
    }
}
