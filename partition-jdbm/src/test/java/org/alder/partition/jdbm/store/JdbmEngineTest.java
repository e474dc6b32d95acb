package org.alder.partition.jdbm.store;

import org.alder.partition.jdbm.settings.Durability;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.store.StoreEngine;
import org.alder.partition.testing.StoreConformance;

/** The engine on JDBM files keeps the contract. */
public class JdbmEngineTest extends StoreConformance {
    @Override
    protected StoreEngine engine() {
        return new JdbmEngine(StoreSettings.defaults().withDurability(Durability.NONE, 100).withChangeHistory(1 << 20));
    }
}
