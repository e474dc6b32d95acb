package org.alder.partition.jdbm.simulation;

import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.alder.partition.Host;
import org.alder.partition.testing.Simulation;

/** Time, threads and chance of updates of shards, in a {@link Simulation}. */
final class SimulatedHost implements Host {
    private static final long MILLI = 1_000_000;

    private final Simulation simulation;
    private final SplittableRandom random;

    SimulatedHost(Simulation simulation) {
        this.simulation = simulation;
        this.random = simulation.random().split();
    }

    @Override
    public long nanoTime() {
        return simulation.now();
    }

    @Override
    public CompletableFuture<Void> pause(long millis) {
        CompletableFuture<Void> over = new CompletableFuture<>();
        simulation.start("pause", () -> {
            simulation.pause(millis * MILLI);
            over.complete(null);
        });
        return over;
    }

    @Override
    public void later(Runnable work) {
        simulation.start("later", work);
    }

    @Override
    public int random(int bound) {
        return random.nextInt(bound);
    }

    @Override
    public UUID newId() {
        return new UUID(random.nextLong(), random.nextLong());
    }
}
