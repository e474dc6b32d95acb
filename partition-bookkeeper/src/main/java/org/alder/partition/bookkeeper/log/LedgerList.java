package org.alder.partition.bookkeeper.log;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.alder.partition.bookkeeper.zookeeper.NewerText;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.FeatureLevel;

/**
 * Which ledgers a partition's log consists of, in order, and who may write: the content of the log's znode
 * (docs/format/replicated-log.md; do not change without a new version). It is text, for administrators with a ZooKeeper shell:
 * <pre>
 *   alder-log 3
 *   store UUID
 *   level NUMBER                                                         not in version 2, which has the first level
 *   generation NUMBER behind SEQUENCE at MILLIS
 *   epoch NUMBER claim UUID leader NAME
 *   ledger ID epoch NUMBER first SEQUENCE before MILLIS last SEQUENCE     last only where the ledger is closed
 *   deleting ID                                                          given up, and perhaps not deleted yet
 * </pre>
 * Immutable. All ledgers but the last are closed.
 *
 * @param storeId  the store whose log it is
 * @param data     what the log goes on from
 * @param epoch    counts the leaders; 0 before the first one
 * @param claim    drawn by the leader of that epoch, by which it knows its own
 * @param leader   the leader's name, for people
 * @param ledgers  ascending by sequence, without a gap
 * @param deleting numbers of ledgers
 * @param level    of the {@link FeatureLevel}s: what is in the ledgers is no newer
 */
public record LedgerList(UUID storeId, Data data, long epoch, UUID claim, String leader, List<Ledger> ledgers, List<Long> deleting, int level) {
    /** A znode holds 1 MiB at most. */
    static final int MOST_LEDGERS = 4096;
    private static final String HEAD = "alder-log 3";
    /** The same without a level. Builds that know of no levels refuse the other one. */
    private static final String HEAD_WITHOUT_LEVEL = "alder-log 2";
    private static final UUID NOBODY = new UUID(0, 0);
    private static final String NAME = "[!-~]{1,255}";

    /**
     * @param id            BookKeeper's number
     * @param epoch         of the leader that wrote it
     * @param firstSequence of its first transaction
     * @param timeBefore    when the one before that was committed, in milliseconds since 1970
     * @param lastSequence  of its last transaction, {@code firstSequence - 1} where it has none; -1 while it is written
     */
    public record Ledger(long id, long epoch, long firstSequence, long timeBefore, long lastSequence) {
        static final long OPEN = -1;

        public boolean isOpen() {
            return lastSequence == OPEN;
        }

        Ledger closed(long last) {
            return new Ledger(id, epoch, firstSequence, timeBefore, last);
        }
    }

    /**
     * The data that replicas had when the log began, before its first transaction.
     *
     * @param generation counts up when other data take their place; 1 for those of a new store
     * @param sequence   their last transaction
     * @param timeMillis when that was committed, since 1970
     */
    public record Data(long generation, long sequence, long timeMillis) {
    }

    public LedgerList {
        ledgers = List.copyOf(ledgers);
        deleting = List.copyOf(deleting);
        if (!leader.matches(NAME)) {
            throw new IllegalArgumentException("a leader's name of other than 1 to 255 printable ASCII characters: " + leader);
        }
    }

    static LedgerList empty(UUID storeId, int level) {
        return new LedgerList(storeId, new Data(1, 0, 0), 0, NOBODY, "-", List.of(), List.of(), level);
    }

    /** The last ledger; null where there is none. */
    public Ledger last() {
        return ledgers.isEmpty() ? null : ledgers.get(ledgers.size() - 1);
    }

    /** The first transaction that it holds, or will. */
    public long firstSequence() {
        return ledgers.isEmpty() ? data.sequence + 1 : ledgers.get(0).firstSequence;
    }

    /** When the transaction before the first one was committed. */
    long timeBefore() {
        return ledgers.isEmpty() ? data.timeMillis : ledgers.get(0).timeBefore;
    }

    /** The last transaction that is known to be in it for ever. */
    public long settledSequence() {
        Ledger last = last();
        return last == null ? data.sequence : last.isOpen() ? last.firstSequence - 1 : last.lastSequence;
    }

