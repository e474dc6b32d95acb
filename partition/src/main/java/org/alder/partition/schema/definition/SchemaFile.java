package org.alder.partition.schema.definition;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.alder.partition.error.StoreException;
import org.alder.partition.text.Utf8;
import org.slf4j.LoggerFactory;

/**
 * Reads the definitions of a schema file in either form that is in use.
 *
 * <p>LDIF: an entry or modify record with the attributes of the subschema subentry (RFC 4512 4.2), or OpenLDAP's configuration
 * entry with {@code olcAttributeTypes: {0}( ... )}. Other attributes are passed over, unless their value looks like a definition.
 *
 * <p>OpenLDAP's {@code .schema}, named so: {@code attributetype ( ... )}, continued on lines that start with white space, and
 * {@code objectidentifier NAME OID}, whose names may stand for OIDs below.
 */
public final class SchemaFile {
    private static final Pattern ORDER = Pattern.compile("\\{\\d+}");
    private static final Pattern DIRECTIVE = Pattern.compile("(?:olc)?([A-Za-z]+)\\s*:?");
    private static final Pattern MACRO = Pattern.compile("\\s*(?:\\{\\d+})?\\s*(\\S+)\\s+(\\S+)\\s*");
    private static final String MACRO_ATTRIBUTE = "objectidentifier";

    private final DefinitionOrigin.Layer layer;
    private final String name;
    private final OidMacros macros;
    private final boolean directives;
    private final List<Definition> definitions = new ArrayList<>();

    private SchemaFile(DefinitionOrigin.Layer layer, String name, OidMacros macros) {
        this.layer = layer;
        this.name = name;
        this.macros = macros;
        this.directives = name.endsWith(".schema");
    }

    /**
     * @param macros those known from other files; this file's are added
     * @throws StoreException IO if it cannot be read, REFUSED if a definition is wrong
     */
    public static List<Definition> read(DefinitionOrigin.Layer layer, Path path, OidMacros macros) {
        try (BufferedReader in = Files.newBufferedReader(path)) {
            return new SchemaFile(layer, path.toString(), macros).read(in);
        } catch (NoSuchFileException e) {
            throw new StoreException(StoreException.Kind.IO, "there is no schema file " + path, e);
        } catch (IOException e) {
            throw new StoreException(StoreException.Kind.IO, "cannot read the schema file " + path + ": " + e, e);
        }
    }

