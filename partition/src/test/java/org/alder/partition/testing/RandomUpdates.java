package org.alder.partition.testing;

import static org.junit.Assert.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.request.Modification;
import org.alder.partition.store.LargeValues;
import org.alder.partition.store.Snapshot;

/**
 * Random updates on a directory and on a plain oracle: each must have the same result code, and {@link #verify} that both hold
 * the same entries, value spellings included, and that the checker is content. Engines run it with flushes and restarts in
 * between. One thread.
 */
public final class RandomUpdates {
    private static final String SUFFIX = "dc=example,dc=com";
    private static final String[] WORDS = {"ant", "bee", "cat", "dog", "eel", "fox", "gnu", "hen", "ibex"};
    private static final String[] ATTRIBUTES = {"cn", "sn", "description", "description", "title", "employeetype", "employeetype",
        "employeenumber"};

    private final TextDirectory directory;
    private final long seed;
    private final Random random;
    private final DirectoryOracle oracle = new DirectoryOracle(SUFFIX);
    private long largeSeen;
    private final Map<ResultCode, Integer> codes = new EnumMap<>(ResultCode.class);

    private interface Update {
        void run() throws DirectoryException;
    }

    /** @param directory empty; it gets its suffix entry here */
    public RandomUpdates(TextDirectory directory, long seed) throws DirectoryException {
        this.directory = directory.withSuffix();
        this.seed = seed;
        random = new Random(seed);
    }

    public void run(int operations) {
        for (int i = 0; i < operations; i++) {
            step();
        }
    }

    /** Compares all entries and runs the checker. */
    public void verify() {
        assertEquals("seed " + seed, readOracle(), readDirectory());
        assertEquals("seed " + seed, List.of(), directory.check().problems());
        verifyInline();
    }

    /** The index of sn has description inline. */
    private void verifyInline() {
        for (String surname : WORDS) {
            for (String description : WORDS) {
                long expected = oracle.entries().values().stream()
                        .filter(entry -> entry.has("sn", surname) && entry.has("description", description)).count();
                assertEquals("seed " + seed + ": " + surname + ", " + description, expected,
                        directory.candidates("(&(sn=" + surname + ")(description=" + description + "))"));
            }
        }
    }

    /** Counts how often attributes were found outside of their records. */
    public long largeSeen() {
        return largeSeen;
    }

    /** What happened so far. */
    @Override
    public String toString() {
        return "seed " + seed + ": " + oracle.entries().size() + " entries, large attributes seen " + largeSeen + " times, "
                + codes;
    }

    private void step() {
        switch (random.nextInt(10)) {
            case 0, 1, 2 -> add();
            case 3 -> delete();
            case 4, 5, 6 -> modify();
            default -> rename();
        }
    }

    private void expect(String what, ResultCode expected, Update update) {
        ResultCode actual = ResultCode.SUCCESS;
        String message = "";
        try {
            update.run();
        } catch (DirectoryException e) {
            actual = e.resultCode();
            message = e.getMessage();
        }
        assertEquals("seed " + seed + ": " + what + ": " + message, expected, actual);
        codes.merge(actual, 1, Integer::sum);
    }

    private void add() {
        String dn = rdn() + "," + existingOrNot(true);
        List<String> lines = new ArrayList<>();
        if (random.nextInt(10) > 0) {
            lines.add("sn: " + word());
        }
        if (random.nextInt(10) > 0) {
            lines.add("cn: " + word());
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            lines.add("description: " + word());
        }
        int first = random.nextInt(WORDS.length);
        for (int i = random.nextInt(3) == 0 ? 3 + random.nextInt(4) : 0; i > 0; i--) {
            lines.add("employeetype: " + spelling(WORDS[(first + i) % WORDS.length]));
        }
        expect("add " + dn + " " + lines, oracle.add(dn, lines), () -> directory.add(dn, withClasses(lines)));
    }

    private static String[] withClasses(List<String> lines) {
        List<String> all = new ArrayList<>(List.of("objectClass: inetOrgPerson", "objectClass: organizationalPerson",
                "objectClass: person"));
        all.addAll(lines);
        return all.toArray(String[]::new);
    }

