package org.alder.partition.entry;

import java.util.List;

/**
 * What stored attributes alone say about a filter: where it does not hold, the filter is not true of the entry. An engine may ask it of entries
 * whose records it has not put together: it tells which of the {@link #tests} some value of the entry passes. Immutable, thread safe;
 * compared by identity.
 */
public final class EntryProbe {
    /** More tests are not asked. */
    public static final int MOST_TESTS = Long.SIZE;

    private final List<Test> tests;
    private final Condition condition;

    /** A test of all values of some attributes. Thread safe. */
    public interface Test {
        /** Whether it is about attributes with this description, as it is spelt in the record. */
        boolean selects(byte[] bytes, int offset, int length);

        /** Whether a value passes. */
        boolean matches(byte[] bytes, int offset, int length);
    }

    /** What is to be known of the tests. */
    @FunctionalInterface
    public interface Condition {
        /** @param passed a bit for each test that some value passes, the lowest for the first */
        boolean holds(long passed);
    }

    /** @param tests no more than {@link #MOST_TESTS} */
    public EntryProbe(List<Test> tests, Condition condition) {
        if (tests.size() > MOST_TESTS) {
            throw new IllegalArgumentException(tests.size() + " tests, expected " + MOST_TESTS + " at most");
        }
        this.tests = List.copyOf(tests);
        this.condition = condition;
    }

    public List<Test> tests() {
        return tests;
    }

    /** Whether the filter may be true of an entry. @param passed as {@link Condition#holds} takes it */
    public boolean holds(long passed) {
        return condition.holds(passed);
    }
}
