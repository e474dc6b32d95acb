package org.alder.ldif;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldif.LDIFException;
import com.unboundid.ldif.LDIFReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Records come back as they were from what is written of them, and an independent reader finds the same in that. */
public final class LdifFuzz {
    private static final LdifOptions OPTIONS = LdifOptions.DEFAULT.withMaxRecordBytes(1 << 20).withMaxValueBytes(1 << 16);
    private static final int FOLD_COLUMNS = 40;

    private LdifFuzz() {
    }

    public static void records(byte[] input) throws IOException, LdifException, LDIFException {
        boolean compressed = input.length > 1 && input[0] == 0x1F && input[1] == (byte) 0x8B;
        if (compressed) {
            // What damaged gzip gives is up to java.util.zip.
            return;
        }
        List<LdifRecord> records = leniently(input);
        if (records.isEmpty()) {
            return;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (LdifWriter writer = new LdifWriter(out, FOLD_COLUMNS)) {
            for (LdifRecord record : records) {
                writer.write(record);
            }
        }
        List<LdifRecord> again = leniently(out.toByteArray());
        assertEquals(records.stream().map(LdifFuzz::withoutLine).toList(), again.stream().map(LdifFuzz::withoutLine).toList());
        compare(records, out.toByteArray());
    }

    private static List<LdifRecord> leniently(byte[] text) throws IOException {
        List<LdifRecord> records = new ArrayList<>();
        try (LdifReader reader = new LdifReader(new ByteArrayInputStream(text), OPTIONS)) {
            for (int attempts = 0; ; attempts++) {
                assertTrue("it does not end", attempts <= text.length);
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

    private static LdifRecord withoutLine(LdifRecord record) {
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

    /** Of entries alone: all their values, in their order. */
    private static void compare(List<LdifRecord> records, byte[] written) throws IOException, LDIFException {
        for (LdifRecord record : records) {
            if (!(record instanceof LdifEntry entry) || !entry.controls().isEmpty()) {
                return;
            }
        }
        try (LDIFReader reader = new LDIFReader(new ByteArrayInputStream(written))) {
            for (LdifRecord record : records) {
                compare((LdifEntry) record, reader.readEntry());
            }
        }
    }

    private static void compare(LdifEntry entry, com.unboundid.ldap.sdk.Entry other) {
        assertEquals(entry.dn(), other.getDN());
        for (LdifAttribute attribute : entry.attributes()) {
            assertTrue(attribute + " in " + other, other.hasAttributeValue(attribute.description(), attribute.value()));
        }
    }
}
