package org.alder.partition.bookkeeper.distant;

import java.net.ProtocolException;
import java.util.UUID;

/**
 * The head of a question about what a store shows, which a member asks one that holds it (docs/format/store-questions.md; do not change without a
 * new version). What follows depends on the kind. Immutable.
 *
 * @param log    the path of the log's znode, by which members know the store
 * @param reader who asks, for which states are kept open
 */
record StoreQuestion(Kind kind, String log, UUID reader) {
    /** [APPLICATION 5], primitive: no other question between members begins with it. */
    static final byte TAG = 0x45;
    private static final int VERSION = 1;
    private static final int MOST_LOG_CHARACTERS = 512;

    /** By their places: new ones come last. */
    enum Kind {
        /** The newest state, and that older ones are kept which are still read. */
        STATE,
        /** The entries with these IDs. */
        ENTRIES,
        /** The IDs under a key. */
        IDS,
        /** How many these are. */
        CARDINALITY,
        /** The keys of a range, with their IDs. */
        KEYS,
        /** All entries from an ID on. */
        WALK,
        /** What was changed since a commit. */
        CHANGES,
        /** That who waits for the newest state is answered now. */
        WAKE
    }

    static boolean isOne(byte[] question) {
        return question.length > 0 && question[0] == TAG;
    }

    /** What goes behind it is for the caller to write. */
    MessageWriter write() {
        return new MessageWriter().octet(TAG).octet(VERSION).octet(kind.ordinal()).text(log).longNumber(reader.getMostSignificantBits())
                .longNumber(reader.getLeastSignificantBits());
    }

    static StoreQuestion read(MessageReader in) throws ProtocolException {
        int tag = in.octet();
        int version = in.octet();
        if (tag != TAG || version != VERSION) {
            throw new ProtocolException("a question with the tag " + tag + " and version " + version + ", expected " + TAG + " and " + VERSION);
        }
        int kind = in.octet();
        if (kind >= Kind.values().length) {
            throw new ProtocolException("a question about a store of kind " + kind + ", which this build does not know");
        }
        String log = in.text();
        if (log.length() > MOST_LOG_CHARACTERS) {
            throw new ProtocolException("the name of a log with " + log.length() + " characters, expected at most " + MOST_LOG_CHARACTERS);
        }
        return new StoreQuestion(Kind.values()[kind], log, new UUID(in.longNumber(), in.longNumber()));
    }
}
