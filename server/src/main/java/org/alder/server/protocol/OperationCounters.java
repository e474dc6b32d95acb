package org.alder.server.protocol;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import org.alder.partition.error.ResultCode;
import org.alder.server.control.OperationKind;
import org.alder.server.resource.Counters;

/** Counts the operations that have ended, of each kind, and with each result. Thread safe. */
final class OperationCounters {
    private static final String GROUP = "operations/";

    private final Counters counters;
    private final Map<OperationKind, AtomicReferenceArray<LongAdder>> results = new EnumMap<>(OperationKind.class);
    private final Map<OperationKind, LongAdder> abandoned = new EnumMap<>(OperationKind.class);

    OperationCounters(Counters counters) {
        this.counters = counters;
        for (OperationKind kind : OperationKind.values()) {
            results.put(kind, new AtomicReferenceArray<>(ResultCode.values().length));
            abandoned.put(kind, counters.counter(group(kind), "alderAbandoned"));
        }
    }

    private static String group(OperationKind kind) {
        return GROUP + kind.words();
    }

    void ended(OperationKind kind, ResultCode code) {
        LongAdder counter = results.get(kind).get(code.ordinal());
        if (counter == null) {
            counter = counters.counter(group(kind), "alderResults", code.text());
            results.get(kind).set(code.ordinal(), counter);
        }
        counter.increment();
    }

    /** An operation ended without an answer, because its client did not want one any more. */
    void abandoned(OperationKind kind) {
        abandoned.get(kind).increment();
    }
}
