package org.alder.perf.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.alder.ldif.LdifAttribute;
import org.alder.ldif.LdifEntry;
import org.alder.ldif.LdifGenerator;
import org.alder.perf.client.LdapConnection;
import org.alder.perf.client.Load;

/**
 * Adds and modifies of sample users; an answer other than success ends the benchmark. Thread safe.
 *
 * @param base what the users are below
 */
public record SampleUpdates(LdifGenerator generator, String base) {
    /** Hashed before: the adds of a benchmark measure the store, not a password hash that is meant to be slow. */
    private static final byte[] PASSWORD = "{SSHA}4RxuTKyYJH7zyKlK8cnJXqLFzQp3bWtR".getBytes(StandardCharsets.UTF_8);
    private static final int LETTERS = 26;
    private static final int VALUE_LENGTH = 20;

    /** Of the users where the data set has them. */
    public SampleUpdates(LdifGenerator generator) {
        this(generator, LdifGenerator.USERS);
    }

    /** Adds the entries above the users. */
    public static void addBase(LdapConnection client) throws IOException {
        addBase(client, 0);
    }

    /** @param expected result codes, such as 68 where some may be there already */
    public static void addBase(LdapConnection client, int... expected) throws IOException {
        for (LdifEntry entry : LdifGenerator.baseEntries()) {
            send(client, entry.dn(), entry).expect(expected);
        }
    }

    private String dn(long user) {
        return "uid=user." + user + "," + base;
    }

    /** Adds one user. */
    public LdapConnection.Result add(LdapConnection client, long user) throws IOException {
        return send(client, dn(user), generator.entry(user));
    }

    /** Adds the next user. */
    public Load.Request adds(AtomicLong next) {
        return adds(next, 0);
    }

    /** @param expected result codes, such as 68 where some may be there already */
    public Load.Request adds(AtomicLong next, int... expected) {
        return (client, random) -> add(client, next.getAndIncrement()).expect(expected);
    }

    /** Gives one of the users 1 to {@code entries} another description, which has no index. */
    public Load.Request modifies(long entries) {
        return (client, random) -> {
            long user = 1 + random.nextLong(entries);
            return client.replace(dn(user), "description", letters(random)).expect(0);
        };
    }

    private static String letters(SplittableRandom random) {
        StringBuilder value = new StringBuilder();
        for (int i = 0; i < VALUE_LENGTH; i++) {
            value.append((char) ('a' + random.nextInt(LETTERS)));
        }
        return value.toString();
    }

    private static LdapConnection.Result send(LdapConnection client, String dn, LdifEntry entry) throws IOException {
        Map<String, List<byte[]>> grouped = new LinkedHashMap<>();
        for (LdifAttribute attribute : entry.attributes()) {
            byte[] value = attribute.description().equals("userPassword") ? PASSWORD : attribute.value();
            grouped.computeIfAbsent(attribute.description(), description -> new ArrayList<>()).add(value);
        }
        return client.add(dn, List.copyOf(grouped.keySet()), List.copyOf(grouped.values()));
    }
}
