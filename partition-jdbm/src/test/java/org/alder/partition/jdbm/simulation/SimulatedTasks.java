package org.alder.partition.jdbm.simulation;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import org.alder.partition.jdbm.task.Tasks;
import org.alder.partition.testing.Simulation;

/**
 * The tasks of a store in a {@link Simulation}. A task does not come to a step while it holds a monitor that another one may want:
 * that one would not get it, and could not give its turn away.
 */
final class SimulatedTasks implements Tasks {
    private final Simulation simulation;

    SimulatedTasks(Simulation simulation) {
        this.simulation = simulation;
    }

    @Override
    public Task start(String name, Runnable work) {
        // The folder's name is another one in each run.
        return simulation.start(name.substring(name.lastIndexOf('-') + 1), work)::join;
    }

    @Override
    public long nanoTime() {
        return simulation.now();
    }

    @Override
    public void waitOn(Object monitor, long nanos) throws InterruptedException {
        simulation.waitOn(monitor, nanos);
    }

    @Override
    public void wake(Object monitor) {
        simulation.wake(monitor);
    }

    @Override
    public <T> T take(BlockingQueue<T> queue) {
        simulation.await("waits for work", () -> !queue.isEmpty(), Long.MAX_VALUE);
        return queue.remove();
    }

    @Override
    public <T> T poll(BlockingQueue<T> queue, long nanos) {
        simulation.await("waits for work, for a time", () -> !queue.isEmpty(), nanos);
        return queue.poll();
    }

    @Override
    public <T> T join(CompletableFuture<T> future) {
        simulation.await("waits for an answer", future::isDone, Long.MAX_VALUE);
        return future.join();
    }

    @Override
    public void pause(long nanos) {
        simulation.pause(nanos);
    }
}
