package org.alder.partition.memory;

import org.alder.partition.store.StoreEngine;
import org.alder.partition.testing.SystemRecordConformance;

/** The engine in memory keeps system records. */
public class MemorySystemRecordTest extends SystemRecordConformance {
    @Override
    protected StoreEngine engine() {
        return new MemoryEngine();
    }
}
