package org.alder.partition.bookkeeper.compare;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.alder.partition.bookkeeper.compare.Answer.Line;
import org.alder.partition.bookkeeper.compare.Round.Ask;
import org.alder.partition.bookkeeper.compare.Round.Kind;
import org.alder.partition.check.StoreDigest.Sum;
import org.alder.partition.check.StoreDigest;
import org.alder.partition.store.Comparison.Difference;
import org.alder.partition.store.Comparison;
import org.alder.partition.store.Replica;
import org.alder.partition.store.Store;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One comparison of the members, which the leader leads: it asks all for the sums of one slice after another, each as of a transaction that
 * is about to come, and where these differ it asks for those of buckets in there, until it has the item. What more than half of them hold
 * counts as right. One thread, used once.
 */
final class Pass {
    private static final Logger LOG = LoggerFactory.getLogger(Pass.class);
    private static final int MOST_DIFFERENCES = 8;
    /** So often another transaction is named, where some are beyond the one before, or do not come to it. */
    private static final int TRIES = 20;
    private static final int LEAST_MEMBERS = 2;
    private static final int DIGEST_BYTES = 16;
    /** A transaction is to come when all members have read that it is asked about, which they look for once in a poll. */
    private static final int FIRST_AHEAD_POLLS = 10;
    private static final int MOST_AHEAD_POLLS = 200;

    private final Board board;
    private final String name;
    private final Store store;
    private final Limits limits;
    private final Pause pause;
    private final long pass;
    private final long beganNanos = System.nanoTime();
    /** Those that have answered so far. */
    private final Set<String> members = new TreeSet<>();
    private final Set<String> differing = new TreeSet<>();
    private final List<Difference> differences = new ArrayList<>();
    /** Of each member, by table. */
    private final Map<String, Map<String, Sum>> sums = new TreeMap<>();
    private final Set<String> skipped = new TreeSet<>();
    private double aheadPolls = FIRST_AHEAD_POLLS;
    private long sequence;
    private int step;

    /** @param name of this member, which leads with this store */
    Pass(Board board, String name, Store store, Limits limits, Pause pause, long pass) {
        this.board = board;
        this.name = name;
        this.store = store;
        this.limits = limits;
        this.pause = pause;
        this.pass = pass;
    }

