package org.alder.partition.bookkeeper.compare;

import java.util.ArrayList;
import java.util.List;

/**
 * What the leader asks the members in one step of a comparison. Immutable, but for the arrays of {@link Ask}.
 *
 * @param pass     counts the comparisons
 * @param by       the leader that asks
 * @param step     counts the questions of a comparison
 * @param sequence the transaction as of which is answered; 0 where it does not matter
 * @param members  who is asked
 * @param asks     none at the end of the comparison
 */
record Round(long pass, String by, int step, long sequence, List<String> members, List<Ask> asks) {
    static final String NAME = "round";
    private static final String VERSION = "alder-compare 1";

    /** A question, to be answered about a table. */
    enum Kind { TABLES, SLICE, BUCKETS, ITEMS }

    /**
     * One of them.
     *
     * @param table  null for all
     * @param from   the key that a slice begins with
     * @param to     the first key behind it; null for the end
     * @param within the buckets
     */
    record Ask(Kind kind, String table, byte[] from, byte[] to, byte[] within) {
        static final Ask TABLES = new Ask(Kind.TABLES, null, null, null, null);
    }

    boolean isOver() {
        return asks.isEmpty();
    }

    byte[] bytes() {
        StringBuilder text = new StringBuilder(VERSION).append("\nround ").append(pass).append(' ').append(by).append(' ').append(step).append(' ')
                .append(sequence).append("\nmembers");
        members.forEach(member -> text.append(' ').append(member));
        text.append('\n');
        for (Ask ask : asks) {
            text.append("ask ").append(ask.kind).append(' ').append(Words.of(ask.table)).append(' ').append(Words.of(ask.from)).append(' ')
                    .append(Words.of(ask.to)).append(' ').append(Words.of(ask.within)).append('\n');
        }
        return Words.ascii(text);
    }

    /** @param bytes null gives null */
    static Round parse(byte[] bytes) {
        if (bytes == null) {
            return null;
        }
        Words words = new Words("what is asked to compare the members", bytes).line("alder-compare");
        words.number();
        words.line("round");
        long pass = words.number();
        String by = words.word();
        int step = (int) words.number();
        long sequence = words.number();
        words.line("members");
        List<String> members = new ArrayList<>();
        while (words.hasWord()) {
            members.add(words.word());
        }
        List<Ask> asks = new ArrayList<>();
        while (words.hasLine()) {
            words.line("ask");
            asks.add(new Ask(kind(words.word()), words.text(), words.bytes(), words.bytes(), words.bytes()));
        }
        return new Round(pass, by, step, sequence, members, asks);
    }

    /** A later version may ask more. */
    private static Kind kind(String word) {
        try {
            return Kind.valueOf(word);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
