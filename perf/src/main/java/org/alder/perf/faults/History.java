package org.alder.perf.faults;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.alder.perf.faults.RegisterCall.Kind;
import org.alder.perf.faults.RegisterCall.Outcome;

/** What all clients have asked and were told. Thread safe. */
final class History {
    /** What is known of an entry that is added under a name of its own. */
    enum Fate {
        THERE, GONE, UNKNOWN
    }

    private final Map<String, List<RegisterCall>> calls = new TreeMap<>();
    /** Values that searches have found, by registers. */
    private final Map<String, Set<String>> found = new ConcurrentHashMap<>();
    private final Map<String, Fate> entries = new ConcurrentHashMap<>();
    private final Map<List<String>, Set<String>> together = new ConcurrentHashMap<>();
    /** By values that only one entry may have, which has it for certain. */
    private final Map<String, String> holders = new ConcurrentHashMap<>();
    /** All names of each entry that is renamed. */
    private final Map<Integer, Set<String>> names = new ConcurrentHashMap<>();
    /** Those of each shard are in the order of its updates. */
    private final Map<Integer, Stamps> stamps = new ConcurrentHashMap<>();
    private final AtomicReference<String> difference = new AtomicReference<>();
    private final LongAdder acknowledged = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder unknown = new LongAdder();
    /** Transactions of all shards that were acknowledged. */
    private final LongAdder transactions = new LongAdder();
    private final LongAdder reads = new LongAdder();
    /** When the newest update of each shard that was acknowledged was sent. */
    private final AtomicLongArray acknowledgedNanos;

    History(int shards) {
        acknowledgedNanos = new AtomicLongArray(shards);
        long began = System.nanoTime();
        for (int i = 0; i < shards; i++) {
            acknowledgedNanos.set(i, began);
        }
    }

    void count(Outcome outcome) {
        switch (outcome) {
            case DONE -> acknowledged.increment();
            case DIFFERS, REFUSED -> refused.increment();
            case UNKNOWN -> unknown.increment();
        }
    }

    void add(String register, RegisterCall call) {
        synchronized (calls) {
            calls.computeIfAbsent(register, key -> new ArrayList<>()).add(call);
        }
    }

    /** @param shard where the update was made  @param who has acknowledged it */
    void stamped(int shard, String csn, long invokedNanos, long endedNanos, String who) {
        acknowledgedNanos.accumulateAndGet(shard, invokedNanos, Math::max);
        stamps.computeIfAbsent(shard, key -> new Stamps()).add(csn, invokedNanos, endedNanos, who);
    }

    /** The longest time between two moments for which a shard has acknowledged nothing. */
    long longestPauseNanos(long from, long to) {
        return stamps.values().stream().mapToLong(each -> each.longestPauseNanos(from, to)).max().orElse(to - from);
    }

    void found(String register, String value) {
        reads.increment();
        found.computeIfAbsent(register, key -> ConcurrentHashMap.newKeySet()).add(value);
    }

    void is(String entry, Fate fate) {
        entries.put(entry, fate);
    }

    /** An entry was acknowledged with a value that only one may have. */
    void taken(String value, String entry) {
        String holder = holders.putIfAbsent(value, entry);
        if (holder != null) {
            differs("both " + holder + " and " + entry + " have " + value + ", which only one entry may have");
        }
    }

    /** An entry may come to have a name. */
    void wanders(int entry, String name) {
        names.computeIfAbsent(entry, none -> ConcurrentHashMap.newKeySet()).add(name);
        is(name, Fate.UNKNOWN);
    }

    /** Entries that are changed in transactions alone have the same value, one of these. */
    void together(List<String> entries, Set<String> values) {
        together.put(entries, Set.copyOf(values));
    }

    /** A transaction of entries in all shards was acknowledged. */
    void madeTogether() {
        transactions.increment();
    }

    /** It is about to be deleted. */
    void givenBack(String value) {
        holders.remove(value);
    }

    /** The first one is kept. */
    void differs(String what) {
        difference.compareAndSet(null, what);
    }

    /** Null where there is none so far. */
    String difference() {
        return difference.get();
    }

    /** Whether in each shard an update was acknowledged that was sent after that moment. */
    boolean isAcknowledgedSince(long nanos) {
        return IntStream.range(0, acknowledgedNanos.length()).allMatch(shard -> acknowledgedNanos.get(shard) - nanos > 0);
    }

    String summary() {
        return acknowledged + " updates acknowledged, " + refused + " refused, " + unknown + " unknown, " + reads + " values read"
                + (transactions.sum() == 0 ? "" : ", " + transactions + " transactions of all shards");
    }

    /** All that was asked of registers, in the order of the answers. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        synchronized (calls) {
            calls.forEach((register, all) -> all.forEach(call -> lines.add(register + ": " + call)));
        }
        return lines;
    }

    /**
     * Holds all answers against each other, when no call is under way: what such a call has written others may have seen. @param initial the first value of each register @return null where they fit
     */
    String check(String initial) {
        Map<String, List<RegisterCall>> copy = new TreeMap<>();
        synchronized (calls) {
            calls.forEach((register, all) -> copy.put(register, List.copyOf(all)));
        }
        for (Map.Entry<String, List<RegisterCall>> each : copy.entrySet()) {
            String fault = RegisterChecker.fault(initial, each.getValue());
            if (fault != null) {
                return "register " + each.getKey() + ": " + fault;
            }
            Set<String> possible = new HashSet<>(Set.of(initial));
            each.getValue().stream().filter(RegisterCall::mayWrite).forEach(call -> possible.add(call.value()));
            for (String value : found.getOrDefault(each.getKey(), Set.of())) {
                if (!possible.contains(value)) {
                    return "register " + each.getKey() + ": a search has found " + value + ", which nobody has written, or was refused";
                }
            }
        }
        return stamps.values().stream().map(Stamps::fault).filter(fault -> fault != null).findFirst().orElse(null);
    }

    /**
     * Holds what there is in the end against what was told.
     *
     * @param others  the values of all other entries than registers, by their names; null for none
     * @param nanos   when they were read
     * @param values  of the registers
     * @return null where they fit
     */
    String checkEnd(Map<String, String> others, long nanos, Map<String, String> values) {
        Set<String> there = others.keySet();
        for (Map.Entry<String, Fate> entry : entries.entrySet()) {
            if (entry.getValue() != Fate.UNKNOWN && there.contains(entry.getKey()) != (entry.getValue() == Fate.THERE)) {
                return "entry " + entry.getKey() + (entry.getValue() == Fate.THERE ? " was acknowledged, and is not there" : " is there, and should not be");
            }
        }
        for (Set<String> each : names.values()) {
            Set<String> now = new HashSet<>(each);
            now.retainAll(there);
            if (now.size() != 1) {
                return "an entry that was renamed again and again is in the end at " + now + ", expected one of its " + each.size() + " names";
            }
        }
        for (Map.Entry<List<String>, Set<String>> each : together.entrySet()) {
            List<String> now = each.getKey().stream().map(others::get).toList();
            if (new HashSet<>(now).size() != 1 || !each.getValue().contains(now.get(0))) {
                return "the entries " + each.getKey() + ", which were changed in transactions alone, have in the end " + now + ", expected all the same of "
                        + each.getValue();
            }
        }
        for (String name : there) {
            if (!entries.containsKey(name)) {
                return "entry " + name + " is there, which nobody has added";
            }
        }
        values.forEach((register, value) -> add(register, new RegisterCall(-1, Kind.READ, null, null, nanos, nanos, Outcome.DONE, value)));
        return null;
    }
}