    /**
     * Null where there is nobody to be compared with.
     *
     * @throws IOException where it cannot be done now, as when too few answer, or this one leads no more
     */
    Comparison run() throws IOException, InterruptedException {
        members.addAll(board.members());
        if (members.size() < LEAST_MEMBERS) {
            return null;
        }
        try {
            Map<String, byte[]> left = tables();
            int tables = left.size();
            while (!left.isEmpty()) {
                compareSlices(left);
            }
            Comparison found = new Comparison(pass, sequence, System.currentTimeMillis(), TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNanos),
                    compared(), tables, skipped.stream().map(Pass::shown).distinct().toList(), List.copyOf(differences));
            Results.tell(board, found);
            return found;
        } finally {
            board.write(Round.NAME, new Round(pass, name, step + 1, 0, List.of(), List.of()).bytes());
        }
    }

    private List<Comparison.Member> compared() {
        List<Comparison.Member> compared = new ArrayList<>();
        Set<String> all = new TreeSet<>(members);
        all.addAll(differing);
        all.forEach(member -> compared.add(new Comparison.Member(member, digest(sums.getOrDefault(member, Map.of())), differing.contains(member))));
        return compared;
    }

    private static String digest(Map<String, Sum> tables) {
        StringBuilder text = new StringBuilder();
        new TreeMap<>(tables).forEach((table, sum) -> text.append(table).append(' ').append(sum).append('\n'));
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, DIGEST_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Those that all have, each with the key to begin with: null. */
    private Map<String, byte[]> tables() throws IOException, InterruptedException {
        Map<String, Answer> answers = ask(0, List.of(Ask.TABLES));
        Map<String, Integer> having = new TreeMap<>();
        answers.values().forEach(answer -> answer.lines().forEach(line -> having.merge(line.table(), 1, Integer::sum)));
        Map<String, byte[]> tables = new LinkedHashMap<>();
        // Where indexes differ it is mostly for an entry, which tells more.
        tables.put(StoreDigest.ENTRIES, null);
        having.forEach((table, count) -> {
            if (count == answers.size()) {
                tables.put(table, null);
            } else {
                skipped.add(table);
            }
        });
        return tables;
    }

    private static String shown(String table) {
        return table.split("~")[0];
    }

    private void compareSlices(Map<String, byte[]> left) throws IOException, InterruptedException {
        List<Ask> asks = new ArrayList<>();
        left.forEach((table, from) -> asks.add(new Ask(Kind.SLICE, table, from, null, null)));
        Map<String, Answer> answers = askAtOneTransaction(asks);
        for (int i = 0; i < asks.size(); i++) {
            Map<String, Line> lines = new TreeMap<>();
            for (Map.Entry<String, Answer> answer : answers.entrySet()) {
                if (answer.getValue().lines().size() > i) {
                    lines.put(answer.getKey(), answer.getValue().lines().get(i));
                }
            }
            if (lines.size() < answers.size()) {
                return;
            }
            byte[] next = compare(asks.get(i), lines);
            if (next == null) {
                left.remove(asks.get(i).table());
            } else {
                left.put(asks.get(i).table(), next);
            }
        }
    }

    /** What all of them have summed up ends before this key; null at the end. */
    private byte[] compare(Ask ask, Map<String, Line> lines) throws IOException, InterruptedException {
        byte[] next = lines.values().iterator().next().key();
        for (Line line : lines.values()) {
            boolean isLater = next != null && (line.key() == null || Arrays.compareUnsigned(line.key(), next) > 0);
            next = isLater ? line.key() : next;
        }
        lines.forEach((member, line) -> sums.computeIfAbsent(member, none -> new TreeMap<>()).merge(ask.table(), line.sum(), Sum::plus));
        Set<String> odd = odd(lines, line -> List.of(line.sum(), Words.of(line.key())));
        if (!odd.isEmpty()) {
            differ(new Ask(Kind.BUCKETS, ask.table(), ask.from(), next, new byte[0]), odd);
        }
        return next;
    }

    /** Those that do not answer what more than half of them do; all where there is no such answer, none where all are the same. */
    private static <T> Set<String> odd(Map<String, T> answers, Function<T, Object> content) {
        Map<Object, Set<String>> groups = new LinkedHashMap<>();
        answers.forEach((member, answer) -> groups.computeIfAbsent(content.apply(answer), none -> new TreeSet<>()).add(member));
        Set<String> odd = new TreeSet<>(answers.keySet());
        groups.values().stream().filter(group -> group.size() * 2 > answers.size()).findFirst().ifPresent(odd::removeAll);
        return odd;
    }

    private void differ(Ask within, Set<String> odd) throws IOException, InterruptedException {
        if (odd.size() < members.size()) {
            differing.addAll(odd);
        }
        if (differences.size() < MOST_DIFFERENCES) {
            differences.add(new Difference(shown(within.table()), item(within), List.copyOf(odd)));
        }
    }

    /** The name of the first item in a slice that differs; null where it cannot be told now. */
    private String item(Ask slice) throws IOException, InterruptedException {
        Ask ask = slice;
        for (int level = 0; level < StoreDigest.LEVELS; level++) {
            Map<Long, Map<String, Line>> buckets = byHash(ask(sequence, List.of(ask)));
            Map.Entry<Long, Map<String, Line>> first = firstUnequal(buckets);
            if (first == null) {
                return null;
            }
            byte[] within = Arrays.copyOf(ask.within(), level + 1);
            within[level] = first.getKey().byteValue();
            ask = new Ask(Kind.BUCKETS, ask.table(), ask.from(), ask.to(), within);
            if (first.getValue().values().stream().allMatch(line -> line.sum().count() <= Answerer.MOST_ITEMS)) {
                break;
            }
        }
        Map.Entry<Long, Map<String, Line>> item = firstUnequal(byHash(ask(sequence,
                List.of(new Ask(Kind.ITEMS, ask.table(), ask.from(), ask.to(), ask.within())))));
        return item == null ? null : item.getValue().values().stream().map(Line::text).findFirst().orElse(null);
    }

    private static Map<Long, Map<String, Line>> byHash(Map<String, Answer> answers) {
        Map<Long, Map<String, Line>> lines = new TreeMap<>();
        answers.forEach((member, answer) -> answer.lines().forEach(line -> lines.computeIfAbsent(line.hash(), none -> new TreeMap<>()).put(member, line)));
        return lines;
    }

    /** Null where all members answered the same. */
    private Map.Entry<Long, Map<String, Line>> firstUnequal(Map<Long, Map<String, Line>> lines) {
        Predicate<Map<String, Line>> isEqual = each -> each.size() == members.size() && each.values().stream().map(Line::sum).distinct().count() == 1;
        return lines.entrySet().stream().filter(each -> !isEqual.test(each.getValue())).findFirst().orElse(null);
    }

    private Map<String, Answer> askAtOneTransaction(List<Ask> asks) throws IOException, InterruptedException {
        Map<String, Answer> answers = Map.of();
        for (int tries = 0; tries < TRIES; tries++) {
            answers = ask(transactionToCome(), asks);
            if (answers.values().stream().noneMatch(Answer::isUntimely)) {
                return answers;
            }
            boolean isPassed = answers.values().stream().anyMatch(answer -> Answer.PASSED.equals(answer.problem()));
            aheadPolls = isPassed ? Math.min(MOST_AHEAD_POLLS, aheadPolls * 2) : aheadPolls / 2;
        }
        answers.forEach((member, answer) -> leaveOut(member, answer.problem()));
        throw new IOException("the members do not show one transaction at the same time: the last one that was tried is " + sequence);
    }

    /** One that members come to soon, at the pace at which transactions come now; the last one where none come. */
    private long transactionToCome() throws InterruptedException {
        long before = store.sequence();
        long beforeNanos = System.nanoTime();
        pause.forMillis(2 * limits.pollMillis());
        long now = store.sequence();
        double perNano = (double) (now - before) / (System.nanoTime() - beforeNanos);
        sequence = now == before ? now : now + 1 + (long) (perNano * TimeUnit.MILLISECONDS.toNanos(limits.pollMillis()) * aheadPolls);
        return sequence;
    }

    /** What those answer that do. Who does not is left out from then on. @throws IOException where too few are left */
    private Map<String, Answer> ask(long asOf, List<Ask> asks) throws IOException, InterruptedException {
        Round round = new Round(pass, name, ++step, asOf, List.copyOf(members), asks);
        board.write(Round.NAME, round.bytes());
        Map<String, Answer> answers = new TreeMap<>();
        long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(limits.answerMillis());
        while (answers.size() < members.size() && System.nanoTime() - endNanos < 0) {
            pause.forMillis(limits.pollMillis());
            if (store.replica().role() != Replica.Role.LEADER) {
                throw new IOException("another member leads");
            }
            for (String member : members) {
                Answer answer = answers.containsKey(member) ? null : Answer.parse(board.read(Answer.name(member)));
                if (answer != null && answer.isTo(round)) {
                    answers.put(member, answer);
                }
            }
        }
        for (String member : List.copyOf(members)) {
            Answer answer = answers.get(member);
            if (answer == null || answer.problem() != null && !answer.isUntimely()) {
                answers.remove(member);
                leaveOut(member, answer == null ? "it does not answer" : answer.problem());
                if (answer != null && answer.isDamaged()) {
                    differing.add(member);
                    differences.add(new Difference(null, answer.problem(), List.of(member)));
                }
            }
        }
        if (members.size() < LEAST_MEMBERS && differing.isEmpty()) {
            throw new IOException("too few members answer");
        }
        return answers;
    }

    private void leaveOut(String member, String why) {
        members.remove(member);
        LOG.info("{} is not compared further: {}", member, why);
    }
}