    /** @param name says where the bytes are from */
    static List<Definition> read(DefinitionOrigin.Layer layer, String name, byte[] content) {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(new ByteArrayInputStream(content), StandardCharsets.UTF_8.newDecoder()))) {
            return new SchemaFile(layer, name, new OidMacros()).read(in);
        } catch (IOException e) {
            throw new StoreException(StoreException.Kind.CORRUPT, "cannot read the schema of " + name + ": " + e, e);
        }
    }

    /** Reads a file that is part of the server. */
    public static List<Definition> builtIn(String resource) {
        try (InputStream bytes = SchemaFile.class.getResourceAsStream(resource);
                BufferedReader in = new BufferedReader(new InputStreamReader(bytes, StandardCharsets.UTF_8.newDecoder()))) {
            return new SchemaFile(DefinitionOrigin.Layer.BUILT_IN, "built-in " + resource, new OidMacros()).read(in);
        } catch (IOException e) {
            throw new StoreException(StoreException.Kind.IO, "cannot read the built-in schema " + resource, e);
        }
    }

    private List<Definition> read(BufferedReader in) throws IOException {
        SchemaLine logical = new SchemaLine(layer, name);
        int number = 0;
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            number++;
            boolean continues = directives ? !line.isEmpty() && Character.isWhitespace(line.charAt(0)) : line.startsWith(" ");
            if (!continues) {
                accept(logical);
                logical = new SchemaLine(layer, name);
            }
            logical.append(continues && !directives ? line.substring(1) : line, number);
        }
        accept(logical);
        return List.copyOf(definitions);
    }

    private void accept(SchemaLine line) {
        String text = line.text();
        if (text.isBlank() || text.charAt(0) == '#') {
            return;
        }
        if (directives) {
            acceptDirective(line, text);
        } else if (!text.equals("-")) {
            acceptAttribute(line, text);
        }
    }

    private void acceptDirective(SchemaLine line, String text) {
        Matcher matcher = DIRECTIVE.matcher(text);
        if (!matcher.lookingAt()) {
            throw line.refused(1, "a directive expected, one of " + DefinitionKind.directives() + " or " + MACRO_ATTRIBUTE);
        }
        if (matcher.group(1).equalsIgnoreCase(MACRO_ATTRIBUTE)) {
            defineMacro(line, text.substring(matcher.end()));
            return;
        }
        DefinitionKind kind = DefinitionKind.ofDirective(matcher.group(1));
        if (kind == null && text.startsWith("(", afterOrder(text, matcher.end()))) {
            LoggerFactory.getLogger(SchemaFile.class).warn("{}: passed over a definition of the unknown kind \"{}\", as slapd does; "
                    + "expected one of {} or {}", line.origin(), matcher.group(1), DefinitionKind.directives(), MACRO_ATTRIBUTE);
            return;
        } else if (kind == null) {
            throw line.refused(matcher.end(), "unknown directive \"" + matcher.group(1) + "\", expected one of "
                    + DefinitionKind.directives() + " or " + MACRO_ATTRIBUTE);
        }
        definitions.add(DefinitionParser.parse(kind, line, matcher.end(), macros));
    }

    private void acceptAttribute(SchemaLine line, String text) {
        int colon = text.indexOf(':');
        if (colon <= 0) {
            throw line.refused(1, "\"attribute: value\" expected");
        }
        String attribute = text.substring(0, colon);
        boolean encoded = text.startsWith(":", colon + 1);
        SchemaLine plain = encoded ? line.with(decoded(line, text.substring(colon + 2).trim())) : line;
        int start = encoded ? 0 : colon + 1;
        DefinitionKind kind = DefinitionKind.ofAttribute(attribute);
        if (kind != null && !kind.isEditable()) {
            return;
        } else if (kind != null) {
            definitions.add(DefinitionParser.parse(kind, plain, afterOrder(plain.text(), start), macros));
        } else if (attribute.equalsIgnoreCase("olc" + MACRO_ATTRIBUTE)) {
            defineMacro(line, plain.text().substring(start));
        } else if (text.startsWith("(", afterOrder(text, start))) {
            throw line.refused(colon, "a definition of the unknown kind \"" + attribute + "\", expected one of "
                    + DefinitionKind.attributes());
        }
    }

    /** Where the text goes on after white space and a number in braces, by which OpenLDAP keeps values in order. */
    private static int afterOrder(String text, int start) {
        int at = start;
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        Matcher order = ORDER.matcher(text).region(at, text.length());
        return order.lookingAt() ? order.end() : at;
    }

    private void defineMacro(SchemaLine line, String text) {
        Matcher matcher = MACRO.matcher(text);
        String oid = matcher.matches() ? macros.resolve(matcher.group(2)) : null;
        if (oid == null) {
            throw line.refused(1, "objectidentifier NAME OID expected, where the OID may start with a name defined before");
        }
        if (!macros.define(matcher.group(1), oid)) {
            throw line.refused(1, "the name " + matcher.group(1) + " stands for another OID already");
        }
    }

    private static String decoded(SchemaLine line, String base64) {
        try {
            return Utf8.decode(Base64.getDecoder().decode(base64));
        } catch (CharacterCodingException e) {
            throw line.refused(1, "UTF-8 expected in base64");
        } catch (IllegalArgumentException e) {
            throw line.refused(1, e.getMessage() + " in base64");
        }
    }
}
