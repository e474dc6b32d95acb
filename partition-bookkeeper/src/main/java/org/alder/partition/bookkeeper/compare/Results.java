package org.alder.partition.bookkeeper.compare;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.alder.partition.store.Comparison.Difference;
import org.alder.partition.store.Comparison.Member;
import org.alder.partition.store.Comparison;

/** The last comparison, and whether another one is asked for, on a {@link Board}. Stateless. */
public final class Results {
    private static final String NAME = "result";
    private static final String ASKED = "asked";
    private static final String VERSION = "alder-compared 1";
    private static final String DIFFERS = "differs";

    private Results() {
    }

    /** Null where there was none yet. */
    public static Comparison last(Board board) throws IOException {
        byte[] bytes = board.read(NAME);
        return bytes == null ? null : parse(bytes);
    }

    static void tell(Board board, Comparison comparison) throws IOException {
        board.write(NAME, bytes(comparison));
    }

    /** Has the leader compare the members now. @return the number of the first comparison that begins from now on, or of one that has just begun */
    public static long ask(Board board) throws IOException {
        Round before = Round.parse(board.read(Round.NAME));
        Comparison last = last(board);
        board.write(ASKED, new byte[0]);
        return Math.max(before == null ? 0 : before.pass(), last == null ? 0 : last.pass()) + 1;
    }

    static boolean isAsked(Board board) throws IOException {
        return board.read(ASKED) != null;
    }

    static void begun(Board board) throws IOException {
        board.remove(ASKED);
    }

    static byte[] bytes(Comparison comparison) {
        StringBuilder text = new StringBuilder(VERSION).append("\npass ").append(comparison.pass()).append(' ').append(comparison.sequence())
                .append(' ').append(comparison.endedMillis()).append(' ').append(comparison.tookMillis()).append("\ntables ").append(comparison.tables());
        comparison.skipped().forEach(each -> text.append(' ').append(Words.of(each)));
        text.append('\n');
        for (Member member : comparison.members()) {
            text.append("member ").append(member.name()).append(' ').append(member.digest()).append(member.differs() ? " differs\n" : "\n");
        }
        for (Difference difference : comparison.differences()) {
            text.append("difference ").append(Words.of(difference.table())).append(' ').append(Words.of(difference.item()));
            difference.members().forEach(each -> text.append(' ').append(each));
            text.append('\n');
        }
        text.append("end\n");
        return Words.ascii(text);
    }

    static Comparison parse(byte[] bytes) {
        Words words = new Words("what was found when the members were compared", bytes).line("alder-compared");
        words.number();
        words.line("pass");
        long pass = words.number();
        long sequence = words.number();
        long endedMillis = words.number();
        long tookMillis = words.number();
        int tables = (int) words.line("tables").number();
        List<String> skipped = new ArrayList<>();
        while (words.hasWord()) {
            skipped.add(words.text());
        }
        List<Member> members = new ArrayList<>();
        while (words.isAt("member")) {
            words.line("member");
            members.add(new Member(words.word(), words.word(), words.hasWord() && words.word().equals(DIFFERS)));
        }
        List<Difference> differences = new ArrayList<>();
        while (words.isAt("difference")) {
            words.line("difference");
            String table = words.text();
            String item = words.text();
            List<String> others = new ArrayList<>();
            while (words.hasWord()) {
                others.add(words.word());
            }
            differences.add(new Difference(table, item, others));
        }
        words.line("end");
        return new Comparison(pass, sequence, endedMillis, tookMillis, members, tables, skipped, differences);
    }

    /** Forgets what a member has answered that is gone for good. */
    public static void forget(Board board, String member) throws IOException {
        board.remove(Answer.name(member));
    }
}
