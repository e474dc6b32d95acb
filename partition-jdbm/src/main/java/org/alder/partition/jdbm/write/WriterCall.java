package org.alder.partition.jdbm.write;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/** What is done on the writer's thread, between groups. */
record WriterCall<T>(Callable<T> work, CompletableFuture<T> done) implements WriterQueue.Queued {
    void run() {
        try {
            done.complete(work.call());
        } catch (Exception | Error e) {
            done.completeExceptionally(e);
        }
    }

    @Override
    public void fail(Throwable cause) {
        done.completeExceptionally(cause);
    }
}
