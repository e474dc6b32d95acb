package org.alder.perf.server;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.alder.ldif.LdifGenerator;
import org.alder.perf.bench.LoadedData;
import org.alder.perf.bench.SampleUsers;
import org.alder.perf.client.LdapClient;
import org.alder.perf.client.Request;
import org.alder.perf.client.SearchFilter;

/** An index of a running server that is added, waited for and removed over LDAP, by the administrator. One thread; closed by it. */
final class LiveIndex implements AutoCloseable {
    private static final String PARTITION = "cn=example,cn=config";
    private static final String MONITOR = "cn=partition-1,cn=Monitor";
    /** Asking takes the server a millisecond: seldom beside requests whose times are measured to a tenth of one. */
    private static final long POLL_MILLIS = 250;
    private static final long MOST_STILL_NANOS = TimeUnit.SECONDS.toNanos(120);
    private static final int CHECKED_USERS = 20;

    private final LdapClient client;
    private final String attribute;
    private final String kinds;

    /** @param kinds as the key {@code index} has them */
    LiveIndex(int port, String attribute, String kinds) throws IOException {
        this.attribute = attribute;
        this.kinds = kinds;
        this.client = new LdapClient("127.0.0.1", port);
        client.send(new Request.Bind(LoadedData.ADMINISTRATOR.dn(), LoadedData.ADMINISTRATOR.password())).expect(0);
    }

    /** Adds it, and returns when it is complete. @throws IOException also where the build stands still */
    void build() throws IOException, InterruptedException {
        change(Request.Kind.ADD);
        String before = "";
        long sinceNanos = System.nanoTime();
        for (Map<String, SortedSet<String>> state = buildUnderWay(); !state.isEmpty(); state = buildUnderWay()) {
            if (state.containsKey("alderindexbuildfailure")) {
                throw new IOException("the index of " + attribute + " is not built: " + state.get("alderindexbuildfailure"));
            }
            String now = state.get("alderindexbuildphase") + ", " + state.get("alderindexbuilddone");
            if (!now.equals(before)) {
                before = now;
                sinceNanos = System.nanoTime();
            } else if (System.nanoTime() - sinceNanos > MOST_STILL_NANOS) {
                throw new IOException("waited " + TimeUnit.NANOSECONDS.toSeconds(MOST_STILL_NANOS) + " s for the build of the index of " + attribute
                        + " to go on: " + now);
            }
            Thread.sleep(POLL_MILLIS);
        }
        if (!monitor("alderindex").contains(attribute + " " + kinds)) {
            throw new IOException("the server has the indexes " + monitor("alderindex") + ", but was given " + attribute + " " + kinds);
        }
    }

    void remove() throws IOException {
        change(Request.Kind.DELETE);
    }

    private void change(Request.Kind kind) throws IOException {
        client.send(new Request.Modify(PARTITION, List.of(new Request.Change(kind, "index", List.of(attribute + " " + kinds))))).expect(0);
    }

    /** What is told of a build that is under way or failed; empty if there is none. */
    private Map<String, SortedSet<String>> buildUnderWay() throws IOException {
        return monitor(List.of("alderIndexBuild", "alderIndexBuildFailure", "alderIndexBuildPhase", "alderIndexBuildDone"));
    }

    private SortedSet<String> monitor(String name) throws IOException {
        return monitor(List.of(name)).getOrDefault(name.toLowerCase(Locale.ROOT), new TreeSet<>());
    }

    private Map<String, SortedSet<String>> monitor(List<String> names) throws IOException {
        return client.send(new Request.Search(MONITOR, Request.Scope.BASE, new SearchFilter.Present("objectClass"), names)).expect(0)
                .entries().get(0).attributes();
    }

    /** What its keys take on the disk. */
    long bytes() throws IOException {
        for (String value : monitor("alderindexbytes")) {
            if (value.startsWith(attribute + " ")) {
                return Long.parseLong(value.substring(attribute.length() + 1));
            }
        }
        throw new IOException("the server does not say what the index of " + attribute + " takes on the disk");
    }

    /** Some users are found by their values, and nobody else. @param first whose value, as that of all after it, is the one of the data set */
    void requireRight(SampleUsers users, long first) throws IOException {
        long step = Math.max(1, (users.entries() - first) / CHECKED_USERS);
        for (long user = first; user <= users.entries(); user += step) {
            List<String> found = client.send(new Request.Search(LdifGenerator.SUFFIX, Request.Scope.SUBTREE,
                    SearchFilter.equal(attribute, users.value(user, attribute)), List.of("1.1"))).expect(0).entries().stream()
                    .map(entry -> entry.text()).toList();
            if (!found.contains(LdifGenerator.userDn(user))) {
                throw new IOException("by the index of " + attribute + " a search returned " + found + ", but the data set has "
                        + LdifGenerator.userDn(user));
            }
        }
    }

    @Override
    public void close() throws IOException {
        client.close();
    }
}
