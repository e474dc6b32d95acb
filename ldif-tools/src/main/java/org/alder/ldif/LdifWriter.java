package org.alder.ldif;

import java.io.Closeable;
import java.io.Flushable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/**
 * Writes LDIF (RFC 2849): {@code version: 1} first, LF line ends, a blank line between records, values in base64 unless they
 * are SAFE-STRINGs of visible characters without a trailing space, so that every value is read back byte for byte, and none does anything
 * to a terminal. An entry is written as a content record, or as {@code changetype: add} when it carries controls.
 *
 * <p>Not thread-safe. Buffers; owns the stream, {@link #close()} flushes and closes it. Throws IllegalArgumentException for
 * what LDIF cannot express (a malformed attribute description, an attribute called dn, control or changetype, an entry
 * without attributes); nothing is written of such a record.
 */
public final class LdifWriter implements Closeable, Flushable {

    /** Longest line in bytes, without its LF, unless another is asked for (RFC 2849, note 2, has 76). */
    public static final int DEFAULT_FOLD_COLUMNS = 76;

    private static final int BUFFER_BYTES = 64 << 10;
    private static final byte[] HEADER = "version: 1\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] DASH = {'-'};
    private static final byte DELETE = 0x7F;

    private final OutputStream out;
    private final int foldColumns;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int used;
    private int column;
    private boolean started;

    public LdifWriter(OutputStream out) throws IOException {
        this(out, DEFAULT_FOLD_COLUMNS);
    }

    /** {@code foldColumns} is the longest line in bytes, at least 2, or 0 to write each value on one line. */
    public LdifWriter(OutputStream out, int foldColumns) throws IOException {
        this(out, foldColumns, true);
    }

    private LdifWriter(OutputStream out, int foldColumns, boolean header) throws IOException {
        if (foldColumns != 0 && foldColumns < 2) {
            throw new IllegalArgumentException("foldColumns must be 0 or at least 2: " + foldColumns);
        }
        this.out = out;
        this.foldColumns = foldColumns;
        this.started = header;
        if (header) {
            putRaw(HEADER, 0, HEADER.length);
        }
    }

    /** A writer of bare records, for pieces of a file, and for OpenLDAP's slapadd, which does not take a version line. */
    public static LdifWriter withoutHeader(OutputStream out) throws IOException {
        return new LdifWriter(out, DEFAULT_FOLD_COLUMNS, false);
    }

    /** Writes any record. */
    public void write(LdifRecord record) throws IOException {
        if (record instanceof LdifEntry entry) {
            writeEntry(entry);
        } else if (record instanceof LdifDelete) {
            beginChange(record, "delete");
        } else if (record instanceof LdifModify modify) {
            writeModify(modify);
        } else if (record instanceof LdifModifyDn modifyDn) {
            writeModifyDn(modifyDn);
        }
    }

    @Override
    public void flush() throws IOException {
        drain();
        out.flush();
    }

    @Override
    public void close() throws IOException {
        try (OutputStream closing = out) {
            drain();
            closing.flush();
        }
    }

    private void writeEntry(LdifEntry entry) throws IOException {
        if (entry.attributes().isEmpty()) {
            throw new IllegalArgumentException("an entry without attributes: " + entry.dn());
        }
        for (LdifAttribute attribute : entry.attributes()) {
            check(attribute.description());
        }
        if (entry.controls().isEmpty()) {
            writeName(entry.dn());
        } else {
            beginChange(entry, "add");
        }
        for (LdifAttribute attribute : entry.attributes()) {
            line(attribute.description(), attribute.value());
        }
    }

    /**
     * Writes the name of an entry of which nothing else is known, such as a search for no attributes shows it. RFC 2849 has no such record:
     * whoever reads it has to take it for what it is.
     */
    public void writeName(String dn) throws IOException {
        if (started) {
            endLine();
        }
        started = true;
        line("dn", dn);
    }

    /** Adds a value to the entry written last, so that an entry need not be in memory to be written. */
    public void writeValue(String description, byte[] value) throws IOException {
        check(description);
        line(description, value);
    }

