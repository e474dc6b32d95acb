package org.alder.partition.schema;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.alder.partition.entry.Varints;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.schema.value.ValueText;
import org.alder.partition.text.Oids;

/**
 * Reads distinguished names (RFC 4514) in one pass and gives each RDN its normal form. Beyond RFC 4514 it takes what RFC 2253 4
 * asks to take: spaces around separators, {@code ;} for {@code ,}, quoted values, the prefix {@code OID.}. A {@code #hex} value
 * is BER; its contents are the value. The same type twice in an RDN is refused (X.501 9.3). One object, one name, one thread.
 *
 * <p>Normal form of an RDN, version 1 (docs/format/hierarchy.md; part of the on-disk format): its AVAs, sorted by their bytes,
 * each as the type's primary name in lower case, {@code =}, the length of the value's equality form as a varint, that form. A
 * type without equality rule has the value itself as form.
 */
public final class NameParser {
    /** A DN in an RDN's value holds a DN in an RDN's value ...: nobody needs more, and each level takes stack. */
    private static final int MAX_NESTING = 8;
    /** No tree may be deeper. Each RDN is some objects, and a request has room for millions. */
    public static final int MAX_RDNS = 10_000;

    private final Schema schema;
    private final String text;
    private final NameSink sink;
    private final int nesting;
    private int position;
    private AttributeType lastType;

    private NameParser(Schema schema, String text, NameSink sink, int nesting) {
        this.schema = schema;
        this.text = text;
        this.sink = sink;
        this.nesting = nesting;
    }

    /**
     * Reads a DN; a blank one has no RDNs.
     *
     * @throws DirectoryException invalidDNSyntax; the message names the offset
     */
    public static void parseDn(Schema schema, String text, NameSink sink) throws DirectoryException {
        parseDn(schema, text, sink, 0);
    }

    static void parseDn(Schema schema, String text, NameSink sink, int nesting) throws DirectoryException {
        if (nesting > MAX_NESTING) {
            throw new DirectoryException(ResultCode.INVALID_DN_SYNTAX, "names nested more than " + MAX_NESTING + " deep");
        }
        NameParser parser = new NameParser(schema, text, sink, nesting);
        if (parser.skipSpaces()) {
            int rdns = 0;
            do {
                if (++rdns > MAX_RDNS) {
                    throw new DirectoryException(ResultCode.INVALID_DN_SYNTAX, "a name of more than " + MAX_RDNS + " RDNs, the limit");
                }
                parser.rdn();
            } while (parser.separator());
        }
    }

    /**
     * Reads exactly one RDN.
     *
     * @throws DirectoryException invalidDNSyntax; the message names the offset
     */
    public static void parseRdn(Schema schema, String text, NameSink sink) throws DirectoryException {
        NameParser parser = new NameParser(schema, text, sink, 0);
        parser.rdn();
        if (parser.position < text.length()) {
            throw parser.invalid("an RDN ends where more follows");
        }
    }

    /** Moves over an RDN's separator; false at the end. */
    private boolean separator() {
        if (position == text.length()) {
            return false;
        }
        position++;
        return true;
    }

    private void rdn() throws DirectoryException {
        skipSpaces();
        int start = position;
        byte[] first = ava(null);
        if (position < text.length() && text.charAt(position) == '+') {
            first = join(moreAvas(first));
        }
        int end = position;
        while (text.charAt(end - 1) == ' ' && !endsInEscape(end)) {
            end--;
        }
        sink.rdn(start, end, first);
    }

    /** Whether the space before {@code end} is escaped: an odd number of backslashes stands before it. */
    private boolean endsInEscape(int end) {
        int at = end - 2;
        while (at >= 0 && text.charAt(at) == '\\') {
            at--;
        }
        return (end - 2 - at) % 2 == 1;
    }

    private List<byte[]> moreAvas(byte[] first) throws DirectoryException {
        List<byte[]> avas = new ArrayList<>();
        List<AttributeType> types = new ArrayList<>();
        avas.add(first);
        types.add(lastType);
        while (position < text.length() && text.charAt(position) == '+') {
            position++;
            avas.add(ava(types));
            types.add(lastType);
        }
        avas.sort(Arrays::compareUnsigned);
        return avas;
    }

    private static byte[] join(List<byte[]> avas) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        avas.forEach(out::writeBytes);
        return out.toByteArray();
    }

    private byte[] ava(List<AttributeType> before) throws DirectoryException {
        skipSpaces();
        int typeStart = position;
        AttributeType type = type();
        if (before != null && before.contains(type)) {
            throw invalid("the RDN names " + type.name() + " twice");
        }
        lastType = type;
        String typeText = text.substring(typeStart, position);
        skipSpaces();
        requireEquals();
        position++;
        skipSpaces();
        int valueStart = position;
        byte[] value = new NameValueReader(text, position).read(this);
        byte[] normal = normal(type, value, valueStart);
        sink.ava(type, typeText, value);
        return normal;
    }

    private void requireEquals() throws DirectoryException {
        if (position == text.length() || text.charAt(position) != '=') {
            throw invalid("\"=\" expected after the attribute type");
        }
    }

    private AttributeType type() throws DirectoryException {
        int start = position;
        if (text.regionMatches(true, position, "OID.", 0, 4)) {
            start = position += 4;
        }
        while (position < text.length() && (Oids.isKeyChar(text.charAt(position)) || text.charAt(position) == '.')) {
            position++;
        }
        if (start == position) {
            throw invalid("an attribute type expected");
        }
        AttributeType type = schema.attributeType(text, start, position);
        if (type == null) {
            String name = text.substring(start, position);
            skipSpaces();
            requireEquals();
            position = start;
            throw invalid("unknown attribute type " + ValueText.of(name));
        }
        return type;
    }

    private byte[] normal(AttributeType type, byte[] value, int valueStart) throws DirectoryException {
        byte[] form;
        try {
            form = type.equality() instanceof NameRule ? ((NameRule) type.equality()).normalize(value, nesting + 1)
                    : type.equality() == null ? value : type.equality().normalize(value);
        } catch (DirectoryException e) {
            position = valueStart;
            throw invalid("the value of " + type.name() + ": " + e.getMessage());
        }
        byte[] prefix = type.namePrefix();
        byte[] ava = Arrays.copyOf(prefix, prefix.length + Varints.MAX_BYTES + form.length);
        int at = Varints.put(ava, prefix.length, form.length);
        System.arraycopy(form, 0, ava, at, form.length);
        return Arrays.copyOf(ava, at + form.length);
    }

    /** Moves over spaces; false at the end. */
    private boolean skipSpaces() {
        while (position < text.length() && text.charAt(position) == ' ') {
            position++;
        }
        return position < text.length();
    }

    void moveTo(int newPosition) {
        position = newPosition;
    }

    private DirectoryException invalid(String what) {
        return invalid(text, position, what);
    }

    static DirectoryException invalid(String text, int offset, String what) {
        return new DirectoryException(ResultCode.INVALID_DN_SYNTAX,
                "invalid DN " + ValueText.of(text) + " at offset " + offset + ": " + what);
    }

    /** Where the unique identifier {@code #'0101'B} begins that may follow a name (RFC 4517 3.3.21); the text's length without. */
    public static int uidStart(String text) {
        int hash = text.endsWith("'B") ? text.lastIndexOf("#'", text.length() - 3) : -1;
        if (hash < 0) {
            return text.length();
        }
        for (int i = hash + 2; i < text.length() - 2; i++) {
            if (text.charAt(i) != '0' && text.charAt(i) != '1') {
                return text.length();
            }
        }
        return hash;
    }
}
