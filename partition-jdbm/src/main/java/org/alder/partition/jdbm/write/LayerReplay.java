package org.alder.partition.jdbm.write;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.log.LogGroup;
import org.alder.partition.jdbm.log.LogSource;
import org.alder.partition.jdbm.log.Operation;
import org.alder.partition.jdbm.memory.ChangeBuilder;
import org.alder.partition.jdbm.memory.MemoryLayer;
import org.alder.partition.jdbm.state.LayerSet;
import org.alder.partition.jdbm.state.LiveState;
import org.alder.partition.jdbm.state.StoreState;

/**
 * Makes the active memory layer anew from the log. A group that could not be written has been applied to the layer all the same,
 * unseen by readers; transactions to come must not build on it. Used by the writer's thread.
 */
final class LayerReplay {
    private final LiveState live;
    private boolean isNeeded;

    LayerReplay(LiveState live) {
        this.live = live;
    }

    /** The active layer holds what is not in the log, or may not be. */
    void need() {
        isNeeded = true;
    }

    boolean isNeeded() {
        return isNeeded;
    }

    /**
     * Puts a layer in the place of the active one that holds what was acknowledged since the newest frozen one, if that is needed. What the
     * log holds beyond that is left out.
     *
     * @param ifShort what to throw where the log does not show all of that
     */
    void runIfNeeded(LogSource log, StoreException.Kind ifShort) throws IOException {
        if (isNeeded) {
            live.replaceActive(run(log, ifShort), null);
            isNeeded = false;
        }
    }

    private MemoryLayer run(LogSource log, StoreException.Kind ifShort) throws IOException {
        StoreState state = live.acquire();
        try {
            MemoryLayer fresh = new MemoryLayer(state.layers().tables().specs().size(), state.layers().active().baseSequence());
            List<MemoryLayer> memory = new ArrayList<>(state.layers().frozen());
            memory.add(fresh);
            LayerSet layers = new LayerSet(state.layers().segments(), memory, state.layers().tables());
            try {
                log.replay(log.partOf(fresh.baseSequence() + 1), false, group -> apply(group, layers, state.sequence()));
            } finally {
                layers.release();
            }
            if (fresh.lastSequence() != state.sequence()) {
                throw new StoreException(ifShort, "the log ends at sequence " + fresh.lastSequence() + ", acknowledged was "
                        + state.sequence());
            }
            return fresh;
        } finally {
            state.layers().release();
        }
    }

    private static void apply(LogGroup group, LayerSet layers, long upTo) {
        long sequence = group.firstSequence();
        for (List<Operation> transaction : group.transactions()) {
            if (sequence > layers.active().lastSequence() && sequence <= upTo) {
                layers.active().apply(sequence, ChangeBuilder.build(transaction, layers.at(Long.MAX_VALUE), layers.indexer()));
            }
            sequence++;
        }
    }
}
