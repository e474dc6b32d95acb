package org.alder.perf.stress;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.locks.Lock;
import org.alder.perf.client.Control;
import org.alder.perf.client.LdapClient;
import org.alder.perf.client.Message;
import org.alder.perf.client.Request;

/**
 * One client that nobody else comes between: alone in its subtree, with one request on its way at a time, it knows what each
 * answer has to be. Workers are told apart by their numbers; the server has all of them at once. One thread at a time, {@link
 * #versions} and {@link #history} from any.
 */
final class Worker {
    private static final int UNCHANGED = 0;
    private static final int BAD_PASSWORD = 49;
    /** What a server may answer while it cannot write: busy, unavailable, unwillingToPerform, other. */
    private static final Set<Integer> CANNOT_WRITE = Set.of(51, 52, 53, 80);

    private final int number;
    private final RandomRequests requests;
    private final Counts counts;
    private final History history = new History();
    private Tree tree;
    private Versions versions;
    /** What the tree is if the request did something whose answer did not come; null if every answer came. */
    private Tree perhaps;

    Worker(int number, SplittableRandom random, Counts counts) {
        this.number = number;
        this.requests = new RandomRequests(number, random);
        this.counts = counts;
        this.tree = new Tree(StressData.root(number));
        this.versions = new Versions(tree.fingerprint());
    }

    Tree tree() {
        return tree;
    }

    History history() {
        return history;
    }

    Versions versions() {
        return versions;
    }

    /** Adds the uppermost entry, in an empty server. */
    void begin(LdapClient client) throws IOException, DifferenceException {
        update(client, StressData.unit(tree.root()), false, new Round());
    }

    /**
     * Holds what the server has after a start against what was acknowledged: a request without an answer did all or nothing.
     *
     * @param isDefined whether this worker's attribute type is in the schema
     */
    void settle(Tree found, boolean isDefined) throws DifferenceException {
        found.setTypeDefined(isDefined);
        boolean isDone = perhaps != null && isSame(found, perhaps);
        if (!isDone && !isSame(found, tree)) {
            throw new DifferenceException("after the start " + tree.root() + " is not what was acknowledged"
                    + (perhaps == null ? "" : ", nor what the unanswered request would have made of it") + ":\n  "
                    + Contents.differences(found, tree) + (perhaps == null ? "" : "\n  or\n  " + Contents.differences(found, perhaps)));
        }
        history.add("the server has " + found.entries().size() + " entries after the start"
                + (perhaps == null ? "" : isDone ? ", with the unanswered request" : ", without the unanswered request"));
        tree = isDone ? perhaps : tree;
        perhaps = null;
        versions = new Versions(tree.fingerprint());
    }

    private static boolean isSame(Tree one, Tree other) {
        return one.fingerprint() == other.fingerprint() && one.isTypeDefined() == other.isTypeDefined();
    }

    /** Works until it is told to stop, or the server is gone. */
    void work(int port, String password, Round round) throws DifferenceException {
        try (LdapClient client = new LdapClient("127.0.0.1", port); LdapClient logins = new LdapClient("127.0.0.1", port)) {
            client.send(new Request.Bind(StressServer.ADMINISTRATOR, password)).expect(0);
            while (!round.isOver() && perhaps == null) {
                Lock lock = round.lockToWork();
                try {
                    step(client, logins, round);
                } finally {
                    lock.unlock();
                }
            }
        } catch (IOException e) {
            history.add("the connection broke: " + e);
            round.connectionBroke(e);
        }
    }

    private void step(LdapClient client, LdapClient logins, Round round) throws IOException, DifferenceException {
        int kind = requests.number(100);
        if (kind < 62) {
            Request request = requests.update(tree);
            update(client, request, request instanceof Request.Delete && requests.isTreeDelete(tree), round);
        } else if (kind < 70) {
            transaction(client, round);
        } else if (kind < 96) {
            new RandomSearch(requests, tree).run(client);
            counts.searches.increment();
        } else {
            login(client, logins, round);
        }
        counts.operations.increment();
    }

