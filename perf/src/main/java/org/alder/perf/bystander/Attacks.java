package org.alder.perf.bystander;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.alder.ldif.LdifGenerator;
import org.alder.perf.client.Control;
import org.alder.perf.client.LdapConnection;
import org.alder.perf.client.Load;
import org.alder.perf.client.Request;
import org.alder.perf.client.SearchFilter;

/** What clients do that costs much. All of it is allowed to them, and none of it is refused for being too much. Immutable. */
final class Attacks {
    /** The name of {@link #both}. */
    static final String BOTH = "both";
    private static final int CLIENTS = 8;
    private static final int PIPELINED = 64;
    private static final int UNREAD = 30;
    private static final long UNREAD_MILLIS = 1000;
    private static final int MATCHED_VALUES = 1000;
    private static final int ABANDONED = 50;
    private static final String GROUP_NAMES = "member";
    private static final SearchFilter USERS = SearchFilter.equal("objectClass", "person");

    private final Load.Login administrator;
    private final Load.Login slowToBind;
    private final String group;

    /**
     * @param slowToBind whose password is stored with Argon2id
     * @param group the name of a large group
     */
    Attacks(Load.Login administrator, Load.Login slowToBind, String group) {
        this.administrator = administrator;
        this.slowToBind = slowToBind;
        this.group = group;
    }

    /** The two of the target, alone. */
    List<Attack> scans() {
        return List.of(new Attack(CLIENTS + " clients scan without an index", CLIENTS, administrator, Attacks::scan),
                new Attack("1 client sends " + PIPELINED + " scans at once", 1, administrator, Attacks::scanAtOnce));
    }

    /** Both of the target: the first client is the one with many at once. */
    Attack both() {
        return new Attack(BOTH, CLIENTS + 1, administrator, new BothTurn());
    }

    /** All others that search. */
    List<Attack> searches() {
        return List.of(new Attack(CLIENTS + " clients sort all users", CLIENTS, administrator, Attacks::sort),
                new Attack(CLIENTS + " clients hoard pages and list views", CLIENTS, administrator, this::hoard),
                new Attack(CLIENTS + " clients ask for memberOf of all", CLIENTS, administrator, Attacks::memberOf),
                new Attack("2 clients dereference a large group", 2, administrator, this::dereference),
                new Attack("2 clients match values of a large group", 2, administrator, this::matchValues),
                new Attack("20 clients do not read", 20, administrator, this::stall),
                new Attack("4 clients abandon and cancel", 4, administrator, Attacks::giveUp));
    }

    /** Those that come and go. */
    List<Attack> comers(int port) {
        return List.of(new Attack("4 clients connect and disconnect", 4, administrator, (connection, random) -> {
            new LdapConnection("127.0.0.1", port).close();
        }), new Attack(CLIENTS + " clients bind with Argon2id", CLIENTS, administrator, (connection, random) ->
                connection.bind(slowToBind.dn(), slowToBind.password())));
    }

    /** Takes the processors from the server without asking it for anything: what of all this is the machine's. */
    Attack elsewhere() {
        int processors = Runtime.getRuntime().availableProcessors();
        return new Attack("nothing asked, but " + processors + " threads elsewhere compute", processors, administrator,
                (connection, random) -> {
            long end = System.nanoTime() + 10_000_000;
            long sum = 0;
            while (System.nanoTime() < end) {
                sum += random.nextLong();
            }
            if (sum == 0) {
                throw new IOException("no random numbers");
            }
        });
    }

    /** Which of the two a client does is known by its connection. */
    private static final class BothTurn implements Attack.Turn {
        private LdapConnection pipelining;

        @Override
        public void run(LdapConnection connection, SplittableRandom random) throws IOException {
            boolean first;
            synchronized (this) {
                if (pipelining == null) {
                    pipelining = connection;
                }
                first = pipelining == connection;
            }
            if (first) {
                scanAtOnce(connection, random);
            } else {
                scan(connection, random);
            }
        }
    }

    private static Request.Search search(SearchFilter filter, String... attributes) {
        return new Request.Search(LdifGenerator.SUFFIX, Request.Scope.SUBTREE, filter, List.of(attributes));
    }

    /** Of an attribute without an index, and found nowhere. */
    private static Request.Search heavy(SplittableRandom random) {
        return search(new SearchFilter.Substring("description", "", random.nextInt(1 << 20) + " is no letter", ""), "cn");
    }

    private static void scan(LdapConnection connection, SplittableRandom random) throws IOException {
        connection.send(heavy(random));
    }

    private static void scanAtOnce(LdapConnection connection, SplittableRandom random) throws IOException {
        for (int i = 0; i < PIPELINED; i++) {
            connection.begin(heavy(random));
        }
        for (int i = 0; i < PIPELINED; i++) {
            connection.receive();
        }
    }

    private static void sort(LdapConnection connection, SplittableRandom random) throws IOException {
        connection.send(search(USERS, "cn"), Control.sorted("description", random.nextBoolean()), Control.page(10, new byte[0]));
    }

    /** Each of them is the first of many pages, or the view into a long list, and nobody comes for the rest. */
    private void hoard(LdapConnection connection, SplittableRandom random) throws IOException {
        Control sorted = Control.sorted("description", random.nextBoolean());
        for (int i = 0; i < UNREAD; i++) {
            connection.begin(search(USERS, "cn"), sorted, i % 2 == 0 ? Control.page(2, new byte[0])
                    : Control.listView(0, 1, 1 + random.nextInt(1000)));
        }
        for (int i = 0; i < UNREAD; i++) {
            connection.receive();
        }
    }

    private static void memberOf(LdapConnection connection, SplittableRandom random) throws IOException {
        connection.send(search(USERS, "memberOf"), Control.page(5000, new byte[0]));
    }

    private void dereference(LdapConnection connection, SplittableRandom random) throws IOException {
        connection.send(new Request.Search(group, Request.Scope.BASE, new SearchFilter.Present("objectClass"), List.of("cn")),
                Control.dereferenced(GROUP_NAMES, "description"));
    }

    private void matchValues(LdapConnection connection, SplittableRandom random) throws IOException {
        List<SearchFilter> items = IntStream.range(0, MATCHED_VALUES)
                .mapToObj(i -> SearchFilter.equal(GROUP_NAMES, LdifGenerator.userDn(1 + random.nextInt(1 << 20)))).toList();
        connection.send(new Request.Search(group, Request.Scope.BASE, new SearchFilter.Present("objectClass"), List.of(GROUP_NAMES)),
                Control.matchedValues(items));
    }

    /** Nothing is read; then the client comes again. */
    private void stall(LdapConnection connection, SplittableRandom random) throws IOException, InterruptedException {
        for (int i = 0; i < UNREAD; i++) {
            connection.begin(search(new SearchFilter.Present("objectClass")));
        }
        Thread.sleep(UNREAD_MILLIS + random.nextInt((int) UNREAD_MILLIS));
        throw new IOException("the client goes away");
    }

    private static void giveUp(LdapConnection connection, SplittableRandom random) throws IOException {
        List<Integer> given = new ArrayList<>();
        for (int i = 0; i < ABANDONED; i++) {
            given.add(connection.begin(heavy(random)));
        }
        int answers = 0;
        for (int id : given) {
            if (random.nextBoolean()) {
                connection.begin(new Request.Abandon(id));
            } else {
                connection.begin(Request.Extended.cancel(id));
                answers += 2;
            }
        }
        while (answers > 0) {
            connection.receive();
            answers--;
        }
    }
}
