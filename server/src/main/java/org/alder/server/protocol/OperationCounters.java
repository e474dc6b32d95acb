package org.alder.server.protocol;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import org.alder.partition.error.ResultCode;
import org.alder.server.control.OperationKind;
import org.alder.server.resource.Counters;
import org.alder.server.resource.Latencies;

/** Counts the operations that have ended, of each kind, with each result, and by how long they took. Thread safe. */
final class OperationCounters {
    private static final String GROUP = "operations/";

    private final Counters counters;
    /** By the ordinal of the kind. */
    private final OfKind[] kinds = new OfKind[OperationKind.values().length];
    private final LongAdder unindexed;

    /** The counters of one kind. */
    private record OfKind(AtomicReferenceArray<LongAdder> results, LongAdder abandoned, LongAdder slow, Latencies latencies) {
    }

    OperationCounters(Counters counters) {
        this.counters = counters;
        this.unindexed = counters.counter(group(OperationKind.SEARCH), "alderUnindexedSearches");
        for (OperationKind kind : OperationKind.values()) {
            kinds[kind.ordinal()] = new OfKind(new AtomicReferenceArray<>(ResultCode.values().length), counters.counter(group(kind), "alderAbandoned"),
                    counters.counter(group(kind), "alderSlow"), counters.latencies(group(kind), "alderLatency"));
        }
    }

    private static String group(OperationKind kind) {
        return GROUP + kind.words();
    }

    /** @param code null if it ended without an answer, because its client did not want one any more */
    void ended(OperationKind kind, ResultCode code, long nanos, boolean isSlow) {
        OfKind counted = kinds[kind.ordinal()];
        if (code == null) {
            counted.abandoned.increment();
        } else {
            result(counted, kind, code).increment();
        }
        counted.latencies.add(nanos);
        if (isSlow) {
            counted.slow.increment();
        }
    }

    private LongAdder result(OfKind counted, OperationKind kind, ResultCode code) {
        LongAdder counter = counted.results.get(code.ordinal());
        if (counter == null) {
            counter = counters.counter(group(kind), "alderResults", code.text());
            counted.results.set(code.ordinal(), counter);
        }
        return counter;
    }

    /** A search looked at many entries, or took long, for want of an index. */
    void unindexed() {
        unindexed.increment();
    }
}
