package org.alder.perf.faults;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.alder.perf.client.Control;
import org.alder.perf.client.LdapClient;
import org.alder.perf.client.Request;
import org.alder.perf.faults.History.Fate;
import org.alder.perf.faults.LeaderConnection.Ending;
import org.alder.perf.faults.RegisterCall.Kind;
import org.alder.perf.faults.RegisterCall.Outcome;

/**
 * Those who ask the cluster, each in a thread: some write registers, some count, one adds and deletes entries, some take {@linkplain ValueTaker values} that
 * only one entry may have, some {@linkplain Wanderer rename}, one changes entries {@link Together}, and each member has one who reads there. Thread
 * safe.
 */
final class Clients {
    private static final int WRITERS = 4;
    private static final int COUNTING = 2;
    private static final int TAKERS = 3;
    private static final int WANDERERS = 2;
    private static final int PAUSE_MILLIS = 12;
    private static final int READ_WAIT_MILLIS = 12_000;
    private static final int MOST_ENTRIES = 20_000;
    /** Of a cluster with nothing in it. */
    private static final long START_NANOS = 240_000_000_000L;
    private static final int END_MILLIS = 60_000;
    private static final String VALUE = "description";
    /** As answers name it. */
    private static final String CSN = "entrycsn";
    private static final Control STAMP = Control.postRead(CSN);

    private final List<Member> members;
    private final Registers registers;
    private final Map<String, Integer> shards;
    private final History history;
    private final Random seeds;
    private final List<Thread> threads = new ArrayList<>();
    /** What clients believe that registers hold. */
    private final Map<String, AtomicReference<String>> known = new HashMap<>();
    private final boolean asksWriters;
    private volatile boolean ends;

    /** @param asksWriters whether values of {@link Registers#UNIQUE} are unique there, and entries can go from shard to shard, and be changed together */
    Clients(List<Member> members, Registers registers, History history, Random seeds, boolean asksWriters) {
        this.asksWriters = asksWriters;
        this.members = members;
        this.registers = registers;
        this.shards = registers.shardOfEach();
        this.history = history;
        this.seeds = seeds;
        shards.keySet().forEach(name -> known.put(name, new AtomicReference<>(Registers.INITIAL)));
    }

    /** Makes the first entries, and then goes on until {@link #end}. */
    void start() throws IOException, InterruptedException {
        try (LeaderConnection first = new LeaderConnection(members, history, new Random(seeds.nextLong()))) {
            make(first, Registers.suffix());
            for (String name : known.keySet()) {
                make(first, Registers.add(name, Registers.INITIAL));
            }
            for (String each : asksWriters ? registers.together() : List.<String>of()) {
                make(first, Registers.add(each, Registers.INITIAL));
                history.is(each, Fate.THERE);
            }
            for (int i = 0; asksWriters && i < WANDERERS; i++) {
                make(first, Registers.addUnique(Wanderer.firstName(i), Wanderer.value(i)));
                history.wanders(i, Wanderer.firstName(i));
            }
        }
        for (int i = 0; i < WRITERS; i++) {
            int client = i;
            begin("writer" + i, random -> write(client, random));
        }
        for (int i = WRITERS; i < WRITERS + COUNTING; i++) {
            int client = i;
            begin("counting" + i, random -> count(client, random));
        }
        begin("entries", this::addAndDelete);
        if (asksWriters) {
            begin("together", random -> with(random, connection -> new Together(registers.together(), connection, history, random, () -> ends).run()));
            for (int i = 0; i < TAKERS; i++) {
                int client = i;
                begin("taker" + i, random -> with(random, connection -> new ValueTaker(client, connection, history, random, () -> ends).run()));
            }
            for (int i = 0; i < WANDERERS; i++) {
                int client = i;
                begin("wanderer" + i, random -> with(random, connection -> new Wanderer(client, connection, history, random, () -> ends).run()));
            }
        }
        for (Member member : members) {
            begin("reader-" + member.name(), random -> read(member, random));
        }
    }

