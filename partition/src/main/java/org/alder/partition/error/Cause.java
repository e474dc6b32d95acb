package org.alder.partition.error;

import java.util.concurrent.CompletionException;

/** What something failed with, wherever it was done. Stateless. */
public final class Cause {
    private Cause() {
    }

    /** What a future says it failed with, without what futures that hang on others put around it; null for null. */
    public static Throwable of(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
