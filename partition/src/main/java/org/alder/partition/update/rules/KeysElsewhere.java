package org.alder.partition.update.rules;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.alder.partition.Partition;
import org.alder.partition.rule.UniqueRule;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.store.KeyRange;
import org.alder.partition.store.Snapshot;

/**
 * The keys of a rule's attributes in other shards, walked beside those of one shard: so that nothing is looked up there for a key that only one shard has, which
 * where another machine has the shard would take a message for each. One thread; to be closed.
 */
final class KeysElsewhere implements AutoCloseable {
    private final List<Walk> walks = new ArrayList<>();
    /** Whether the same value has the same key in all attributes. */
    private final boolean isSameForm;
    private final boolean isAnywhere;

    /** One index of one shard. */
    private static final class Walk implements AutoCloseable {
        private final Snapshot state;
        private final Snapshot.KeyCursor keys;
        private byte[] key;

        Walk(Partition shard, AttributeType type, KeyRange range) {
            state = shard.snapshot();
            boolean isOpen = false;
            try {
                keys = state.keys(shard.indexer().index(type).number(), range);
                isOpen = true;
            } finally {
                if (!isOpen) {
                    state.close();
                }
            }
            advance();
        }

        private void advance() {
            key = keys.next() ? keys.key() : null;
        }

        boolean has(byte[] wanted) {
            while (key != null && Arrays.compareUnsigned(key, wanted) < 0) {
                advance();
            }
            return key != null && Arrays.equals(key, wanted);
        }

        @Override
        public void close() {
            keys.close();
            state.close();
        }
    }

    /** @param range in which keys are asked for */
    KeysElsewhere(List<Partition> shards, UniqueRule rule, KeyRange range) {
        isAnywhere = !shards.isEmpty();
        isSameForm = rule.attributes().stream().map(AttributeType::equality).distinct().count() == 1;
        boolean isOpen = false;
        try {
            for (Partition shard : isSameForm ? shards : List.<Partition>of()) {
                for (AttributeType type : rule.attributes()) {
                    walks.add(new Walk(shard, type, range));
                }
            }
            isOpen = true;
        } finally {
            if (!isOpen) {
                close();
            }
        }
    }

    /** Whether another shard may have the key. @param key none is less than the one before */
    boolean has(byte[] key) {
        if (!isSameForm) {
            return isAnywhere;
        }
        boolean has = false;
        for (Walk each : walks) {
            has |= each.has(key);
        }
        return has;
    }

    @Override
    public void close() {
        walks.forEach(Walk::close);
    }
}
