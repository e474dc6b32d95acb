package org.alder.partition.jdbm.layer;

import java.util.List;
import java.util.function.UnaryOperator;
import org.alder.partition.entry.EntryProbe;
import org.alder.partition.entry.StoredName;
import org.alder.partition.id.IdSet;
import org.alder.partition.store.KeyRange;

/**
 * Adjacent layers read as one, as of one commit sequence number: what a snapshot reads, and what a merge of segments writes.
 * Thread safe as its layers are; it owns nothing, so whoever makes it keeps the layers alive while it is used.
 *
 * <p>A stack is <em>whole</em> if nothing lies below its oldest layer. It then shows no deleted entries and no removed IDs, and
 * leaves out keys whose set is empty. A <em>slice</em> keeps them, because the layers below still hold what they undo.
 */
public final class LayerStack implements SegmentSource {
    private final Layer[] layers;
    private final long sequence;
    private final boolean whole;
    private final boolean remembers;
    /** Null where none is remembered. */
    private volatile Found last;

    private record Found(long id, EntryVersion version) {
    }

    private LayerStack(Layer[] oldestFirst, long sequence, boolean whole, boolean remembers) {
        this.layers = oldestFirst;
        this.sequence = sequence;
        this.whole = whole;
        this.remembers = remembers;
    }

    private LayerStack(List<? extends Layer> oldestFirst, long sequence, boolean whole) {
        this(oldestFirst.toArray(new Layer[0]), sequence, whole, false);
    }

    /** A stack with nothing below it. No layers at all is an empty state. */
    public static LayerStack whole(List<? extends Layer> oldestFirst, long sequence) {
        return new LayerStack(oldestFirst, sequence, true);
    }

    /** A stack with layers below it. */
    public static LayerStack slice(List<? extends Layer> oldestFirst, long sequence) {
        return new LayerStack(oldestFirst, sequence, false);
    }

    /** The same layers, of which the last entry that was asked for is remembered: for one transaction, during which nothing is applied to them. */
    public LayerStack remembering() {
        return new LayerStack(layers, sequence, whole, true);
    }

    /** What the stack knows of the entry; null where it knows nothing, and in a whole stack also where the entry is deleted. */
    public EntryVersion entry(long id) {
        Found known = last;
        if (known != null && known.id == id) {
            return known.version;
        }
        EntryVersion found = find(id);
        if (remembers) {
            last = new Found(id, found);
        }
        return found;
    }

    private EntryVersion find(long id) {
        for (int i = layers.length - 1; i >= 0; i--) {
            EntryVersion version = layers[i].entry(id, sequence);
            if (version != null) {
                return whole && version.isDeleted() ? null : version;
            }
        }
        return null;
    }

    /** The entry's name where {@link #entry} knows one; {@link EntryFinder#DELETED} where it says that the entry is deleted. */
    public StoredName name(long id) {
        for (int i = layers.length - 1; i >= 0; i--) {
            StoredName name = layers[i].name(id, sequence);
            if (name != null) {
                return whole && name == EntryFinder.DELETED ? null : name;
            }
        }
        return null;
    }

    /** Answers as {@link #entry} and {@link #name} do, for the entries of the set. One thread at a time. */
    public EntryFinder finder(IdSet expected) {
        EntryFinder[] finders = new EntryFinder[layers.length];
        for (int i = 0; i < layers.length; i++) {
            finders[i] = layers[i].finder(sequence, expected);
        }
        return new Newest(finders);
    }

    private final class Newest implements EntryFinder {
        private final EntryFinder[] finders;

        Newest(EntryFinder[] finders) {
            this.finders = finders;
        }

        @Override
        public EntryVersion entry(long id) {
            for (int i = finders.length - 1; i >= 0; i--) {
                EntryVersion version = finders[i].entry(id);
                if (version != null) {
                    return whole && version.isDeleted() ? null : version;
                }
            }
            return null;
        }

        @Override
        public Answer test(long id, EntryProbe probe) {
            for (int i = finders.length - 1; i >= 0; i--) {
                Answer answer = finders[i].test(id, probe);
                if (answer != Answer.UNKNOWN) {
                    return answer;
                }
            }
            return Answer.UNKNOWN;
        }

        @Override
        public StoredName name(long id) {
            for (int i = finders.length - 1; i >= 0; i--) {
                StoredName name = finders[i].name(id);
                if (name != null) {
                    return whole && name == DELETED ? null : name;
                }
            }
            return null;
        }
    }

    /** The folded change of the key's set. In a whole stack {@code added()} is the set itself. */
    public IdSetDelta ids(int index, byte[] key) {
        return fold(index, key, delta -> delta);
    }

    /** The same of some entries alone. The layers' sets are made smaller before they are folded, which touches them whole. */
    public IdSetDelta ids(int index, byte[] key, IdSet among) {
        return fold(index, key, delta -> delta.among(among));
    }

    /** From the newest down, so that only the last fold touches the oldest layer's set, which is mostly the largest. */
    private IdSetDelta fold(int index, byte[] key, UnaryOperator<IdSetDelta> part) {
        IdSetDelta folded = IdSetDelta.EMPTY;
        for (int i = layers.length - 1; i >= 0; i--) {
            folded = IdSetDelta.fold(part.apply(layers[i].ids(index, key, sequence)), folded);
        }
        return folded;
    }

    /** The size of {@link #ids} without reading the sets: exact deltas add up. */
    public long netCardinality(int index, byte[] key) {
        long net = 0;
        for (Layer layer : layers) {
            net += layer.netCardinality(index, key, sequence);
        }
        return net;
    }

    /** The keys of the index that are in the range. */
    public KeyDeltaCursor keys(int index, KeyRange range) {
        KeyDeltaCursor[] cursors = new KeyDeltaCursor[layers.length];
        for (int i = 0; i < layers.length; i++) {
            cursors[i] = layers[i].keys(index, range, sequence);
        }
        return new FoldingKeyCursor(cursors, range, whole);
    }

    /** The entries from the given ID inclusive. */
    public EntryVersionCursor entries(long fromId) {
        EntryVersionCursor[] cursors = new EntryVersionCursor[layers.length];
        for (int i = 0; i < layers.length; i++) {
            cursors[i] = layers[i].entries(fromId, sequence);
        }
        return new NewestEntryCursor(cursors, whole);
    }

    @Override
    public KeyDeltaCursor keys(int index) {
        return keys(index, KeyRange.ALL);
    }

    @Override
    public EntryVersionCursor entries() {
        return entries(0);
    }
}
