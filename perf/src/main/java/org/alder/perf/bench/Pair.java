package org.alder.perf.bench;

import java.util.Arrays;

/**
 * A figure of two servers that took turns: the medians of their turns, and how their ratio was in single turns. NaN where the other server
 * was not measured. Immutable.
 *
 * @param lowest  ratio of own to peer in one turn
 * @param highest ratio of own to peer in one turn
 */
public record Pair(double own, double peer, double lowest, double highest) {
    /** Of one measurement each. */
    public Pair(double own, double peer) {
        this(own, peer, Double.NaN, Double.NaN);
    }

    /** @param peerTurns in the order of the own ones; empty where there are none */
    public static Pair of(double[] ownTurns, double[] peerTurns) {
        double[] ratios = new double[peerTurns.length];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = ownTurns[i] / peerTurns[i];
        }
        Arrays.sort(ratios);
        int last = ratios.length - 1;
        return new Pair(median(ownTurns), median(peerTurns), last < 0 ? Double.NaN : ratios[0], last < 0 ? Double.NaN : ratios[last]);
    }

    /** Of one server alone: how far single turns are from their median. */
    public static Pair spread(double[] turns) {
        double median = median(turns);
        double[] medians = turns.clone();
        Arrays.fill(medians, median);
        return of(turns, medians);
    }

    private static double median(double[] turns) {
        double[] sorted = turns.clone();
        Arrays.sort(sorted);
        return sorted.length == 0 ? Double.NaN : sorted[sorted.length / 2];
    }
}
