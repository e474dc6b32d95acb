package org.alder.server.clients;

import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ResultCode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.alder.partition.testing.Await;

/**
 * An application that changes entries of its own, one after another, at whichever of several servers takes that, and knows what it was told: adds,
 * modifies, renames, moves and deletions. Refused, or where nobody answers, it asks the next server. The thread that starts it closes it.
 */
final class SwitchingClient implements AutoCloseable {
    /** Who may write everything. */
    static final String NAME = "cn=client," + SlapdServer.SUFFIX;
    static final String PASSWORD = "client-password";
    static final String HASHED_PASSWORD = "{SSHA}bAdYN5L3WXMcEbFjiAhZ33hcj7FzYWx0";
    /** Above all that it adds. */
    static final String BASE = "ou=people," + SlapdServer.SUFFIX;
    private static final int MOST_SERVERS = 4;
    private static final int KINDS = 5;
    private static final long PAUSE_MILLIS = 20;
    /** What was not done, wherever it comes from: slapd that is read-only or a copy, a copy that refers, a rule. */
    private static final Set<ResultCode> REFUSED = Set.of(ResultCode.UNWILLING_TO_PERFORM, ResultCode.REFERRAL, ResultCode.INSUFFICIENT_ACCESS_RIGHTS);

    private final List<Background.Address> servers;
    private final AtomicIntegerArray changes = new AtomicIntegerArray(MOST_SERVERS);
    /** What there has to be: descriptions by names. Guarded by this. */
    private final Map<String, String> expected = new TreeMap<>();
    /** For a request to a server. */
    private final Semaphore turn = new Semaphore(1, true);
    private final Thread thread = new Thread(this::run, "switching-client");
    private volatile int refusals;
    private volatile boolean ended;
    private volatile Throwable failure;
    private int at;
    private LDAPConnection connection;

    SwitchingClient(Background.Address... servers) {
        this.servers = new CopyOnWriteArrayList<>(servers);
    }

    void start() {
        thread.start();
    }

    /** From now on that one, too, behind the others. */
    void alsoAt(Background.Address server) {
        servers.add(server);
    }

    /** How many changes a server has acknowledged. */
    int changesAt(int server) {
        return changes.get(server);
    }

    private int changes() {
        return changes.get(0) + changes.get(1) + changes.get(2) + changes.get(3);
    }

    /** So many more, by whatever server. */
    void awaitChanges(int more) throws Exception {
        int before = changes();
        Await.until(more + " changes more", () -> goesOn() && changes() >= before + more);
    }

    /** So many in all. */
    void awaitChangesAt(int server, int all) throws Exception {
        Await.until(all + " changes at server " + server, () -> goesOn() && changes.get(server) >= all);
    }

    /** Until every server has refused something since the call, and nothing else is under way: then the next change is being tried over and over. */
    void awaitRefusals() throws Exception {
        int before = refusals;
        Await.until("all servers to refuse a change", () -> goesOn() && refusals >= before + 2 * servers.size());
    }

    /** Sends nothing from now on, and waits for no answer any more. */
    void pause() throws InterruptedException {
        turn.acquire();
    }

    void resume() {
        turn.release();
    }

    /** The descriptions of its entries by their names, as it was told. */
    synchronized Map<String, String> expected() {
        return new TreeMap<>(expected);
    }

    private boolean goesOn() {
        assertNull("the client ended: " + failure, failure);
        return true;
    }

    private void run() {
        try {
            for (int i = 0; !ended; i++) {
                next(i);
            }
        } catch (LDAPException | InterruptedException | RuntimeException | Error e) {
            failure = e;
        } finally {
            if (connection != null) {
                connection.close();
            }
        }
    }

    private static String dn(String name) {
        return "cn=" + name + "," + BASE;
    }

    /** One of each kind in turns, about what was added some turns before. */
    private void next(int i) throws LDAPException, InterruptedException {
        int round = i / KINDS;
        switch (i % KINDS) {
            case 0 -> {
                boolean isDone = change(server -> server.add("ou=o" + round + "," + BASE, new Attribute("objectClass", "top", "organizationalUnit"),
                        new Attribute("ou", "o" + round), new Attribute("description", "unit")));
                note(isDone, null, "ou=o" + round + "," + BASE, "unit");
            }
            case 1 -> {
                boolean isDone = change(server -> server.add(dn("a" + round), new Attribute("objectClass", "top", "device"),
                        new Attribute("cn", "a" + round), new Attribute("description", "new")));
                note(isDone, null, dn("a" + round), "new");
            }
            case 2 -> {
                boolean isDone = change(server -> server.modify(dn("a" + round), new Modification(ModificationType.REPLACE, "description", "changed " + round)));
                note(isDone, dn("a" + round), dn("a" + round), "changed " + round);
            }
            case 3 -> {
                String superior = "ou=o" + round + "," + BASE;
                boolean isDone = change(server -> server.modifyDN(dn("a" + round), "cn=b" + round, true, round % 2 == 0 ? superior : null));
                note(isDone, dn("a" + round), round % 2 == 0 ? "cn=b" + round + "," + superior : dn("b" + round), "changed " + round);
            }
            default -> {
                String gone = round % 4 == 1 ? dn("b" + round) : round % 4 == 3 ? "ou=o" + round + "," + BASE : null;
                if (gone != null) {
                    note(change(server -> server.delete(gone)), gone, null, null);
                }
            }
        }
    }

    private synchronized void note(boolean isDone, String before, String after, String description) {
        if (isDone && before != null) {
            expected.remove(before);
        }
        if (isDone && after != null) {
            expected.put(after, description);
        }
    }

    /** What is asked of a server. */
    private interface Change {
        void at(LDAPConnection server) throws LDAPException;
    }

    /** Asks one server after another. Anything but success or a refusal is a failure of the test. @return false where it was closed before anybody took it */
    private boolean change(Change change) throws LDAPException, InterruptedException {
        while (!ended) {
            turn.acquire();
            try {
                if (isDone(change)) {
                    return true;
                }
            } finally {
                turn.release();
            }
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
        return false;
    }

    private boolean isDone(Change change) throws LDAPException {
        try {
            if (connection == null) {
                Background.Address server = servers.get(at);
                connection = new LDAPConnection(server.host(), server.port(), NAME, PASSWORD);
            }
            change.at(connection);
            changes.incrementAndGet(at);
            return true;
        } catch (LDAPException e) {
            if (connection != null && !REFUSED.contains(e.getResultCode())) {
                throw e;
            } else if (connection != null) {
                connection.close();
                connection = null;
            }
            at = (at + 1) % servers.size();
            refusals++;
            return false;
        }
    }

    /** Behind the change that is under way. */
    @Override
    public void close() throws Exception {
        ended = true;
        if (thread.isAlive()) {
            thread.join(TimeUnit.SECONDS.toMillis(Await.SECONDS));
            assertTrue("the client does not end", !thread.isAlive());
        }
        goesOn();
    }
}