    /**
     * The last transaction of the leaders up to an epoch, where it is known for ever: a later one has ended what they wrote. -1 where it is
     * not.
     */
    public long endOf(long leaderEpoch) {
        for (Ledger ledger : ledgers) {
            if (ledger.epoch > leaderEpoch) {
                return ledger.firstSequence - 1;
            }
        }
        return epoch > leaderEpoch && (ledgers.isEmpty() || !last().isOpen()) ? settledSequence() : -1;
    }

    /** With other data in the place of all there were; itself where they are. */
    LedgerList replaced(Data other) {
        return data.equals(other) ? this : new LedgerList(storeId, other, epoch, claim, leader, List.of(),
                plus(deleting, ledgers.stream().map(Ledger::id).toList()), level);
    }

    LedgerList claimed(UUID newClaim, String newLeader) {
        return new LedgerList(storeId, data, epoch + 1, newClaim, newLeader, ledgers, deleting, level);
    }

    /** With the end of the last ledger known; itself where it was. */
    LedgerList closed(long id, long lastSequence) {
        Ledger last = last();
        if (last == null || last.id != id || !last.isOpen()) {
            return this;
        }
        List<Ledger> changed = new ArrayList<>(ledgers);
        changed.set(changed.size() - 1, last.closed(lastSequence));
        return new LedgerList(storeId, data, epoch, claim, leader, changed, deleting, level);
    }

    /** Without a ledger that nothing was written to. */
    LedgerList without(long id) {
        if (last() == null || last().id != id) {
            return this;
        }
        return new LedgerList(storeId, data, epoch, claim, leader, ledgers.subList(0, ledgers.size() - 1), plus(deleting, List.of(id)), level);
    }

    /** With another ledger behind the last one; itself where it is there. */
    LedgerList with(Ledger ledger) {
        if (last() != null && last().id == ledger.id) {
            return this;
        }
        if (ledgers.size() == MOST_LEDGERS) {
            throw new StoreException(StoreException.Kind.READ_ONLY, "the log has " + MOST_LEDGERS
                    + " ledgers, the most there may be: trim it");
        }
        return new LedgerList(storeId, data, epoch, claim, leader, plus(ledgers, List.of(ledger)), deleting, level);
    }

    /** Without the closed ledgers all of whose transactions are below a sequence number. The last one always stays. */
    LedgerList trimmed(long below) {
        int count = 0;
        while (count < ledgers.size() - 1 && ledgers.get(count).lastSequence < below) {
            count++;
        }
        if (count == 0) {
            return this;
        }
        List<Long> gone = ledgers.subList(0, count).stream().map(Ledger::id).toList();
        return new LedgerList(storeId, data, epoch, claim, leader, ledgers.subList(count, ledgers.size()), plus(deleting, gone), level);
    }

    LedgerList deleted(List<Long> ids) {
        List<Long> left = new ArrayList<>(deleting);
        return left.removeAll(ids) ? new LedgerList(storeId, data, epoch, claim, leader, ledgers, left, level) : this;
    }

    /** With another level, if that is a later one. */
    LedgerList raised(int other) {
        return other <= level ? this : new LedgerList(storeId, data, epoch, claim, leader, ledgers, deleting, other);
    }

    private static <T> List<T> plus(List<T> list, List<T> more) {
        List<T> all = new ArrayList<>(list);
        all.addAll(more);
        return all;
    }

