package org.alder.server.audit;

import java.time.Instant;

/**
 * One operation, and what it cost. Immutable.
 *
 * @param request who asked for what, and what came of it
 * @param search what answering it took, if it is a search; else null
 * @param queueMicros how long it waited for its turn, of the time that it took
 * @param requestBytes of the request
 * @param answerBytes that were sent, before TLS
 * @param values what may be shown of those that clients send
 */
public record AccessEvent(AuditEvent request, Search search, long queueMicros, long requestBytes, long answerBytes,
        ShownValues values) implements LoggedEvent {
    /**
     * What a search took.
     *
     * @param entries that were returned
     * @param examined entries that were looked at
     * @param isWalk whether all entries of a partition were candidates
     * @param indexes names of the attributes whose indexes were read, empty for none
     * @param unindexed names of the attributes whose values were looked up in entries for want of an index, empty for none
     */
    public record Search(long entries, long examined, boolean isWalk, String indexes, String unindexed) {
    }

    @Override
    public Instant time() {
        return request.time();
    }

    @Override
    public String kind() {
        return request.kind();
    }

    @Override
    public long bytes() {
        return request.bytes();
    }

    @Override
    public void write(AuditLine line) {
        request.write(line);
        line.number("queueMicros", queueMicros).number("requestBytes", requestBytes).number("answerBytes", answerBytes);
        if (search != null) {
            line.number("entries", search.entries).number("examined", search.examined)
                    .text("indexes", search.indexes.isEmpty() ? null : search.indexes)
                    .text("unindexed", search.unindexed.isEmpty() ? null : search.unindexed);
            if (search.isWalk) {
                line.flag("walk", true);
            }
        }
    }
}
