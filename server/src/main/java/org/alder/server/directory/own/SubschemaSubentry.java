package org.alder.server.directory.own;

import java.time.Instant;
import org.alder.partition.schema.Schema;

/**
 * The subschema subentry as it is now: made anew after each change of the schema. Its modifyTimestamp, by which clients tell
 * whether what they remember still holds, grows by a second at least with each change. Thread safe.
 */
public final class SubschemaSubentry {
    private final Schema schema;
    private final Instant loaded = Instant.now();
    private volatile State state;

    private record State(long version, Instant changed, ServerEntry entry) {
    }

    public SubschemaSubentry(Schema schema) {
        this.schema = schema;
        this.state = state(schema.version(), loaded);
    }

    private State state(long version, Instant changed) {
        return new State(version, changed, new ServerEntry(schema, Subschema.entry(schema, loaded, changed), true));
    }

    public ServerEntry entry() {
        State known = state;
        return known.version == schema.version() ? known.entry : renewed();
    }

    private synchronized ServerEntry renewed() {
        long version = schema.version();
        if (state.version != version) {
            Instant next = state.changed.plusSeconds(1);
            Instant now = Instant.now();
            state = state(version, now.isAfter(next) ? now : next);
        }
        return state.entry;
    }
}
