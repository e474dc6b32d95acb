package org.alder.ldif.bulk;

import java.util.List;
import org.alder.ldif.LdifEntry;
import org.alder.partition.dn.Dn;
import org.alder.partition.dn.EntryName;
import org.alder.partition.store.KeyedRecord;

/**
 * An entry after everything that needs no other entry.
 *
 * @param refusal why it cannot be loaded, or null; then the rest is null, but for the DN where that alone is the reason
 * @param hash    the hash of its own DN
 * @param parent  the hash of its parent's DN, null for the suffix entry
 * @param name    what structure rules look at; null if there are none for it
 * @param unique  the values that no other entry may have
 */
record LoadEntry(LdifEntry source, String refusal, Dn dn, DnHash hash, DnHash parent,
        EntryName name, List<LoadedValues.Value> unique, KeyedRecord keyed) {
    static LoadEntry refused(LdifEntry source, String reason) {
        return new LoadEntry(source, reason, null, null, null, null, List.of(), null);
    }

    /** A good name that is not under the suffix. */
    static LoadEntry elsewhere(LdifEntry source, Dn dn, String reason) {
        return new LoadEntry(source, reason, dn, null, null, null, List.of(), null);
    }

    boolean isElsewhere() {
        return refusal != null && dn != null;
    }
}