    private void writeModify(LdifModify modify) throws IOException {
        for (LdifModify.Modification modification : modify.modifications()) {
            check(modification.description());
        }
        beginChange(modify, "modify");
        for (LdifModify.Modification modification : modify.modifications()) {
            line(keyword(modification.kind()), modification.description());
            for (byte[] value : modification.values()) {
                line(modification.description(), value);
            }
            put(DASH);
            endLine();
        }
    }

    private static String keyword(LdifModify.Kind kind) {
        return switch (kind) {
            case ADD -> "add";
            case DELETE -> "delete";
            case REPLACE -> "replace";
            case INCREMENT -> "increment";
        };
    }

    private void writeModifyDn(LdifModifyDn modifyDn) throws IOException {
        beginChange(modifyDn, "modrdn");
        line("newrdn", modifyDn.newRdn());
        line("deleteoldrdn", modifyDn.deleteOldRdn() ? "1" : "0");
        if (modifyDn.newSuperior() != null) {
            line("newsuperior", modifyDn.newSuperior());
        }
    }

    private void beginChange(LdifRecord record, String changeType) throws IOException {
        writeName(record.dn());
        writeControls(record.controls());
        line("changetype", changeType);
    }

    private void writeControls(List<LdifControl> controls) throws IOException {
        for (LdifControl control : controls) {
            String head = "control: " + control.oid() + (control.critical() ? " true" : "");
            if (control.value() == null) {
                put(head.getBytes(StandardCharsets.US_ASCII));
                endLine();
            } else {
                line(head, control.value());
            }
        }
    }

    private void line(String name, String value) throws IOException {
        line(name, value.getBytes(StandardCharsets.UTF_8));
    }

    private void line(String name, byte[] value) throws IOException {
        boolean safe = isSafe(value);
        putName(name, safe, value.length == 0);
        put(safe ? value : Base64.getEncoder().encode(value));
        endLine();
    }

    private void putName(String name, boolean safe, boolean empty) throws IOException {
        byte[] head = new byte[name.length() + (safe ? 1 : 2) + (empty ? 0 : 1)];
        for (int i = 0; i < name.length(); i++) {
            // Names are ASCII. An array of its own, of which this would be a copy, costs more.
            head[i] = (byte) name.charAt(i);
        }
        head[name.length()] = ':';
        if (!safe) {
            head[name.length() + 1] = ':';
        }
        if (!empty) {
            head[head.length - 1] = ' ';
        }
        put(head);
    }

    private static void check(String description) {
        if (!AttributeDescriptions.isValid(description) || RecordParser.isReserved(description)) {
            throw new IllegalArgumentException("not an attribute description that LDIF can hold: " + Excerpt.of(description));
        }
    }

    /** Puts bytes on the current line, folding where it gets too long. */
    private void put(byte[] bytes) throws IOException {
        if (foldColumns == 0) {
            putRaw(bytes, 0, bytes.length);
            return;
        }
        int at = 0;
        while (bytes.length - at > foldColumns - column) {
            int fitting = foldColumns - column;
            putRaw(bytes, at, fitting);
            at += fitting;
            putByte('\n');
            putByte(' ');
            column = 1;
        }
        putRaw(bytes, at, bytes.length - at);
        column += bytes.length - at;
    }

    private void endLine() throws IOException {
        putByte('\n');
        column = 0;
    }

    private void putByte(int b) throws IOException {
        if (used == buffer.length) {
            drain();
        }
        buffer[used++] = (byte) b;
    }

    private void putRaw(byte[] bytes, int from, int length) throws IOException {
        if (length > buffer.length - used) {
            drain();
        }
        if (length > buffer.length) {
            out.write(bytes, from, length);
            return;
        }
        System.arraycopy(bytes, from, buffer, used, length);
        used += length;
    }

    private void drain() throws IOException {
        out.write(buffer, 0, used);
        used = 0;
    }

    /** RFC 2849's SAFE-STRING, but for its control characters, and no trailing space (note 8 there). */
    private static boolean isSafe(byte[] value) {
        if (value.length == 0) {
            return true;
        }
        byte first = value[0];
        if (first == ' ' || first == ':' || first == '<' || value[value.length - 1] == ' ') {
            return false;
        }
        for (byte b : value) {
            if (b < ' ' || b == DELETE) {
                return false;
            }
        }
        return true;
    }
}
