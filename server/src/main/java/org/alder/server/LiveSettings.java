package org.alder.server;

import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.server.access.LimitPolicy;

/**
 * The settings of a server as they are now. Whoever holds to settings that may change while it runs is given them as a supplier, which
 * he asks when a request, a connection or a login begins; what he asks once, at the start, stays. Thread safe.
 */
public final class LiveSettings {
    private volatile State state;
    private volatile Follower follower = next -> Prepared.NOTHING;

    /** With what is derived of them once, not for each request. */
    private record State(ServerSettings settings, LimitPolicy.Configured limits, List<Dn> suffixes) {
    }

    /** Does what has to be done before others hold. */
    @FunctionalInterface
    interface Follower {
        /** @throws IOException if they cannot hold, and nothing has changed; the message says why */
        Prepared prepare(ServerSettings next) throws IOException;
    }

    /**
     * What was made ready: one of the two comes next.
     *
     * @param take   what begins from now on goes by it
     * @param giveUp all is as before
     */
    public record Prepared(Runnable take, Runnable giveUp) {
        /** Where nothing has to be done. */
        static final Prepared NOTHING = new Prepared(() -> { }, () -> { });
    }

    public LiveSettings(ServerSettings settings) {
        hold(settings);
    }

    public ServerSettings now() {
        return state.settings;
    }

    private void hold(ServerSettings settings) {
        State last = state;
        boolean samePartitions = last != null && last.settings.partitions() == settings.partitions();
        state = new State(settings, settings.limits().configured(),
                samePartitions ? last.suffixes : settings.partitions().stream().map(Partition::suffix).toList());
    }

    /** @param other is told from now on; one at most */
    void follow(Follower other) {
        follower = other;
    }

    /**
     * Makes others ready, after which they can be taken without fail. One at a time.
     *
     * @param settings of the same schema; of the same list of partitions, or another one that is open
     * @throws IOException if they cannot hold, such as those of an address that cannot be listened on; nothing has changed
     */
    public Prepared prepare(ServerSettings settings) throws IOException {
        Prepared prepared = follower.prepare(settings);
        return new Prepared(() -> {
            hold(settings);
            prepared.take.run();
        }, prepared.giveUp);
    }

    /** A part of them, as it is whenever it is asked for. */
    <T> Supplier<T> part(Function<ServerSettings, T> part) {
        return () -> part.apply(state.settings);
    }

    /** The same list as long as there are the same partitions. */
    Supplier<List<Dn>> suffixes() {
        return () -> state.suffixes;
    }

    Supplier<LimitPolicy.Configured> limits() {
        return () -> state.limits;
    }
}
