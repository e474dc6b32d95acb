package org.alder.perf.bystander;

import java.io.IOException;
import java.util.List;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.alder.ldif.LdifGenerator;
import org.alder.perf.client.Control;
import org.alder.perf.client.LdapClient;
import org.alder.perf.client.LdapConnection;
import org.alder.perf.client.Load;
import org.alder.perf.client.Request;

/** Updates that are large. Immutable, but for the numbers of what is added. */
final class WriteAttacks {
    private static final int MEMBERS = 100_000;
    private static final int TREE_ENTRIES = 5000;
    private static final int AT_ONCE = 100;
    private static final int TRANSACTION_UPDATES = 1000;
    private static final String MEMBER = "member";

    private final Load.Login administrator;
    private final int port;
    private final long users;
    private final String group = "cn=everybody," + LdifGenerator.SUFFIX;
    private final AtomicLong trees = new AtomicLong();

    /** @param users how many there are */
    WriteAttacks(Load.Login administrator, int port, long users) {
        this.administrator = administrator;
        this.port = port;
        this.users = users;
    }

    /** A group of {@value #MEMBERS}. */
    String group() {
        return group;
    }

    void addGroup(LdapConnection client) throws IOException {
        client.send(add(group, "groupOfNames", "cn", members(1))).expect(0);
    }

    private static Request.Add add(String dn, String objectClass, String naming, List<String> members) {
        TreeMap<String, SortedSet<String>> attributes = new TreeMap<>();
        attributes.put("objectClass", new TreeSet<>(List.of(objectClass)));
        attributes.put(naming, new TreeSet<>(List.of(dn.substring(naming.length() + 1, dn.indexOf(',')))));
        if (!members.isEmpty()) {
            attributes.put(MEMBER, new TreeSet<>(members));
        }
        return new Request.Add(dn, attributes);
    }

    private static List<String> members(long first) {
        return LongStream.range(first, first + MEMBERS).mapToObj(LdifGenerator::userDn).toList();
    }

    List<Attack> all() {
        List<String> some = members(1);
        List<String> others = members(1 + MEMBERS / 2);
        return List.of(
                new Attack("1 client replaces " + MEMBERS + " members of a group", 1, administrator, (connection, random) -> {
                    replaceMembers(connection, others);
                    replaceMembers(connection, some);
                }), new Attack("1 client deletes trees of " + TREE_ENTRIES, 1, administrator, this::deleteTree),
                new Attack("2 clients make transactions of " + TRANSACTION_UPDATES, 2, administrator, this::transaction));
    }

    private void replaceMembers(LdapConnection connection, List<String> members) throws IOException {
        connection.send(new Request.Modify(group, List.of(new Request.Change(Request.Kind.REPLACE, MEMBER, members))));
    }

    private void deleteTree(LdapConnection connection, SplittableRandom random) throws IOException {
        String top = "ou=tree" + trees.incrementAndGet() + "," + LdifGenerator.SUFFIX;
        connection.send(add(top, "organizationalUnit", "ou", List.of())).expect(0);
        for (int i = 0; i < TREE_ENTRIES; i += AT_ONCE) {
            for (int j = i; j < i + AT_ONCE; j++) {
                connection.begin(add("ou=leaf" + j + "," + top, "organizationalUnit", "ou", List.of()));
            }
            for (int j = i; j < i + AT_ONCE; j++) {
                connection.receive().expect(0);
            }
        }
        connection.send(new Request.Delete(top), Control.TREE_DELETE).expect(0);
    }

    private void transaction(LdapConnection connection, SplittableRandom random) throws IOException {
        try (LdapClient client = new LdapClient("127.0.0.1", port)) {
            client.send(new Request.Bind(administrator.dn(), administrator.password())).expect(0);
            byte[] id = client.send(Request.Extended.startTransaction()).expect(0).result().value();
            for (int i = 0; i < TRANSACTION_UPDATES; i++) {
                client.send(new Request.Modify(LdifGenerator.userDn(1 + random.nextLong(users)), List.of(new Request.Change(
                        Request.Kind.REPLACE, "description", List.of("x" + random.nextInt(1 << 20))))), Control.inTransaction(id)).expect(0);
            }
            client.send(Request.Extended.endTransaction(id, true)).expect(0);
        }
    }
}