    private void update(LdapClient client, Request request, boolean isTreeDelete, Round round)
            throws IOException, DifferenceException {
        Tree after = tree.copy();
        int expected = after.apply(request, isTreeDelete);
        Control[] controls = isTreeDelete ? new Control[] {Control.TREE_DELETE} : new Control[0];
        history.add((isTreeDelete ? "tree " : "") + request);
        settle(() -> client.send(request, controls).result(), request, expected == UNCHANGED ? after : tree, expected, round);
    }

    private interface Sending {
        Message send() throws IOException;
    }

    /** Sends what leads to that tree, and takes the answer. */
    private void settle(Sending sending, Object what, Tree after, int expected, Round round)
            throws IOException, DifferenceException {
        versions.offer(after.fingerprint());
        perhaps = after;
        Message result = sending.send();
        history.add("  " + result.code() + " " + result.text());
        if (round.mayRefuse() && CANNOT_WRITE.contains(result.code()) && result.code() != expected) {
            counts.refused.increment();
            // It says that nothing was done, and is taken by its word when all is compared.
            after = tree;
        } else if (result.code() != expected) {
            throw new DifferenceException("result code " + result.code() + " (" + result.text() + ") of " + what + ", expected "
                    + expected);
        }
        versions.settle(after != tree);
        tree = after;
        perhaps = null;
    }

    /** Several updates, all of them or none (RFC 5805). */
    private void transaction(LdapClient client, Round round) throws IOException, DifferenceException {
        Message started = client.send(Request.Extended.startTransaction()).expect(0).result();
        byte[] identifier = started.value();
        Tree after = tree.copy();
        List<Request> sent = new ArrayList<>();
        int expected = UNCHANGED;
        for (int i = 1 + requests.number(8); i > 0 && expected == UNCHANGED; i--) {
            Request request = requests.update(after);
            Tree next = after.copy();
            boolean isSchema = request instanceof Request.Modify modify && modify.dn().equals(SchemaRequests.DN);
            int code = isSchema ? UNCHANGED : next.apply(request, false);
            if (isSchema || code != UNCHANGED && !requests.oneIn(10)) {
                continue;
            }
            expected = code;
            after = code == UNCHANGED ? next : after;
            sent.add(request);
            history.add("in a transaction: " + request);
            client.send(request, Control.inTransaction(identifier)).expect(0);
        }
        boolean commits = !requests.oneIn(8);
        Tree made = commits && expected == UNCHANGED && !sent.isEmpty() ? after : tree;
        history.add("end of the transaction, commit " + commits);
        settle(() -> client.send(Request.Extended.endTransaction(identifier, commits)).result(), sent, made,
                commits ? expected : UNCHANGED, round);
        counts.transactions.increment();
    }

    /** Gives somebody a password, or logs somebody in who has one: with it, and with another. */
    private void login(LdapClient client, LdapClient logins, Round round) throws IOException, DifferenceException {
        String dn = requests.any(tree);
        if (!dn.startsWith("uid=")) {
            return;
        }
        if (!tree.entries().get(dn).containsKey(Tree.PASSWORD)) {
            update(client, new Request.Modify(dn, List.of(new Request.Change(Request.Kind.REPLACE, Tree.PASSWORD,
                    List.of("secret" + requests.number(1 << 20))))), false, round);
            return;
        }
        boolean isRight = requests.oneIn(2);
        String password = tree.entries().get(dn).get(Tree.PASSWORD).first() + (isRight ? "" : "x");
        int code = logins.send(new Request.Bind(dn, password)).code();
        if (code != (isRight ? 0 : BAD_PASSWORD)) {
            throw new DifferenceException("a bind as " + dn + " with the " + (isRight ? "right" : "wrong") + " password had result code "
                    + code);
        }
        counts.logins.increment();
    }

    /** Whether it does not know what became of its last request. */
    boolean isInDoubt() {
        return perhaps != null;
    }

    int number() {
        return number;
    }
}
