package org.alder.partition.jdbm.backup;

import java.time.Instant;
import org.alder.partition.jdbm.backup.BackupPoint.SavedStore;

/** Up to where a restore brings a store back. */
public sealed interface RestoreGoal {
    /** As a point has it. @param name null for the newest point */
    record Point(String name) implements RestoreGoal {
        @Override
        public String toString() {
            return name == null ? "the newest point" : "the point " + name;
        }
    }

    /** With all that was committed up to a moment, and nothing after it. */
    record At(Instant moment) implements RestoreGoal {
        @Override
        public String toString() {
            return moment.toString();
        }
    }

    /** With all commits up to this one. */
    record Change(long sequence) implements RestoreGoal {
        @Override
        public String toString() {
            return "change " + sequence;
        }
    }

    /** Whether the segments of a saved store hold nothing that is after this. */
    default boolean isNotBefore(SavedStore store) {
        if (this instanceof At at) {
            return store.baseTimeMillis() <= at.moment().toEpochMilli();
        }
        return !(this instanceof Change change) || store.baseSequence() <= change.sequence();
    }

    /** Whether a point was taken when all of this was over, so that a log which goes as far as the point goes far enough. */
    default boolean isReachedBy(BackupPoint point, SavedStore store) {
        if (this instanceof At at) {
            return !point.taken().isBefore(at.moment());
        }
        return !(this instanceof Change change) || store.sequence() >= change.sequence();
    }
}
