package org.alder.ldif.bulk;

import org.alder.ldif.LdifEntry;
import org.alder.partition.dn.Dn;
import org.alder.partition.store.KeyedRecord;

/**
 * An entry after everything that needs no other entry.
 *
 * @param refusal why it cannot be loaded, or null; then the rest is null
 * @param hash    the hash of its own DN
 * @param parent  the hash of its parent's DN, null for the suffix entry
 */
record LoadEntry(LdifEntry source, String refusal, Dn dn, DnHash hash, DnHash parent, KeyedRecord keyed) {
    static LoadEntry refused(LdifEntry source, String reason) {
        return new LoadEntry(source, reason, null, null, null, null);
    }
}
