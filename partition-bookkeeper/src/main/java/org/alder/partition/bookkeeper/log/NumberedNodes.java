package org.alder.partition.bookkeeper.log;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.alder.partition.bookkeeper.zookeeper.ZooKeeperSession;

/**
 * The znodes of versions, which never change: below one of their own, by numbers from 1 of ten digits. Thread safe.
 *
 * @param <V> a version
 */
final class NumberedNodes<V> {
    /** ZooKeeper takes 1 MiB. */
    static final int MOST_BYTES = 900_000;
    /** A member that is further behind goes on with the first one there is. */
    static final int MOST_KEPT = 100;

    private final ZooKeeperSession session;
    private final String path;
    private final int limitMillis;
    private final BiFunction<byte[], String, V> parser;

    /**
     * @param limitMillis for each answer
     * @param parser      of what a znode holds, and its path
     */
    NumberedNodes(ZooKeeperSession session, String path, int limitMillis, BiFunction<byte[], String, V> parser) {
        this.session = session;
        this.path = path;
        this.limitMillis = limitMillis;
        this.parser = parser;
    }

    private Deadline limit() {
        return Deadline.in(limitMillis);
    }

    String node(long number) {
        return String.format(Locale.ROOT, "%s/%010d", path, number);
    }

    /** In their order. */
    List<Long> numbers(Deadline deadline) throws IOException {
        return session.children(path, deadline).stream().filter(each -> each.matches("[0-9]{10}")).map(Long::valueOf).sorted().toList();
    }

    /** Null where there is none. */
    V newest() throws IOException {
        List<Long> numbers = numbers(limit());
        return numbers.isEmpty() ? null : version(numbers.get(numbers.size() - 1));
    }

    /** The one that follows a number, or where that is not kept any more the first one that is; null where none does. */
    V next(long number) throws IOException {
        for (long each : numbers(limit())) {
            V found = each > number ? version(each) : null;
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    /** Null where it is not kept any more. */
    private V version(long number) throws IOException {
        byte[] content = session.content(node(number), limit());
        return content == null ? null : parser.apply(content, node(number));
    }

    /** Removes those that are too old beside the newest one; what is left over is removed with the next one. */
    void forgetBefore(long newest, Deadline deadline) throws IOException {
        for (long each : numbers(deadline)) {
            if (each <= newest - MOST_KEPT) {
                session.remove(node(each), deadline);
            }
        }
    }
}
