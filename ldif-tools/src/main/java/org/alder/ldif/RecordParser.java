package org.alder.ldif;

import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.alder.partition.text.Utf8;

/** Parses the lines of one record (RFC 2849, "ldif-attrval-record" and "ldif-change-record"). Not thread-safe. */
final class RecordParser {

    private final LdifOptions options;
    private final LineCursor line = new LineCursor();
    private final ValueSpec values;
    private final AttributeDescriptions descriptions = new AttributeDescriptions();
    private boolean present;
    private String description;
    private int colon;
    private int rawStart;

    RecordParser(LdifOptions options) {
        this.options = options;
        this.values = new ValueSpec(options);
    }

    /** Offset in the buffer of the record's first line that is neither a comment nor the version. */
    int rawStart() {
        return rawStart;
    }

    /** Returns the record, or null when the lines are only comments or a version. */
    LdifRecord parse(RecordBuffer buffer) throws LdifException {
        rawStart = buffer.start();
        line.reset(buffer);
        advance();
        if (present && isVersion()) {
            checkVersion();
            advance();
        }
        if (!present) {
            return null;
        }
        rawStart = line.rawStart();
        split("'dn:'");
        if (!description.equalsIgnoreCase("dn")) {
            throw expected("'dn:' as the first line of a record");
        }
        long number = line.number();
        String dn = text();
        advance();
        return body(number, dn);
    }

    private LdifRecord body(long number, String dn) throws LdifException {
        List<LdifControl> controls = controls();
        if (!present || !isKeyword("changetype")) {
            if (!controls.isEmpty()) {
                throw expected("'changetype:' after 'control:'");
            }
            return new LdifEntry(number, dn, controls, attributes());
        }
        String type = text().toLowerCase(Locale.ROOT).strip();
        switch (type) {
            case "add":
                advance();
                return new LdifEntry(number, dn, controls, attributes());
            case "delete":
                advance();
                expectEnd("the end of the record after 'changetype: delete'");
                return new LdifDelete(number, dn, controls);
            case "modify":
                advance();
                return new LdifModify(number, dn, controls, modifications());
            case "modrdn", "moddn":
                advance();
                return modifyDn(number, dn, controls);
            default:
                throw expected("changetype add, delete, modify, modrdn or moddn");
        }
    }

    private List<LdifAttribute> attributes() throws LdifException {
        if (!present) {
            throw expected("at least one attribute");
        }
        List<LdifAttribute> attributes = new ArrayList<>(24);
        while (present) {
            split("'attribute: value'");
            if (isReserved(description)) {
                throw expected("an attribute ('" + description + "' cannot stand here; is a blank line missing before it?)");
            }
            attributes.add(new LdifAttribute(description, value(), (int) Math.min(Integer.MAX_VALUE, line.number())));
            advance();
        }
        return attributes;
    }

    /** The words that have their own meaning in LDIF, so that no attribute of that name can be written. */
    static boolean isReserved(String name) {
        return switch (name.length()) {
            case 2 -> name.equalsIgnoreCase("dn");
            case 7 -> name.equalsIgnoreCase("control");
            case 10 -> name.equalsIgnoreCase("changetype");
            default -> false;
        };
    }

    private List<LdifControl> controls() throws LdifException {
        List<LdifControl> controls = List.of();
        while (present && isKeyword("control")) {
            controls = controls.isEmpty() ? new ArrayList<>() : controls;
            controls.add(control());
            advance();
        }
        return controls;
    }

    /** RFC 2849: {@code control: OID [true|false] [value-spec]}. */
    private LdifControl control() throws LdifException {
        byte[] data = line.data();
        int from = skip(colon + 1, ' ');
        int valueColon = from;
        while (valueColon < line.to() && data[valueColon] != ':') {
            valueColon++;
        }
        String[] words = new String(data, from, valueColon - from, StandardCharsets.ISO_8859_1).strip().split(" +");
        boolean critical = words.length > 1 && words[1].equalsIgnoreCase("true");
        boolean wellFormed = words.length <= 2 && isNumericOid(words[0])
            && (words.length < 2 || critical || words[1].equalsIgnoreCase("false"));
        if (!wellFormed) {
            throw expected("'control: OID', optionally true or false, optionally ': value'");
        }
        return new LdifControl(words[0], critical, valueColon < line.to() ? decode(valueColon) : null);
    }

    /** Not by a pattern: one with a group that repeats takes a stack frame for each arc of a long OID. */
    private static boolean isNumericOid(String word) {
        char last = '.';
        for (char c : word.toCharArray()) {
            if (c == '.' ? last == '.' : c < '0' || c > '9') {
                return false;
            }
            last = c;
        }
        return last != '.';
    }

