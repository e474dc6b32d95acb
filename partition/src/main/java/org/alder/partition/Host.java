package org.alder.partition;

import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** What updates of shards that wait for each other ask of the machine: time, threads and chance. The seam under which tests decide. Thread safe. */
public interface Host {
    /** The machine itself. */
    Host MACHINE = new Host() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public CompletableFuture<Void> pause(long millis) {
            return CompletableFuture.runAsync(() -> { }, CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS, DaemonThreads.MOMENTS));
        }

        @Override
        public void later(Runnable work) {
            DaemonThreads.MOMENTS.execute(work);
        }

        @Override
        public int random(int bound) {
            return ThreadLocalRandom.current().nextInt(bound);
        }

        @Override
        public UUID newId() {
            return UUID.randomUUID();
        }
    };

    /** Monotonic. */
    long nanoTime();

    /** Completes after so long a time. */
    CompletableFuture<Void> pause(long millis);

    /** Does something soon, on another thread. */
    void later(Runnable work);

    /** From 0 up to the bound, which is not among them. */
    int random(int bound);

    /** Another one each time, on whatever machine. */
    UUID newId();

    /** Completes, on another thread, when something has ended, however it did, or after a time. */
    default CompletableFuture<Void> await(CompletableFuture<?> end, long mostMillis) {
        CompletableFuture<Void> over = new CompletableFuture<>();
        end.whenComplete((value, fault) -> later(() -> over.complete(null)));
        pause(mostMillis).whenComplete((none, fault) -> over.complete(null));
        return over;
    }

    default long millisSince(long beganNanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanoTime() - beganNanos);
    }
}
