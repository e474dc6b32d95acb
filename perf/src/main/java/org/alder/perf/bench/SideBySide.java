package org.alder.perf.bench;

import java.io.IOException;
import java.util.ArrayList;
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
 * @param peerName what people call it
 * @param seconds measured time of each server for one figure
 */
public record SideBySide(Side own, Side peer, String peerName, double seconds, long seed) {
    private static final int SEARCHERS = 8;
    private static final double WARM_UP_WINDOW_SECONDS = 2;
    private static final double MICROS = 1e6;

    /** What both did with the same requests, turn by turn; {@code peer} is empty where there is none. */
    public record Outcomes(List<Load.Outcome> own, List<Load.Outcome> peer) {
        public Pair pair(ToDoubleFunction<Load.Outcome> figure) {
            return Pair.of(own.stream().mapToDouble(figure).toArray(), peer.stream().mapToDouble(figure).toArray());
        }
    }

    /**
     * Has each server take requests until it needs no less CPU for one: the rate alone may be the disk's, while Java still compiles.
     *
     * @param subject what is warmed up, in a sentence
     * @param login   who asks each of them; it gives null for nobody
     * @return a sentence for each
     */
    public List<String> warmUp(String subject, int connections, double mostSeconds, Function<Side, Load.Login> login, Function<Side, Load.Request> request)
            throws IOException, InterruptedException {
        List<String> told = new ArrayList<>();
        for (Side side : sides()) {
            WarmUp warmUp = WarmUp.of(WARM_UP_WINDOW_SECONDS, mostSeconds, window ->
                    MICROS / side.run(connections, 0, window, seed, login.apply(side), request.apply(side)).serverMicrosPerOperation());
            told.add(warmUp.told((side == own ? "Alder" : peerName) + " with " + subject, "a second of CPU"));
        }
        return told;
    }

    private List<Side> sides() {
        return peer == null ? List.of(own) : List.of(own, peer);
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

    /** Anonymous requests at a fixed rate, whatever the answers take: an answer's time counts from when its request was due. */
    public Outcomes atRate(Load.Request request, double perSecond) throws IOException, InterruptedException {
        return inTurns((side, warmUp, time, turnSeed) -> {
            side.run(SEARCHERS, 0, warmUp, turnSeed, null, request);
            return side.atRate(SEARCHERS, time, turnSeed, request, perSecond);
        });
    }

    /** The first request of each server after it was restarted with an empty page cache, in milliseconds; else NaN. */
    public Pair cold(Load.Request request) throws IOException, InterruptedException {
        double[] ownMillis = new double[Turns.COUNT];
        double[] peerMillis = new double[peer == null ? 0 : Turns.COUNT];
        for (int turn = 0; turn < Turns.COUNT; turn++) {
            ownMillis[turn] = coldMillis(own, request);
            if (peer != null) {
                peerMillis[turn] = coldMillis(peer, request);
            }
        }
        return Pair.of(ownMillis, peerMillis);
    }

    /** Mapped files are cached as long as a process maps them, so the server must be down when the cache is dropped. */
    private static double coldMillis(Side side, Load.Request request) throws IOException, InterruptedException {
        side.close();
        boolean dropped = PageCache.drop();
        side.restart();
        return dropped ? side.millis(request) : Double.NaN;
    }

    private Outcomes inTurns(Turns.Turn<Side, Load.Outcome> turn) throws IOException, InterruptedException {
        List<List<Load.Outcome>> turns = Turns.of(sides(), seconds, seconds / 2, seed, turn);
        return new Outcomes(turns.get(0), peer == null ? List.of() : turns.get(1));
    }
}