    /** What a thread does with a connection of its own. */
    private interface Asking {
        void run(LeaderConnection connection) throws IOException, InterruptedException;
    }

    private void with(Random random, Asking asking) throws IOException, InterruptedException {
        try (LeaderConnection connection = new LeaderConnection(members, history, random)) {
            asking.run(connection);
        }
    }

    private void make(LeaderConnection connection, Request request) throws IOException, InterruptedException {
        long limit = System.nanoTime() + START_NANOS;
        Ending ending = null;
        while (ending == null || ending.outcome() != Outcome.DONE && !ending.isThere()) {
            if (System.nanoTime() - limit > 0) {
                throw new IOException("no member takes updates " + START_NANOS / 1_000_000_000 + " s after all were started");
            }
            ending = connection.update(() -> System.nanoTime() - limit > 0, request);
        }
    }

    /** What a thread does until all ends. */
    private interface Work {
        void run(Random random) throws IOException, InterruptedException;
    }

    private void begin(String name, Work work) {
        Random random = new Random(seeds.nextLong());
        Thread thread = new Thread(() -> {
            try {
                work.run(random);
            } catch (IOException | RuntimeException e) {
                history.differs(name + " cannot go on: " + e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, name);
        thread.setDaemon(true);
        thread.start();
        threads.add(thread);
    }

    private static void pause(Random random) throws InterruptedException {
        Thread.sleep(random.nextInt(PAUSE_MILLIS));
    }

    private void write(int client, Random random) throws IOException, InterruptedException {
        try (LeaderConnection connection = new LeaderConnection(members, history, random)) {
            for (long i = 1; !ends; i++) {
                String register = registers.exchanged().get(random.nextInt(registers.exchanged().size()));
                String value = i + "." + client;
                if (random.nextBoolean()) {
                    Ending ending = connection.update(() -> ends, Registers.write(register, value), Control.preRead(VALUE), STAMP);
                    String seen = ending == null || ending.outcome() != Outcome.DONE ? null : Registers.value(ending.message().before());
                    note(client, register, Kind.WRITE, null, value, ending, seen);
                } else {
                    compareAndWrite(client, connection, register, value);
                }
                pause(random);
            }
        }
    }

    private void compareAndWrite(int client, LeaderConnection connection, String register, String value) throws IOException, InterruptedException {
        String expected = known.get(register).get();
        Ending ending = connection.update(() -> ends, Registers.compareAndWrite(register, expected, value), STAMP);
        note(client, register, Kind.COMPARE_AND_WRITE, expected, value, ending, null);
        if (ending != null && ending.outcome() == Outcome.DIFFERS) {
            String now = connection.look(Registers.dn(register));
            known.get(register).compareAndSet(expected, now == null ? expected : now);
        }
    }

    private void count(int client, Random random) throws IOException, InterruptedException {
        try (LeaderConnection connection = new LeaderConnection(members, history, random)) {
            for (long i = 1; !ends; i++) {
                String register = registers.counters().get(random.nextInt(registers.counters().size()));
                long next = Registers.number(known.get(register).get()) + 1;
                compareAndWrite(client, connection, register, next + "." + client + "." + i);
                pause(random);
            }
        }
    }

    private void note(int client, String register, Kind kind, String expected, String value, Ending ending, String seen) throws IOException {
        if (ending == null) {
            return;
        }
        if (ending.outcome() == Outcome.DIFFERS && ending.message().code() != LeaderConnection.NO_SUCH_ATTRIBUTE) {
            history.differs(register + " is answered with " + ending.message().code() + " by " + members.get(ending.member()).name() + ": "
                    + ending.message().text());
        }
        history.add(register, new RegisterCall(client, kind, expected, value, ending.invokedNanos(), ending.endedNanos(), ending.outcome(), seen));
        if (ending.outcome() == Outcome.DONE) {
            known.get(register).set(value);
            history.stamped(shards.get(register), ending.message().after().get(CSN).first(), ending.invokedNanos(), ending.endedNanos(),
                    members.get(ending.member()).name());
        }
    }

    private void addAndDelete(Random random) throws IOException, InterruptedException {
        List<String> there = new ArrayList<>();
        List<String> doubtful = new ArrayList<>();
        try (LeaderConnection connection = new LeaderConnection(members, history, random)) {
            for (int i = 0; !ends && i < MOST_ENTRIES; i++) {
                if (!there.isEmpty() && random.nextInt(3) == 0) {
                    delete(connection, there.remove(random.nextInt(there.size())));
                } else if (!doubtful.isEmpty() && random.nextBoolean()) {
                    // Once more: it is there afterwards, whatever became of the first.
                    add(connection, doubtful.remove(0), true, there, doubtful);
                } else {
                    add(connection, "e" + i, false, there, doubtful);
                }
                pause(random);
            }
        }
    }

    private void add(LeaderConnection connection, String name, boolean again, List<String> there, List<String> doubtful)
            throws IOException, InterruptedException {
        history.is(name, Fate.UNKNOWN);
        Ending ending = connection.update(() -> ends, Registers.add(name, Registers.INITIAL));
        if (ending == null || ending.outcome() == Outcome.UNKNOWN || again && ending.outcome() == Outcome.REFUSED) {
            doubtful.add(name);
        } else if (ending.outcome() == Outcome.DONE || again && ending.isThere()) {
            history.is(name, Fate.THERE);
            if (!again) {
                // Of one that was tried before, the first request may still be on its way: then it would come back after it was deleted.
                there.add(name);
            }
        } else if (ending.outcome() == Outcome.REFUSED) {
            history.is(name, Fate.GONE);
        } else {
            history.differs("the add of " + name + ", which nobody had added, is answered with " + ending.message().code() + ": " + ending.message().text());
        }
    }

    private void delete(LeaderConnection connection, String name) throws IOException, InterruptedException {
        history.is(name, Fate.UNKNOWN);
        Ending ending = connection.update(() -> ends, new Request.Delete(Registers.dn(name)));
        if (ending == null || ending.outcome() == Outcome.UNKNOWN) {
            return;
        }
        history.is(name, ending.outcome() == Outcome.DONE ? Fate.GONE : Fate.THERE);
        if (ending.isMissing()) {
            history.differs("the add of " + name + " was acknowledged, and " + members.get(ending.member()).name() + " says to a delete: "
                    + ending.message().text());
        }
    }

    /** One member, as long as the connection lives. What it has shown once it does not take back; it may be busy or unavailable meanwhile. */
    private void read(Member member, Random random) throws InterruptedException {
        while (!ends) {
            try (LdapClient client = member.connect(READ_WAIT_MILLIS)) {
                Map<String, Long> last = new HashMap<>();
                while (!ends) {
                    String counter = registers.counters().get(random.nextInt(registers.counters().size()));
                    LdapClient.Answer answer = client.send(Registers.search(Registers.dn(counter)));
                    if (answer.code() == 0 || answer.code() == LeaderConnection.NO_SUCH_OBJECT) {
                        shown(member, counter, Registers.value(answer.entries()), last);
                    }
                    pause(random);
                }
            } catch (IOException e) {
                pause(random);
            }
        }
    }

    private void shown(Member member, String counter, String value, Map<String, Long> last) {
        if (value == null) {
            if (last.containsKey(counter)) {
                history.differs(member.name() + " has shown " + counter + " on this connection, and now does not");
            }
            return;
        }
        history.found(counter, value);
        long number = Registers.number(value);
        Long before = last.put(counter, number);
        if (before != null && number < before) {
            history.differs(member.name() + " shows " + counter + " at " + number + " on a connection on which it has shown " + before);
        }
    }

    /** All of them have ended when this returns. */
    void end() throws InterruptedException, IOException {
        ends = true;
        for (Thread thread : threads) {
            thread.join(END_MILLIS);
            if (thread.isAlive()) {
                throw new IOException("the client " + thread.getName() + " has not ended " + END_MILLIS / 1000 + " s after it was told to");
            }
        }
    }
}
