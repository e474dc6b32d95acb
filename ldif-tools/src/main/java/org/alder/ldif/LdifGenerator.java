package org.alder.ldif;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.alder.ldif.progress.Progress;

/**
 * Makes the sample and benchmark data: {@code dc=example,dc=com}, {@code ou=users} under it, and users numbered from 1 with
 * random letters or realistic values. User i is a pure function of the seed and i, so any part of the set can be made alone, in
 * any order, by any thread. The same seed gives the same bytes in every version of Alder: published figures depend on it.
 * Thread-safe.
 *
 * <p>In random letters, initials are uniform over the 676 pairs of lowercase letters.
 */
public final class LdifGenerator {

    public static final long DEFAULT_SEED = 42;

    /** The DN all generated entries are at or below. */
    public static final String SUFFIX = "dc=example,dc=com";

    /** What users are below. */
    public static final String USERS = "ou=users," + SUFFIX;
    private static final String LOWER = "abcdefghijklmnopqrstuvwxyz";
    private static final String UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    private static final String LETTERS = LOWER + UPPER;
    private static final String DIGITS = "0123456789";
    private static final long PROGRESS_ENTRIES = 256;

    static final List<String> OBJECT_CLASSES = List.of("top", "person", "organizationalPerson", "inetOrgPerson");

    private final long seed;
    private final SampleValues values;

    /** Of random letters. */
    public LdifGenerator(long seed) {
        this(seed, SampleValues.RANDOM);
    }

    public LdifGenerator(long seed, SampleValues values) {
        this.seed = seed;
        this.values = values;
    }

    /** The entries above the users, parent first. */
    public static List<LdifEntry> baseEntries() {
        return List.of(
            new LdifEntry(SUFFIX, List.of(LdifAttribute.of("objectClass", "top"), LdifAttribute.of("objectClass", "domain"),
                LdifAttribute.of("dc", "example"))),
            new LdifEntry(USERS, List.of(LdifAttribute.of("objectClass", "top"),
                LdifAttribute.of("objectClass", "organizationalUnit"), LdifAttribute.of("ou", "users"))));
    }

    public static String userDn(long i) {
        return "uid=user." + i + "," + USERS;
    }

    /** User {@code i}, from 1. The order of the draws is part of the data set: do not change it. */
    public LdifEntry entry(long i) {
        if (i < 1) {
            throw new IllegalArgumentException("users are numbered from 1: " + i);
        }
        Draws draws = new Draws(seed, i);
        List<LdifAttribute> attributes = values == SampleValues.REALISTIC ? RealisticUser.attributes(i, draws::below)
            : randomLetters(i, draws);
        return new LdifEntry(userDn(i), attributes);
    }

    private static List<LdifAttribute> randomLetters(long i, Draws draws) {
        List<LdifAttribute> attributes = new ArrayList<>(24);
        attributes.add(LdifAttribute.of("uid", "user." + i));
        attributes.add(draws.attribute("initials", LOWER, 2));
        attributes.add(draws.attribute("description", LETTERS, 20));
        attributes.add(draws.attribute("pager", LETTERS, 10));
        attributes.add(draws.attribute("cn", LETTERS, 15));
        attributes.add(draws.attribute("postalCode", LETTERS, 5));
        attributes.add(draws.attribute("st", LOWER, 2));
        attributes.add(draws.attribute("street", LETTERS, 20));
        attributes.add(draws.attribute("l", LETTERS, 10));
        for (String objectClass : OBJECT_CLASSES) {
            attributes.add(LdifAttribute.of("objectClass", objectClass));
        }
        attributes.add(draws.attribute("sn", LETTERS, 9));
        attributes.add(draws.attribute("homePhone", LETTERS, 10));
        attributes.add(draws.attribute("mobile", LETTERS, 10));
        attributes.add(draws.attribute("telephoneNumber", DIGITS, 10));
        attributes.add(draws.attribute("mail", LETTERS, 15));
        attributes.add(draws.attribute("givenName", UPPER, 6));
        attributes.add(draws.attribute("postalAddress", LETTERS, 20));
        attributes.add(LdifAttribute.of("employeeNumber", Long.toString(i)));
        attributes.add(LdifAttribute.of("userPassword", "password"));
        attributes.add(LdifAttribute.of("employeeType", draws.below(2) == 0 ? "alpha" : "beta"));
        attributes.add(draws.attribute("departmentNumber", DIGITS, 1));
        return attributes;
    }

    /** Writes the base entries and the users 1 to {@code entries}; leaves the writer open. */
    public void writeTo(LdifWriter writer, long entries, Progress progress) throws IOException {
        progress.begin("generate", Progress.Unit.ENTRIES, entries);
        for (LdifEntry base : baseEntries()) {
            writer.write(base);
        }
        for (long i = 1; i <= entries; i++) {
            writer.write(entry(i));
            if (i % PROGRESS_ENTRIES == 0) {
                progress.update(i);
            }
        }
        progress.update(entries);
        progress.finish();
    }

    /** SplitMix64, own so that no change of the JDK can change the data set. */
    private static final class Draws {

        private static final long GAMMA = 0x9E3779B97F4A7C15L;

        private long state;

        Draws(long seed, long i) {
            state = mix(mix(seed + GAMMA) + i * 0xD1342543DE82EF95L);
        }

        LdifAttribute attribute(String description, String alphabet, int length) {
            byte[] value = new byte[length];
            for (int at = 0; at < length; at++) {
                value[at] = (byte) alphabet.charAt(below(alphabet.length()));
            }
            return new LdifAttribute(description, value);
        }

        int below(int bound) {
            state += GAMMA;
            return (int) ((mix(state) >>> 32) * bound >>> 32);
        }

        private static long mix(long z) {
            long a = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
            long b = (a ^ a >>> 27) * 0x94D049BB133111EBL;
            return b ^ b >>> 31;
        }
    }
}