    private List<LdifModify.Modification> modifications() throws LdifException {
        List<LdifModify.Modification> modifications = new ArrayList<>();
        while (present) {
            modifications.add(modification());
        }
        return modifications;
    }

    private LdifModify.Modification modification() throws LdifException {
        split("'add:', 'delete:', 'replace:' or 'increment:' and an attribute");
        LdifModify.Kind kind = kind();
        byte[] name = value();
        String target = descriptions.find(name, 0, name.length);
        if (target == null || isReserved(target)) {
            throw expected("an attribute description after '" + description + ":'");
        }
        advance();
        List<byte[]> changed = new ArrayList<>();
        while (present && !isDash()) {
            split("'" + target + ": value' or '-'");
            if (!description.equalsIgnoreCase(target)) {
                throw expected("a value of '" + target + "' or a line '-'");
            }
            changed.add(value());
            advance();
        }
        // ldapmodify also takes the end of the record for the last '-'.
        advance();
        return new LdifModify.Modification(kind, target, changed);
    }

    private LdifModify.Kind kind() throws LdifException {
        return switch (description.toLowerCase(Locale.ROOT)) {
            case "add" -> LdifModify.Kind.ADD;
            case "delete" -> LdifModify.Kind.DELETE;
            case "replace" -> LdifModify.Kind.REPLACE;
            case "increment" -> LdifModify.Kind.INCREMENT;
            default -> throw expected("'add:', 'delete:', 'replace:' or 'increment:'");
        };
    }

    private LdifModifyDn modifyDn(long number, String dn, List<LdifControl> controls) throws LdifException {
        String newRdn = required("newrdn");
        String deleteOldRdn = required("deleteoldrdn").strip();
        if (!deleteOldRdn.equals("0") && !deleteOldRdn.equals("1")) {
            throw expected("'deleteoldrdn: 0' or 'deleteoldrdn: 1' in the record");
        }
        String newSuperior = present ? required("newsuperior") : null;
        expectEnd("the end of the record after 'newsuperior:'");
        return new LdifModifyDn(number, dn, controls, newRdn, deleteOldRdn.equals("1"), newSuperior);
    }

    private String required(String keyword) throws LdifException {
        if (!present || !isKeyword(keyword)) {
            throw expected("'" + keyword + ":'");
        }
        String text = text();
        advance();
        return text;
    }

    private void expectEnd(String what) throws LdifException {
        if (present) {
            throw expected(what);
        }
    }

    private boolean isVersion() {
        byte[] data = line.data();
        return line.to() - line.from() > 8 && data[line.from() + 7] == ':'
            && new String(data, line.from(), 7, StandardCharsets.ISO_8859_1).equalsIgnoreCase("version");
    }

    private void checkVersion() throws LdifException {
        split("'version: 1'");
        if (!text().strip().equals("1")) {
            throw expected("'version: 1'");
        }
    }

    private boolean isDash() {
        return line.data()[line.from()] == '-' && skip(line.from() + 1, ' ') == line.to();
    }

    private boolean isKeyword(String keyword) throws LdifException {
        split("'attribute: value'");
        return description.equalsIgnoreCase(keyword);
    }

    private void advance() {
        present = line.next();
    }

    /** Finds the description and the colon of the current line. */
    private void split(String what) throws LdifException {
        byte[] data = line.data();
        int at = line.from();
        while (at < line.to() && data[at] != ':') {
            at++;
        }
        if (at < line.to()) {
            colon = at;
            description = descriptions.find(data, line.from(), at);
            if (description != null) {
                return;
            }
        }
        throw expected(data[line.from()] == ' ' ? what + ", not a continuation (leading space) of no line" : what);
    }

    private int skip(int from, char wanted) {
        int at = from;
        while (at < line.to() && line.data()[at] == wanted) {
            at++;
        }
        return at;
    }

    private byte[] value() throws LdifException {
        return decode(colon);
    }

    private byte[] decode(int valueColon) throws LdifException {
        try {
            return values.decode(line.data(), valueColon, line.to());
        } catch (ValueSpec.Refusal e) {
            LdifException refused = new LdifException(options.source(), line.number(), e.expected(), e.found());
            refused.initCause(e);
            throw refused;
        }
    }

    private String text() throws LdifException {
        try {
            return Utf8.decode(value());
        } catch (CharacterCodingException e) {
            LdifException malformed = expected("UTF-8 text in '" + description + ":'");
            malformed.initCause(e);
            throw malformed;
        }
    }

    private LdifException expected(String what) {
        String found = present ? Excerpt.of(line.data(), line.from(), line.to()) : "the end of the record";
        return new LdifException(options.source(), line.number(), what, found);
    }
}
