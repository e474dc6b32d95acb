package org.alder.partition.memory;

import org.alder.partition.store.StoreEngine;
import org.alder.partition.testing.StoreConformance;

/** The engine in memory keeps the contract. */
public class MemoryEngineTest extends StoreConformance {
    @Override
    protected StoreEngine engine() {
        return new MemoryEngine();
    }
}
