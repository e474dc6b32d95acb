package org.alder.ldif;

import static org.junit.Assert.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Shorthands of the tests. */
final class Ldif {

    private Ldif() {
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static LdifReader reader(String text) throws IOException {
        return new LdifReader(new ByteArrayInputStream(bytes(text)));
    }

    static LdifReader reader(byte[] text, LdifOptions options) throws IOException {
        return new LdifReader(new ByteArrayInputStream(text), options);
    }

    static List<LdifRecord> read(String text) throws IOException, LdifException {
        return read(bytes(text), LdifOptions.DEFAULT);
    }

    static List<LdifRecord> read(byte[] text, LdifOptions options) throws IOException, LdifException {
        List<LdifRecord> records = new ArrayList<>();
        try (LdifReader reader = reader(text, options)) {
            for (LdifRecord record = reader.next(); record != null; record = reader.next()) {
                records.add(record);
            }
        }
        return records;
    }

    /** Reads on behind each error, which has to say all that errors say; the number of records and errors is bounded by the text's bytes. */
    static List<LdifRecord> readLeniently(byte[] text, LdifOptions options) throws IOException {
        List<LdifRecord> records = new ArrayList<>();
        try (LdifReader reader = reader(text, options)) {
            for (int attempts = 0; ; attempts++) {
                assertTrue("does not end", attempts <= text.length);
                try {
                    LdifRecord record = reader.next();
                    if (record == null) {
                        return records;
                    }
                    records.add(record);
                } catch (LdifException e) {
                    assertTrue(e.getMessage(), e.line() > 0 && !e.expected().isEmpty() && !e.found().isEmpty());
                    reader.resume();
                }
            }
        }
    }

    static LdifRecord withoutLine(LdifRecord record) {
        if (record instanceof LdifEntry e) {
            return new LdifEntry(0, e.dn(), e.controls(), e.attributes());
        } else if (record instanceof LdifDelete d) {
            return new LdifDelete(0, d.dn(), d.controls());
        } else if (record instanceof LdifModify m) {
            return new LdifModify(0, m.dn(), m.controls(), m.modifications());
        }
        LdifModifyDn m = (LdifModifyDn) record;
        return new LdifModifyDn(0, m.dn(), m.controls(), m.newRdn(), m.deleteOldRdn(), m.newSuperior());
    }

    static LdifEntry entry(String text) throws IOException, LdifException {
        List<LdifRecord> records = read(text);
        if (records.size() != 1) {
            throw new AssertionError("expected one record: " + records);
        }
        return (LdifEntry) records.get(0);
    }

    static byte[] write(List<? extends LdifRecord> records, int foldColumns) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (LdifWriter writer = new LdifWriter(out, foldColumns)) {
            for (LdifRecord record : records) {
                writer.write(record);
            }
        }
        return out.toByteArray();
    }
}
