package org.alder.perf.faults;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.alder.partition.testing.Seed;
import org.alder.perf.faults.RegisterCall.Kind;
import org.alder.perf.faults.RegisterCall.Outcome;
import org.junit.Test;

/** Histories that one value can have had, and those that it cannot. */
public class RegisterCheckerTest {
    private final List<RegisterCall> calls = new ArrayList<>();

    private RegisterCheckerTest write(String value, long from, long to, Outcome outcome) {
        calls.add(new RegisterCall(0, Kind.WRITE, null, value, from, to, outcome, null));
        return this;
    }

    private RegisterCheckerTest exchange(String value, String seen, long from, long to) {
        calls.add(new RegisterCall(0, Kind.WRITE, null, value, from, to, Outcome.DONE, seen));
        return this;
    }

    private RegisterCheckerTest swap(String expected, String value, long from, long to, Outcome outcome) {
        calls.add(new RegisterCall(1, Kind.COMPARE_AND_WRITE, expected, value, from, to, outcome, null));
        return this;
    }

    private RegisterCheckerTest read(String seen, long from, long to) {
        calls.add(new RegisterCall(2, Kind.READ, null, null, from, to, Outcome.DONE, seen));
        return this;
    }

    private void passes() {
        assertNull(RegisterChecker.fault("0", calls));
    }

    /** @param hint part of what is said */
    private void isRejected(String hint) {
        String fault = RegisterChecker.fault("0", calls);
        assertNotNull("" + calls, fault);
        assertTrue(fault, fault.contains(hint));
    }

    @Test
    public void oneAfterAnother() {
        write("a", 0, 10, Outcome.DONE).read("a", 20, 30).swap("a", "b", 40, 50, Outcome.DONE).exchange("c", "b", 60, 70).read("c", 80, 90).passes();
    }

    /** As a long run leaves them: 80 writes of which nobody knows, and again and again a value that is another one than somebody expected. */
    @Test
    public void manyUnknownWritesAreNotTriedOneByOne() {
        for (int i = 0; i < 80; i++) {
            write("unknown" + i, i, i + 1, Outcome.UNKNOWN);
            swap("unknown" + i, "after" + i, i, i + 1, Outcome.UNKNOWN);
        }
        String value = "0";
        for (int at = 100; at < 300; at += 20) {
            write("found" + at, at, at + 1, Outcome.UNKNOWN).swap(value, "refused" + at, at + 2, at + 6, Outcome.DIFFERS);
            swap(value, "again" + at, at + 3, at + 7, Outcome.DIFFERS).exchange("next" + at, "found" + at, at + 8, at + 9);
            value = "next" + at;
        }
        passes();
    }

    @Test
    public void aValueThatWasReplacedIsNotReadAgain() {
        write("a", 0, 10, Outcome.DONE).write("b", 20, 30, Outcome.DONE).read("a", 40, 50).isRejected("read");
    }

    @Test
    public void anAcknowledgedWriteIsNotLost() {
        write("a", 0, 10, Outcome.DONE).read("0", 20, 30).isRejected("may be [a]");
    }

    @Test
    public void duringAWriteBothValuesMayBeReadButNotTheOldOneAfterTheNewOne() {
        write("a", 0, 100, Outcome.DONE).read("0", 10, 20).read("a", 30, 40).passes();
        calls.clear();
        write("a", 0, 100, Outcome.DONE).read("a", 10, 20).read("0", 30, 40).isRejected("read");
    }

    @Test
    public void whoReadsAtTheSameTimeMaySeeEither() {
        write("a", 0, 100, Outcome.DONE).read("a", 10, 50).read("0", 20, 60).passes();
    }

    @Test
    public void ofTwoThatReplaceTheSameValueOneIsWrong() {
        swap("0", "a", 0, 100, Outcome.DONE).swap("0", "b", 0, 100, Outcome.DONE).isRejected("where it is 0");
        calls.clear();
        exchange("a", "0", 0, 100).exchange("b", "0", 0, 100).isRejected("was 0");
        calls.clear();
        exchange("a", "0", 0, 100).exchange("b", "a", 0, 100).passes();
    }

