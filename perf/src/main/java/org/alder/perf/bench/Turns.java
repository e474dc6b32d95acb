package org.alder.perf.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Measures several subjects in turns of a few seconds, so that what else the machine does hits all of them. Stateless, thread safe. */
public final class Turns {
    /** As many as tell a median, and how far single turns are from it. */
    public static final int COUNT = 5;
    private static final double SHARE_BEFORE_TURN = 0.25;

    private Turns() {
    }

    /**
     * One turn of one subject.
     *
     * @param <S> what is measured
     * @param <T> what comes of it
     */
    @FunctionalInterface
    public interface Turn<S, T> {
        /** @param warmUpSeconds before what is measured */
        T run(S subject, double warmUpSeconds, double seconds, long seed) throws IOException, InterruptedException;
    }

    /**
     * All turns.
     *
     * @param seconds measured time of each subject in all of its turns
     * @param firstWarmUpSeconds before the first turn; before others a part of the turn's time
     * @return for each subject, in their order, what its turns brought
     */
    public static <S, T> List<List<T>> of(List<S> subjects, double seconds, double firstWarmUpSeconds, long seed, Turn<? super S, T> turn)
            throws IOException, InterruptedException {
        List<List<T>> all = new ArrayList<>();
        subjects.forEach(subject -> all.add(new ArrayList<>()));
        double time = seconds / COUNT;
        for (int i = 0; i < COUNT; i++) {
            double warmUp = i == 0 ? firstWarmUpSeconds : SHARE_BEFORE_TURN * time;
            for (int subject = 0; subject < subjects.size(); subject++) {
                all.get(subject).add(turn.run(subjects.get(subject), warmUp, time, seed + i));
            }
        }
        return all;
    }

    /** The median of what turns brought; NaN where there are none. */
    public static <T> double median(List<T> turns, ToDoubleFunction<? super T> figure) {
        return Pair.of(turns.stream().mapToDouble(figure).toArray(), new double[0]).own();
    }
}
