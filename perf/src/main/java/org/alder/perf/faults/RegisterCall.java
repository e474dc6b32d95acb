package org.alder.perf.faults;

/**
 * What a client has asked of one value, a register, and what it was told. Immutable.
 *
 * @param client       who asked
 * @param expected     of a comparison, what the value has to be before; null for none
 * @param value        what it is to be afterwards; null of a reading
 * @param invokedNanos before the request was sent
 * @param endedNanos   when the answer was there, or when the client gave up
 * @param seen         what the value was before, as far as the answer tells; null where it does not
 */
record RegisterCall(int client, Kind kind, String expected, String value, long invokedNanos, long endedNanos, Outcome outcome, String seen) {
    enum Kind {
        READ, WRITE, COMPARE_AND_WRITE
    }

    enum Outcome {
        /** Done, at one moment between the request and the answer. */
        DONE,
        /** Not done, because the value was not what was expected, at one moment between the request and the answer. */
        DIFFERS,
        /** Not done, for another reason. */
        REFUSED,
        /** Done or not, at any moment from the request on, also after the client gave up. */
        UNKNOWN
    }

    boolean isUnknown() {
        return outcome == Outcome.UNKNOWN;
    }

    /** Whether the value may be what it says at some time. */
    boolean mayWrite() {
        return kind != Kind.READ && (outcome == Outcome.DONE || isUnknown());
    }

    private String request() {
        return switch (kind) {
            case READ -> "read";
            case WRITE -> "write " + value;
            case COMPARE_AND_WRITE -> "write " + value + " where it is " + expected;
        };
    }

    @Override
    public String toString() {
        return "client " + client + " from " + invokedNanos / 1000 + " to " + (isUnknown() ? "?" : endedNanos / 1000) + " us: " + request() + ": "
                + outcome + (seen == null ? "" : ", was " + seen);
    }
}