    @Test
    public void whatNobodyKnowsMayBeDoneLateOrNever() {
        write("a", 0, 10, Outcome.UNKNOWN).read("0", 20, 30).read("a", 40, 50).passes();
        calls.clear();
        write("a", 0, 10, Outcome.UNKNOWN).read("0", 20, 30).passes();
    }

    @Test
    public void whatNobodyKnowsIsDoneOnceAtMostAndNotBeforeItWasAskedFor() {
        write("a", 0, 10, Outcome.UNKNOWN).read("a", 20, 30).write("b", 40, 50, Outcome.DONE).read("a", 60, 70).isRejected("read");
        calls.clear();
        read("a", 20, 30).write("a", 40, 50, Outcome.UNKNOWN).isRejected("read");
    }

    @Test
    public void whatWasRefusedWasNotDone() {
        write("a", 0, 10, Outcome.REFUSED).read("0", 20, 30).passes();
        write("b", 40, 50, Outcome.REFUSED).read("b", 60, 70).isRejected("not done");
        calls.clear();
        swap("x", "b", 0, 10, Outcome.DIFFERS).read("b", 20, 30).isRejected("not done");
    }

    @Test
    public void whoIsToldThatItDiffersIsRight() {
        swap("x", "a", 0, 10, Outcome.DIFFERS).read("0", 20, 30).passes();
        swap("0", "b", 40, 50, Outcome.DIFFERS).isRejected("DIFFERS");
    }

    @Test
    public void aWriteThatNobodyHasSeenMayBeWhyItDiffers() {
        write("a", 0, 10, Outcome.UNKNOWN).swap("0", "b", 20, 30, Outcome.DIFFERS).write("c", 40, 50, Outcome.DONE).read("c", 60, 70).passes();
        // But not twice.
        write("d", 80, 90, Outcome.DONE).swap("d", "e", 100, 110, Outcome.DIFFERS).isRejected("DIFFERS");
        calls.clear();
        // Nor where the value is still what it was.
        write("a", 0, 10, Outcome.UNKNOWN).swap("0", "b", 20, 30, Outcome.DIFFERS).read("0", 60, 70).isRejected("read");
        calls.clear();
        swap("x", "a", 0, 10, Outcome.UNKNOWN).swap("0", "b", 20, 30, Outcome.DIFFERS).isRejected("DIFFERS");
    }

    @Test
    public void manyThatNobodyKnowsTakeNoTime() {
        for (int i = 0; i < 400; i++) {
            write("unknown" + i, 10 * i, 10 * i + 5, Outcome.UNKNOWN);
            exchange("done" + i, i == 0 ? "0" : "done" + (i - 1), 10 * i + 6, 10 * i + 8);
        }
        passes();
        read("done7", 10_000, 10_010).isRejected("read");
    }

    /** As where nobody was answered for long, and the calls were done after all, late. */
    @Test
    public void manyThatNobodyKnowsAndThatAreSeenLateTakeNoTime() {
        int many = 40;
        for (int i = 0; i < many; i++) {
            write("unknown" + i, i, i + 5, Outcome.UNKNOWN);
        }
        for (int i = 0; i < many; i++) {
            exchange("done" + i, "unknown" + i, 1000 + 10 * i, 1008 + 10 * i);
        }
        passes();
        read("unknown7", 10_000, 10_010).isRejected("read");
    }

