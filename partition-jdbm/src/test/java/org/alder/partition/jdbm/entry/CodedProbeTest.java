package org.alder.partition.jdbm.entry;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryProbe;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.testing.Seed;
import org.junit.Test;

public class CodedProbeTest {
    private static final String[] NAMES = {"uid", "l", "mail", "manager", "telephonenumber", "jpegphoto", "member", "createtimestamp",
        "entrycsn", "entryuuid", "creatorsname", "nothing"};

    /** Values of an attribute that contain one byte and not another. */
    private record Containing(String name, int wanted, int length) implements EntryProbe.Test {
        @Override
        public boolean selects(byte[] bytes, int offset, int count) {
            String description = new String(bytes, offset, count, StandardCharsets.UTF_8).toLowerCase(Locale.ROOT);
            return description.equals(name) || description.startsWith(name + ";");
        }

        @Override
        public boolean matches(byte[] bytes, int offset, int count) {
            for (int i = offset; i < offset + count; i++) {
                if (bytes[i] == wanted) {
                    return count >= length;
                }
            }
            return false;
        }

        boolean isPassedBy(Attribute attribute) {
            byte[] description = attribute.description().getBytes(StandardCharsets.UTF_8);
            return selects(description, 0, description.length)
                    && attribute.values().stream().anyMatch(value -> matches(value, 0, value.length));
        }
    }

    private static long passed(List<Containing> tests, EntryRecord record) {
        List<Attribute> attributes = new ArrayList<>(record.userAttributes());
        attributes.addAll(record.operationalAttributes());
        long passed = 0;
        for (int i = 0; i < tests.size(); i++) {
            passed |= attributes.stream().anyMatch(tests.get(i)::isPassedBy) ? 1L << i : 0;
        }
        return passed;
    }

    /** Each condition of the tests is as the record's own values say; an entry that is compressed or plain may be anything. */
    @Test
    public void aProbeOfCodedEntriesSaysWhatTheRecordsSay() {
        Random random = Seed.random(CodedProbeTest.class);
        SampleRecords records = new SampleRecords(random);
        EntryEncoder encoder = new EntryEncoder(EntryCodec.CODED);
        List<EntryRecord> entries = new ArrayList<>();
        List<byte[]> coded = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            EntryRecord record = records.next();
            int length = encoder.encode(record);
            entries.add(record);
            coded.add(Arrays.copyOf(encoder.coded(), length + Word.SLACK));
        }
        int told = 0;
        for (int round = 0; round < 30; round++) {
            List<Containing> tests = new ArrayList<>();
            for (int i = 1 + random.nextInt(6); i > 0; i--) {
                tests.add(new Containing(NAMES[random.nextInt(NAMES.length)], "e1.,x@".charAt(random.nextInt(6)), random.nextInt(20)));
            }
            long[] asked = new long[1];
            EntryProbe probe = new EntryProbe(List.copyOf(tests), passed -> {
                asked[0] = passed;
                return false;
            });
            CodedProbe prober = new CodedProbe(encoder.vocabulary(), probe);
            for (int i = 0; i < coded.size(); i++) {
                if (!prober.mayHold(coded.get(i), 0, coded.get(i).length - Word.SLACK)) {
                    assertEquals("entry " + i + ", tests " + tests, passed(tests, entries.get(i)), asked[0]);
                    told++;
                }
            }
        }
        assertTrue("of most entries it is told, found " + told, told > 30 * 1000);
    }
}
