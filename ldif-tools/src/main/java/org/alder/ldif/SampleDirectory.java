package org.alder.ldif;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A directory to try things with: the generator's realistic users as people and Unix accounts, and a group of each department
 * with its people as members. Nobody has a password: the administrator gives those who need one theirs. The same number of
 * users gives the same entries. Thread safe.
 */
public final class SampleDirectory {
    /** Where the groups are. */
    public static final String GROUPS = "ou=groups," + LdifGenerator.SUFFIX;
    private static final int FIRST_NUMBER = 10_000;

    private final LdifGenerator generator = new LdifGenerator(LdifGenerator.DEFAULT_SEED, SampleValues.REALISTIC);
    private final long users;

    /** @param users how many, from 0 */
    public SampleDirectory(long users) {
        this.users = users;
    }

    /** All entries, parents first: suffix, users, groups. A department without users has no group. */
    public Stream<LdifEntry> entries() {
        LdifEntry groups = new LdifEntry(GROUPS, List.of(LdifAttribute.of("objectClass", "top"),
                LdifAttribute.of("objectClass", "organizationalUnit"), LdifAttribute.of("ou", "groups")));
        return Stream.of(LdifGenerator.baseEntries().stream(), LongStream.rangeClosed(1, users).mapToObj(this::user),
                Stream.of(groups), departments()).flatMap(part -> part);
    }

    /** How many entries there are, if no department is without users. */
    public long count() {
        return LdifGenerator.baseEntries().size() + users + 1 + RealisticUser.DEPARTMENTS.length;
    }

    private LdifEntry user(long number) {
        LdifEntry entry = generator.entry(number);
        List<LdifAttribute> attributes = new ArrayList<>(entry.attributes());
        attributes.removeIf(attribute -> attribute.description().equals("userPassword"));
        attributes.add(LdifAttribute.of("objectClass", "posixAccount"));
        attributes.add(LdifAttribute.of("uidNumber", Long.toString(FIRST_NUMBER + number)));
        attributes.add(LdifAttribute.of("gidNumber", Integer.toString(FIRST_NUMBER + department(entry))));
        attributes.add(LdifAttribute.of("homeDirectory", "/home/user." + number));
        attributes.add(LdifAttribute.of("loginShell", "/bin/bash"));
        return new LdifEntry(entry.dn(), attributes);
    }

    private static int department(LdifEntry user) {
        return user.attributes().stream().filter(attribute -> attribute.description().equals("departmentNumber"))
                .mapToInt(attribute -> Integer.parseInt(attribute.text())).findFirst().orElseThrow();
    }

    /** One at a time: a group of a large sample has many members. */
    private Stream<LdifEntry> departments() {
        return IntStream.range(0, RealisticUser.DEPARTMENTS.length).mapToObj(this::group)
                .filter(group -> group.attributes().stream().anyMatch(attribute -> attribute.description().equals("member")));
    }

    private LdifEntry group(int department) {
        String name = RealisticUser.DEPARTMENTS[department];
        List<LdifAttribute> attributes = new ArrayList<>();
        for (String objectClass : List.of("top", "groupOfNames", "posixGroup")) {
            attributes.add(LdifAttribute.of("objectClass", objectClass));
        }
        attributes.add(LdifAttribute.of("cn", name));
        attributes.add(LdifAttribute.of("gidNumber", Integer.toString(FIRST_NUMBER + department)));
        LongStream.rangeClosed(1, users).mapToObj(generator::entry).filter(user -> department(user) == department)
                .forEach(user -> attributes.add(LdifAttribute.of("member", user.dn())));
        return new LdifEntry("cn=" + name + "," + GROUPS, attributes);
    }
}