    /** What a real register did is accepted, and not when one answer is another one. */
    @Test
    public void whatARegisterDoesIsAcceptedAndOneWrongAnswerIsNot() {
        Random random = Seed.random(RegisterCheckerTest.class);
        int rejected = 0;
        for (int run = 0; run < 300; run++) {
            calls.clear();
            random(random, 40);
            passes();
            int wrong = random.nextInt(calls.size());
            RegisterCall call = calls.get(wrong);
            if (call.kind() == Kind.READ && call.endedNanos() - call.invokedNanos() >= 0) {
                String other = "never" + run;
                calls.set(wrong, new RegisterCall(call.client(), Kind.READ, null, null, call.invokedNanos(), call.endedNanos(), Outcome.DONE, other));
                assertNotNull(RegisterChecker.fault("0", calls));
                rejected++;
            }
        }
        assertTrue("" + rejected, rejected > 10);
    }

    /** Calls that have their effect at a random moment between begin and end, which overlap; of some the end is not known. */
    private void random(Random random, int count) {
        String value = "0";
        for (int i = 0; i < count; i++) {
            long effect = 100L * i + 50;
            long from = effect - random.nextInt(300);
            long to = effect + random.nextInt(300);
            boolean isUnknown = random.nextInt(6) == 0;
            String next = "v" + i;
            switch (random.nextInt(4)) {
                case 0 -> read(value, from, to);
                case 1 -> {
                    write(next, from, to, isUnknown ? Outcome.UNKNOWN : Outcome.DONE);
                    value = isUnknown && random.nextBoolean() ? value : next;
                }
                case 2 -> {
                    exchange(next, value, from, to);
                    value = next;
                }
                default -> {
                    boolean fits = random.nextBoolean();
                    swap(fits ? value : "old" + i, next, from, to, isUnknown ? Outcome.UNKNOWN : fits ? Outcome.DONE : Outcome.DIFFERS);
                    value = fits ? next : value;
                }
            }
        }
        assertEquals(count, calls.size());
    }

    /** Of small histories every order is tried, as plainly as can be, and that has to say the same. */
    @Test
    public void allOrdersOfSmallHistoriesSayTheSame() {
        Random random = Seed.random(RegisterCheckerTest.class);
        int rejected = 0;
        int accepted = 0;
        for (int run = 0; run < 4000; run++) {
            calls.clear();
            String[] values = {"0", "v0", "v1", "v2", "v3", "v4"};
            for (int i = 0; i < 5; i++) {
                long from = random.nextInt(40);
                long to = from + random.nextInt(30);
                String some = values[random.nextInt(values.length)];
                Outcome end = random.nextInt(3) == 0 ? Outcome.UNKNOWN : Outcome.DONE;
                switch (random.nextInt(4)) {
                    case 0 -> read(some, from, to);
                    case 1 -> write("v" + i, from, to, end);
                    case 2 -> exchange("v" + i, some, from, to);
                    default -> swap(some, "v" + i, from, to, random.nextInt(3) == 0 ? Outcome.DIFFERS : end);
                }
            }
            boolean expected = someOrder("0", new ArrayList<>(calls));
            assertEquals("" + calls, expected, RegisterChecker.fault("0", calls) == null);
            rejected += expected ? 0 : 1;
            accepted += expected ? 1 : 0;
        }
        assertTrue(accepted + " accepted, " + rejected + " rejected", accepted > 100 && rejected > 100);
    }

    /** Whether one of those that are left may be next, and the others after it. */
    private static boolean someOrder(String value, List<RegisterCall> left) {
        if (left.stream().allMatch(RegisterCall::isUnknown)) {
            return true;
        }
        for (RegisterCall next : left) {
            boolean isEarlyEnough = left.stream().allMatch(each -> each.isUnknown() || next.invokedNanos() <= each.endedNanos());
            boolean compares = next.kind() == Kind.COMPARE_AND_WRITE;
            boolean fits = next.seen() == null || next.seen().equals(value);
            fits &= !compares || next.outcome() == Outcome.DIFFERS != value.equals(next.expected());
            if (isEarlyEnough && fits) {
                List<RegisterCall> others = new ArrayList<>(left);
                others.remove(next);
                if (someOrder(next.mayWrite() ? next.value() : value, others)) {
                    return true;
                }
            }
        }
        return false;
    }
}