    byte[] bytes() {
        boolean hasLevel = level > FeatureLevel.FIRST;
        StringBuilder text = new StringBuilder(hasLevel ? HEAD : HEAD_WITHOUT_LEVEL).append("\nstore ").append(storeId)
                .append(hasLevel ? "\nlevel " + level : "").append("\ngeneration ").append(data.generation)
                .append(" behind ").append(data.sequence).append(" at ").append(data.timeMillis).append("\nepoch ").append(epoch)
                .append(" claim ").append(claim).append(" leader ").append(leader).append('\n');
        for (Ledger ledger : ledgers) {
            text.append("ledger ").append(ledger.id).append(" epoch ").append(ledger.epoch).append(" first ")
                    .append(ledger.firstSequence).append(" before ").append(ledger.timeBefore);
            text.append(ledger.isOpen() ? "" : " last " + ledger.lastSequence).append('\n');
        }
        deleting.forEach(id -> text.append("deleting ").append(id).append('\n'));
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * @param path the znode's, for messages
     * @throws StoreException of kind CORRUPT, naming znode and line
     */
    static LedgerList parse(byte[] bytes, String path) {
        String[] lines = new String(bytes, StandardCharsets.US_ASCII).split("\n");
        boolean hasLevel = lines[0].equals(HEAD);
        if (lines.length < 4 || !hasLevel && !lines[0].equals(HEAD_WITHOUT_LEVEL)) {
            NewerText.refuse(bytes, HEAD, path);
            throw new StoreException(StoreException.Kind.CORRUPT, "znode " + path + ": begins with \"" + lines[0] + "\", expected \""
                    + HEAD_WITHOUT_LEVEL + "\" or \"" + HEAD + "\"");
        }
        int i = 1;
        try {
            UUID store = UUID.fromString(words(lines[i], "store", 2)[1]);
            int level = hasLevel ? level(lines[++i], path) : FeatureLevel.FIRST;
            String[] from = words(lines[++i], "generation", 6);
            Data data = new Data(number(from[1]), number(from[3]), number(from[5]));
            String[] head = words(lines[++i], "epoch", 6);
            long epoch = number(head[1]);
            UUID claim = UUID.fromString(head[3]);
            List<Ledger> ledgers = new ArrayList<>();
            List<Long> deleting = new ArrayList<>();
            while (++i < lines.length) {
                if (lines[i].startsWith("deleting ")) {
                    deleting.add(number(words(lines[i], "deleting", 2)[1]));
                } else {
                    ledgers.add(next(lines[i], data, ledgers));
                }
            }
            return new LedgerList(store, data, epoch, claim, head[5], ledgers, deleting, level);
        } catch (IllegalArgumentException e) {
            throw new StoreException(StoreException.Kind.CORRUPT, "znode " + path + ", line " + (i + 1) + ": " + e.getMessage(), e);
        }
    }

    private static int level(String line, String path) {
        long level = number(words(line, "level", 2)[1]);
        if (level > FeatureLevel.NEWEST) {
            throw new StoreException(StoreException.Kind.REFUSED, "znode " + path + " has feature level " + level + ", which a newer build of Alder wrote; this one knows up to level "
                    + FeatureLevel.NEWEST + ": start this member with the newer build");
        } else if (level <= FeatureLevel.FIRST) {
            throw new IllegalArgumentException("a level that has no line: " + line);
        }
        return (int) level;
    }

    private static Ledger next(String line, Data data, List<Ledger> before) {
        boolean open = !line.contains(" last ");
        String[] words = words(line, "ledger", open ? 8 : 10);
        Ledger ledger = new Ledger(number(words[1]), number(words[3]), number(words[5]), number(words[7]),
                open ? Ledger.OPEN : number(words[9]));
        if (!open && ledger.lastSequence < ledger.firstSequence - 1) {
            throw new IllegalArgumentException("ends before it begins: " + line);
        }
        if (before.isEmpty() && ledger.firstSequence <= data.sequence) {
            throw new IllegalArgumentException("begins before the data of generation " + data.generation + ", which end with " + data.sequence
                    + ": " + line);
        }
        if (!before.isEmpty()) {
            Ledger previous = before.get(before.size() - 1);
            if (previous.isOpen() || previous.lastSequence + 1 != ledger.firstSequence) {
                throw new IllegalArgumentException("does not follow ledger " + previous.id + ", which "
                        + (previous.isOpen() ? "is open" : "ends at " + previous.lastSequence) + ": " + line);
            }
        }
        return ledger;
    }

    private static String[] words(String line, String first, int count) {
        String[] words = line.split(" ");
        if (words.length != count || !words[0].equals(first)) {
            throw new IllegalArgumentException("expected \"" + first + "\" and " + count + " words in all, found: " + line);
        }
        return words;
    }

    private static long number(String word) {
        if (!word.matches("[0-9]{1,18}")) {
            throw new IllegalArgumentException("not a number: " + word);
        }
        return Long.parseLong(word);
    }
}
