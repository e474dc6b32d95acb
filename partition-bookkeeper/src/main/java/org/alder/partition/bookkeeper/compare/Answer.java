package org.alder.partition.bookkeeper.compare;

import java.util.ArrayList;
import java.util.List;
import org.alder.partition.check.StoreDigest.Sum;

/**
 * What a member answers to a {@link Round}. Immutable, but for the arrays of {@link Line}.
 *
 * @param problem why there is no answer; null where there is one
 * @param isDamaged whether that is damage of what the member holds
 */
record Answer(long pass, String by, int step, String problem, boolean isDamaged, List<Line> lines) {
    /** Of a store that is beyond the transaction already. */
    static final String PASSED = "passed";
    /** Of a store that the transaction did not come to in time. */
    static final String LATE = "late";
    private static final String VERSION = "alder-answer 1";

    /**
     * About a table.
     *
     * @param key  of a slice, the key behind it; of the items in a bucket, the hash of the key; null for none
     * @param hash of a bucket its number
     * @param text what people call the item; null for none
     */
    record Line(String table, byte[] key, long hash, Sum sum, String text) {
    }

    static String name(String member) {
        return "answers/" + member;
    }

    boolean isTo(Round round) {
        return pass == round.pass() && step == round.step() && by.equals(round.by());
    }

    boolean isUntimely() {
        return PASSED.equals(problem) || LATE.equals(problem);
    }

    byte[] bytes() {
        StringBuilder text = new StringBuilder(VERSION).append("\nround ").append(pass).append(' ').append(by).append(' ').append(step)
                .append("\nproblem ").append(Words.of(problem)).append(isDamaged ? " damaged\n" : "\n");
        for (Line line : lines) {
            Sum sum = line.sum;
            text.append("sum ").append(Words.of(line.table)).append(' ').append(Words.of(line.key)).append(' ').append(Words.ofHash(line.hash))
                    .append(' ').append(sum.count()).append(' ').append(Words.ofHash(sum.first())).append(' ').append(Words.ofHash(sum.second()))
                    .append(' ').append(Words.of(line.text)).append('\n');
        }
        return Words.ascii(text);
    }

    /** @param bytes null gives null */
    static Answer parse(byte[] bytes) {
        if (bytes == null) {
            return null;
        }
        Words words = new Words("what a member tells to be compared", bytes).line("alder-answer");
        words.number();
        words.line("round");
        long pass = words.number();
        String by = words.word();
        int step = (int) words.number();
        String problem = words.line("problem").text();
        boolean isDamaged = words.hasWord();
        List<Line> lines = new ArrayList<>();
        while (words.hasLine()) {
            words.line("sum");
            lines.add(new Line(words.text(), words.bytes(), words.hash(), new Sum(words.number(), words.hash(), words.hash()), words.text()));
        }
        return new Answer(pass, by, step, problem, isDamaged, lines);
    }
}
