package org.alder.partition.jdbm.store;

import org.alder.partition.store.Store;

/** A store whose settings may change while it is open. Thread safe. */
public interface TunedStore extends Store {
    /** Goes by the settings of an engine from now on, as far as an open store can. */
    void goBy(JdbmEngine engine);
}
