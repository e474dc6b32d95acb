package org.alder.perf.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.alder.ldif.LdifAttribute;
import org.alder.ldif.LdifEntry;
import org.alder.ldif.LdifGenerator;
import org.alder.ldif.LdifWriter;
import org.alder.ldif.progress.ConsoleProgress;
import org.alder.ldif.progress.Progress;

/**
 * The generator's users and how many of them each search must find, counted while the LDIF is written: what a server returns is
 * held against the data, not against the server. Thread safe once made.
 */
public final class SampleUsers {
    private static final int LETTERS = 26;
    private static final long PROGRESS_ENTRIES = 256;

    private final LdifGenerator generator;
    private final long entries;
    private final long[] byInitials = new long[LETTERS * LETTERS];
    private final long[] alpha = new long[LETTERS * LETTERS];
    private final long[] alphaInThree = new long[LETTERS * LETTERS];

    private SampleUsers(LdifGenerator generator, long entries) {
        this.generator = generator;
        this.entries = entries;
    }

    /** Writes the data set into a new file. */
    public static SampleUsers write(LdifGenerator generator, long entries, Path ldif) throws IOException {
        SampleUsers users = new SampleUsers(generator, entries);
        Progress progress = ConsoleProgress.onStandardError(ConsoleProgress.Style.AUTO);
        progress.begin("generate", Progress.Unit.ENTRIES, entries);
        try (LdifWriter writer = new LdifWriter(Files.newOutputStream(ldif))) {
            for (LdifEntry base : LdifGenerator.baseEntries()) {
                writer.write(base);
            }
            for (long i = 1; i <= entries; i++) {
                LdifEntry entry = generator.entry(i);
                writer.write(entry);
                users.count(entry);
                if (i % PROGRESS_ENTRIES == 0) {
                    progress.update(i);
                }
            }
        }
        progress.update(entries);
        progress.finish();
        return users;
    }

    private void count(LdifEntry entry) {
        int initials = index(value(entry, "initials"));
        byInitials[initials]++;
        if (value(entry, "employeeType").equals("alpha")) {
            alpha[initials]++;
            alphaInThree[initials] += value(entry, "departmentNumber").equals("3") ? 1 : 0;
        }
    }

    public long entries() {
        return entries;
    }

    /** One of the 676 pairs of lowercase letters. */
    public static String initials(SplittableRandom random) {
        return "" + (char) ('a' + random.nextInt(LETTERS)) + (char) ('a' + random.nextInt(LETTERS));
    }

    private static int index(String initials) {
        return (initials.charAt(0) - 'a') * LETTERS + initials.charAt(1) - 'a';
    }

    /** How many users have these initials. */
    public long withInitials(String initials) {
        return byInitials[index(initials)];
    }

    /** How many users are of type alpha and have these initials. */
    public long alpha(String initials) {
        return alpha[index(initials)];
    }

    /** How many users are of type alpha. */
    public long alpha() {
        return LongStream.of(alpha).sum();
    }

    /** How many users are of type alpha in department 3 and have these initials. */
    long alphaInThree(String initials) {
        return alphaInThree[index(initials)];
    }

    /** How many users are of type alpha in department 3. */
    long alphaInThree() {
        return LongStream.of(alphaInThree).sum();
    }

    /** The value of an attribute of user {@code i}. */
    public String value(long i, String attribute) {
        return value(generator.entry(i), attribute);
    }

    private static String value(LdifEntry entry, String attribute) {
        for (LdifAttribute candidate : entry.attributes()) {
            if (candidate.description().equals(attribute)) {
                return candidate.text();
            }
        }
        throw new IllegalArgumentException(entry.dn() + " has no " + attribute);
    }
}
