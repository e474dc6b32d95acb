package org.alder.perf.bench;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.alder.perf.client.LdapConnection;
import org.alder.perf.client.Load;
import org.alder.perf.client.PacedLoad;
import org.alder.perf.process.PageCache;

/**
 * Measures the same requests on two servers in turns of a few seconds, so that what else the machine does hits both. One thread.
 *
 * @param peer null where there is none: then all of its figures are NaN
 * @param seconds measured time of each server for one figure
 */
public record SideBySide(Side own, Side peer, double seconds, long seed) {
    private static final int TURNS = 2;
    private static final int COLD_TURNS = 3;
    private static final int SEARCHERS = 8;

    /** A figure of both. */
    public record Pair(double own, double peer) {
    }

    /** What both did with the same requests; {@code peer} may be null. */
    public record Outcomes(Load.Outcome own, Load.Outcome peer) {
        public Pair pair(ToDoubleFunction<Load.Outcome> figure) {
            return new Pair(figure.applyAsDouble(own), peer == null ? Double.NaN : figure.applyAsDouble(peer));
        }
    }

    /** One turn on one server. */
    @FunctionalInterface
    private interface Turn {
        Load.Outcome run(Side side, double warmUpSeconds, double turnSeconds, long turnSeed) throws IOException,
                InterruptedException;
    }

    /** Anonymous requests. */
    public Outcomes searches(int connections, Load.Request request) throws IOException, InterruptedException {
        return inTurns((side, warmUp, time, turnSeed) -> side.run(connections, warmUp, time, turnSeed, null, request));
    }

    /** The administrator's requests. */
    public Outcomes updates(int connections, Load.Request request) throws IOException, InterruptedException {
        return inTurns((side, warmUp, time, turnSeed) -> side.run(connections, warmUp, time, turnSeed, side.administrator(),
                request));
    }

    /** Adds of users that neither server has; each server gets all of them. */
    public Outcomes adds(int connections, Function<AtomicLong, Load.Request> adds, AtomicLong ownNext, AtomicLong peerNext)
            throws IOException, InterruptedException {
        return inTurns((side, warmUp, time, turnSeed) -> side.run(connections, warmUp, time, turnSeed, side.administrator(),
                adds.apply(side == own ? ownNext : peerNext)));
    }

    /** Anonymous requests over several connections, while another connection writes at a fixed rate. */
    public Outcomes searchesBesideWriter(Load.Request search, Load.Request write, double writesPerSecond) throws IOException,
            InterruptedException {
        return inTurns((side, warmUp, time, turnSeed) -> {
            try (LdapConnection writer = side.administrator().connect(side.server().port())) {
                PacedLoad writing = PacedLoad.start(List.of(writer), writesPerSecond, turnSeed, write);
                try {
                    return side.run(SEARCHERS, warmUp, time, turnSeed, null, search);
                } finally {
                    writing.stop();
                }
            }
        });
    }

    /** The first request of each server after it was restarted with an empty page cache: medians, in milliseconds; else NaN. */
    public Pair cold(Load.Request request) throws IOException, InterruptedException {
        double[] ownMillis = new double[COLD_TURNS];
        double[] peerMillis = new double[COLD_TURNS];
        for (int turn = 0; turn < COLD_TURNS; turn++) {
            ownMillis[turn] = coldMillis(own, request);
            peerMillis[turn] = peer == null ? Double.NaN : coldMillis(peer, request);
        }
        Arrays.sort(ownMillis);
        Arrays.sort(peerMillis);
        return new Pair(ownMillis[COLD_TURNS / 2], peerMillis[COLD_TURNS / 2]);
    }

    /** Mapped files are cached as long as a process maps them, so the server must be down when the cache is dropped. */
    private static double coldMillis(Side side, Load.Request request) throws IOException, InterruptedException {
        side.close();
        boolean dropped = PageCache.drop();
        side.restart();
        return dropped ? side.millis(request) : Double.NaN;
    }

    private Outcomes inTurns(Turn turn) throws IOException, InterruptedException {
        Load.Outcome ownSum = null;
        Load.Outcome peerSum = null;
        for (int i = 0; i < TURNS; i++) {
            double warmUp = i == 0 ? seconds / TURNS : seconds / TURNS / 4;
            Load.Outcome ownTurn = turn.run(own, warmUp, seconds / TURNS, seed + i);
            ownSum = ownSum == null ? ownTurn : ownSum.plus(ownTurn);
            if (peer != null) {
                Load.Outcome peerTurn = turn.run(peer, warmUp, seconds / TURNS, seed + i);
                peerSum = peerSum == null ? peerTurn : peerSum.plus(peerTurn);
            }
        }
        return new Outcomes(ownSum, peerSum);
    }
}
