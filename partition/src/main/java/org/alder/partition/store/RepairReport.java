package org.alder.partition.store;

import java.util.List;

/**
 * What {@link StoreEngine#repair} did. Immutable.
 *
 * @param generation how often everything was replaced since the store was made, this time included
 * @param entries    of how many entries the keys were derived anew
 * @param indexes    the names of the indexes, in their order
 * @param replaced   what was wrong with the files, naming them; empty where only keys and entries did not agree
 */
public record RepairReport(long generation, long entries, List<String> indexes, List<String> replaced) {
    public RepairReport {
        indexes = List.copyOf(indexes);
        replaced = List.copyOf(replaced);
    }
}
