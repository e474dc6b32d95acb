package org.alder.partition.schema;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.alder.partition.error.StoreException;

/**
 * The definitions of an LDIF file. Values of {@code attributeTypes}, {@code objectClasses} and {@code ldapSyntaxes} count; every
 * other line is passed over, so that an entry, a modify record, and OpenLDAP's {@code olcAttributeTypes: {0}( ... )} all can be
 * read.
 */
final class SchemaFile {
    private static final Pattern ORDER = Pattern.compile("^\\{\\d+}");

    final List<Definition> attributeTypes = new ArrayList<>();
    final List<Definition> objectClasses = new ArrayList<>();
    final List<Definition> syntaxes = new ArrayList<>();
    private final String name;

    private SchemaFile(String name) {
        this.name = name;
    }

    /** @throws StoreException IO if it cannot be read, REFUSED if a definition is wrong */
    static SchemaFile read(Path path) {
        try (BufferedReader in = Files.newBufferedReader(path)) {
            return new SchemaFile(path.toString()).read(in);
        } catch (IOException e) {
            throw new StoreException(StoreException.Kind.IO, "cannot read the schema file " + path + ": " + e, e);
        }
    }

    /** Reads a file that lies beside this class. */
    static SchemaFile builtIn(String resource) {
        try (InputStream bytes = SchemaFile.class.getResourceAsStream(resource);
                BufferedReader in = new BufferedReader(new InputStreamReader(bytes, StandardCharsets.UTF_8))) {
            return new SchemaFile("built-in " + resource).read(in);
        } catch (IOException e) {
            throw new StoreException(StoreException.Kind.IO, "cannot read the built-in schema " + resource, e);
        }
    }

    private SchemaFile read(BufferedReader in) throws IOException {
        StringBuilder logical = new StringBuilder();
        int number = 0;
        int startNumber = 0;
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            number++;
            if (line.startsWith(" ")) {
                logical.append(line, 1, line.length());
            } else {
                accept(logical.toString(), startNumber);
                logical.setLength(0);
                logical.append(line);
                startNumber = number;
            }
        }
        accept(logical.toString(), startNumber);
        return this;
    }

    private void accept(String line, int number) {
        int colon = line.indexOf(':');
        if (colon <= 0 || line.charAt(0) == '#') {
            return;
        }
        List<Definition> target = target(line.substring(0, colon).toLowerCase(Locale.ROOT));
        if (target != null) {
            String origin = name + ", line " + number;
            target.add(DefinitionParser.parse(origin, ORDER.matcher(value(origin, line, colon + 1)).replaceFirst("")));
        }
    }

    private List<Definition> target(String attribute) {
        switch (attribute.startsWith("olc") ? attribute.substring(3) : attribute) {
            case "attributetypes":
                return attributeTypes;
            case "objectclasses":
                return objectClasses;
            case "ldapsyntaxes":
                return syntaxes;
            default:
                return null;
        }
    }

    private static String value(String origin, String line, int start) {
        if (!line.startsWith(":", start)) {
            return line.substring(start).trim();
        }
        try {
            return new String(Base64.getDecoder().decode(line.substring(start + 1).trim()), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new StoreException(StoreException.Kind.REFUSED, origin + ": " + e.getMessage() + " in base64", e);
        }
    }
}
