package org.alder.ldif;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A company to try things with: the generator's realistic users as its people and Unix accounts, each with a department and its head; a group of
 * each department, one of all departments, and one of those who head them; and an account for applications. Those of {@link #accounts} have
 * passwords; the administrator gives the others theirs. The same number of users gives the same entries. Thread safe.
 */
public final class SampleDirectory {
    /** Where the groups are. */
    public static final String GROUPS = "ou=groups," + LdifGenerator.SUFFIX;
    /** With which applications look people up. */
    public static final String READER = "cn=reader,ou=services," + LdifGenerator.SUFFIX;
    private static final String SERVICES = "ou=services," + LdifGenerator.SUFFIX;
    private static final int FIRST_NUMBER = 10_000;
    private static final int PEOPLE_WITH_PASSWORDS = 5;
    /** Of what there is once: three units, the groups of all and of heads, the account of applications. */
    private static final int SINGLE_ENTRIES = 5;

    private final LdifGenerator generator = new LdifGenerator(LdifGenerator.DEFAULT_SEED, SampleValues.REALISTIC);
    private final long users;
    private final Map<String, byte[]> passwords;
    private final String[] heads = new String[RealisticUser.DEPARTMENTS.length];

    /**
     * @param users how many, from 0
     * @param passwords those of {@link #accounts}, by their DNs, in the form in which they are stored
     */
    public SampleDirectory(long users, Map<String, byte[]> passwords) {
        this.users = users;
        this.passwords = Map.copyOf(passwords);
        int known = 0;
        for (long i = 1; i <= users && known < heads.length; i++) {
            int department = department(generator.entry(i));
            known += heads[department] == null ? 1 : 0;
            heads[department] = heads[department] == null ? LdifGenerator.userDn(i) : heads[department];
        }
    }

    /** Who has a password: the first people, and {@link #READER}. */
    public static List<String> accounts(long users) {
        return Stream.concat(LongStream.rangeClosed(1, Math.min(users, PEOPLE_WITH_PASSWORDS)).mapToObj(LdifGenerator::userDn), Stream.of(READER))
                .toList();
    }

    /** All entries, parents first: suffix, people, groups, services. A department without people has no group. */
    public Stream<LdifEntry> entries() {
        return Stream.of(LdifGenerator.baseEntries().stream(), LongStream.rangeClosed(1, users).mapToObj(this::user),
                Stream.of(unit(GROUPS, "groups")), departments(), groupsOfAll(), Stream.of(unit(SERVICES, "services"), reader()))
                .flatMap(part -> part);
    }

    /** How many entries there are, if no department is without people. */
    public long count() {
        return LdifGenerator.baseEntries().size() + users + RealisticUser.DEPARTMENTS.length + SINGLE_ENTRIES;
    }

    private static LdifEntry unit(String dn, String name) {
        return new LdifEntry(dn, List.of(LdifAttribute.of("objectClass", "top"), LdifAttribute.of("objectClass", "organizationalUnit"),
                LdifAttribute.of("ou", name)));
    }

    private LdifEntry user(long number) {
        LdifEntry entry = generator.entry(number);
        int department = department(entry);
        List<LdifAttribute> attributes = new ArrayList<>(entry.attributes());
        attributes.removeIf(attribute -> attribute.description().equals("userPassword"));
        attributes.add(LdifAttribute.of("objectClass", "posixAccount"));
        attributes.add(LdifAttribute.of("uidNumber", Long.toString(FIRST_NUMBER + number)));
        attributes.add(LdifAttribute.of("gidNumber", Integer.toString(FIRST_NUMBER + department)));
        attributes.add(LdifAttribute.of("homeDirectory", "/home/user." + number));
        attributes.add(LdifAttribute.of("loginShell", "/bin/bash"));
        attributes.add(LdifAttribute.of("ou", RealisticUser.DEPARTMENTS[department]));
        if (!entry.dn().equals(heads[department])) {
            attributes.add(LdifAttribute.of("manager", heads[department]));
        }
        if (passwords.containsKey(entry.dn())) {
            attributes.add(new LdifAttribute("userPassword", passwords.get(entry.dn())));
        }
        return new LdifEntry(entry.dn(), attributes);
    }

    private LdifEntry reader() {
        return new LdifEntry(READER, List.of(LdifAttribute.of("objectClass", "top"), LdifAttribute.of("objectClass", "applicationProcess"),
                LdifAttribute.of("objectClass", "simpleSecurityObject"), LdifAttribute.of("cn", "reader"),
                LdifAttribute.of("description", "the account with which applications look people up"),
                new LdifAttribute("userPassword", passwords.get(READER))));
    }

    private static int department(LdifEntry user) {
        return user.attributes().stream().filter(attribute -> attribute.description().equals("departmentNumber"))
                .mapToInt(attribute -> Integer.parseInt(attribute.text())).findFirst().orElseThrow();
    }

    private static String groupDn(int department) {
        return "cn=" + RealisticUser.DEPARTMENTS[department] + "," + GROUPS;
    }

    private IntStream departmentsWithPeople() {
        return IntStream.range(0, heads.length).filter(department -> heads[department] != null);
    }

    /** One at a time: a group of a large sample has many members. */
    private Stream<LdifEntry> departments() {
        return departmentsWithPeople().mapToObj(this::group);
    }

    private LdifEntry group(int department) {
        String name = RealisticUser.DEPARTMENTS[department];
        List<LdifAttribute> attributes = new ArrayList<>();
        for (String objectClass : List.of("top", "groupOfNames", "posixGroup")) {
            attributes.add(LdifAttribute.of("objectClass", objectClass));
        }
        attributes.add(LdifAttribute.of("cn", name));
        attributes.add(LdifAttribute.of("gidNumber", Integer.toString(FIRST_NUMBER + department)));
        attributes.add(LdifAttribute.of("owner", heads[department]));
        LongStream.rangeClosed(1, users).mapToObj(generator::entry).filter(user -> department(user) == department)
                .forEach(user -> attributes.add(LdifAttribute.of("member", user.dn())));
        return new LdifEntry(groupDn(department), attributes);
    }

    /** One of groups, and one of people of all departments. */
    private Stream<LdifEntry> groupsOfAll() {
        return users == 0 ? Stream.of() : Stream.of(
                groupOf("staff", "everybody, by the groups of the departments", departmentsWithPeople().mapToObj(SampleDirectory::groupDn)),
                groupOf("managers", "those who head a department", departmentsWithPeople().mapToObj(department -> heads[department])));
    }

    private static LdifEntry groupOf(String name, String description, Stream<String> members) {
        List<LdifAttribute> attributes = new ArrayList<>(List.of(LdifAttribute.of("objectClass", "top"),
                LdifAttribute.of("objectClass", "groupOfNames"), LdifAttribute.of("cn", name), LdifAttribute.of("description", description)));
        members.forEach(member -> attributes.add(LdifAttribute.of("member", member)));
        return new LdifEntry("cn=" + name + "," + GROUPS, attributes);
    }
}