    private void delete() {
        String dn = existingOrNot(false);
        expect("delete " + dn, oracle.delete(dn), () -> directory.delete(dn));
    }

    private void modify() {
        String dn = existingOrNot(false);
        List<DirectoryOracle.Change> changes = new ArrayList<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            changes.add(change());
        }
        String[] lines = changes.stream().map(change -> change.kind().name().toLowerCase(Locale.ROOT) + " " + change.attribute()
                + (change.values().isEmpty() ? "" : ": " + String.join("|", change.values()))).toArray(String[]::new);
        expect("modify " + dn + " " + changes, oracle.modify(dn, changes), () -> directory.modify(dn, lines));
    }

    private DirectoryOracle.Change change() {
        Modification.Kind kind = Modification.Kind.values()[random.nextInt(3)];
        int count = kind == Modification.Kind.ADD ? 1 + random.nextInt(4) : random.nextInt(3);
        List<String> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            values.add(word());
        }
        return new DirectoryOracle.Change(kind, ATTRIBUTES[random.nextInt(ATTRIBUTES.length)], values);
    }

    private void rename() {
        String dn = existingOrNot(false);
        String newRdn = random.nextInt(4) == 0 ? spelling(dn.substring(0, dn.indexOf(','))) : rdn();
        boolean deleteOldRdn = random.nextBoolean();
        String superior = random.nextInt(3) == 0 ? null : existingOrNot(true);
        expect("rename " + dn + " to " + newRdn + ", delete " + deleteOldRdn + ", under " + superior,
                oracle.rename(dn, newRdn, deleteOldRdn, superior), () -> directory.rename(dn, newRdn, deleteOldRdn, superior));
    }

    private String rdn() {
        return (random.nextInt(4) == 0 ? "title" : "cn") + "=" + word();
    }

    private String existingOrNot(boolean orSuffix) {
        List<String> dns = new ArrayList<>(oracle.entries().keySet());
        if (orSuffix && random.nextInt(3) == 0) {
            return SUFFIX;
        }
        if (dns.isEmpty() || random.nextInt(12) == 0) {
            return "cn=" + word() + ",cn=none," + SUFFIX;
        }
        return spelling(dns.get(random.nextInt(dns.size())));
    }

    private String word() {
        return spelling(WORDS[random.nextInt(WORDS.length)]);
    }

    private String spelling(String text) {
        return random.nextBoolean() ? text : text.toUpperCase(Locale.ROOT);
    }

    private Map<String, String> readOracle() {
        Map<String, String> entries = new TreeMap<>();
        oracle.entries().forEach((dn, entry) -> {
            Map<String, List<String>> attributes = new TreeMap<>();
            entry.forEach((attribute, values) -> attributes.put(attribute, values.values().stream().sorted().toList()));
            entries.put(dn, attributes.toString());
        });
        return entries;
    }

    private Map<String, String> readDirectory() {
        Map<String, String> entries = new TreeMap<>();
        try (Snapshot snapshot = directory.partition().snapshot(); Snapshot.EntryCursor cursor = snapshot.entries(1)) {
            while (cursor.next()) {
                String dn = directory.partition().dnOf(snapshot, cursor.id());
                if (!dn.equals(SUFFIX)) {
                    entries.put(DirectoryOracle.lower(dn), readAttributes(whole(snapshot, cursor)).toString());
                }
                assertEquals(cursor.id(), directory.partition().resolve(snapshot, TextDirectory.dn(dn)));
            }
        }
        return entries;
    }

    private EntryRecord whole(Snapshot snapshot, Snapshot.EntryCursor cursor) {
        largeSeen += cursor.entry().largeAttributes().size();
        return new LargeValues(snapshot, cursor.id()).whole(cursor.entry());
    }

    private static Map<String, List<String>> readAttributes(EntryRecord record) {
        Map<String, List<String>> attributes = new TreeMap<>();
        for (Attribute attribute : record.userAttributes()) {
            if (!attribute.description().equals("objectClass")) {
                attributes.put(DirectoryOracle.lower(attribute.description()),
                        attribute.values().stream().map(value -> new String(value, StandardCharsets.UTF_8)).sorted().toList());
            }
        }
        return attributes;
    }
}
