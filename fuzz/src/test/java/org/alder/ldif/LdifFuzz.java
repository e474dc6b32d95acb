package org.alder.ldif;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldif.LDIFException;
import com.unboundid.ldif.LDIFReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
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
        List<LdifRecord> records = Ldif.readLeniently(input, OPTIONS);
        if (records.isEmpty()) {
            return;
        }
        byte[] written = Ldif.write(records, FOLD_COLUMNS);
        List<LdifRecord> again = Ldif.readLeniently(written, OPTIONS);
        assertEquals(records.stream().map(Ldif::withoutLine).toList(), again.stream().map(Ldif::withoutLine).toList());
        compare(records, written);
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
