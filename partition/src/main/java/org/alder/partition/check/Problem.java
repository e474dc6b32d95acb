package org.alder.partition.check;

/**
 * One thing a check found wrong. Immutable.
 *
 * @param entryId the entry it is about, 0 if none
 * @param dn the entry's DN as far as it can be told, empty if not
 * @param index the index it is about, empty if none
 * @param key the index key with bytes that are not printable as {@code \hh}, empty if none
 * @param detail what was found and what was expected
 */
public record Problem(Kind kind, long entryId, String dn, String index, String key, String detail) {
    /** What is wrong. */
    public enum Kind {
        /** An entry record that cannot be read, or holds what no record may. */
        BAD_RECORD,
        /** An entry's RDN is no RDN, or names a value the entry has not. */
        BAD_RDN,
        /** An entry whose parent does not exist. */
        MISSING_PARENT,
        /** Entries that are their own ancestors. */
        PARENT_CYCLE,
        /** Not exactly one entry without parent, or one with another RDN than the suffix. */
        WRONG_ROOT,
        /** Two entries with the same RDN under the same parent. */
        DUPLICATE_RDN,
        /** Two entries with the same entryUUID. */
        DUPLICATE_UUID,
        /** An entry is not in the set of a key it has. */
        MISSING_FROM_INDEX,
        /** A key's set holds an entry that has not the key or does not exist. */
        EXTRA_IN_INDEX,
        /** The set of entries with children is not what the parents in the records say. */
        WRONG_NON_LEAF,
        /** A key in the table of large attributes' values that is malformed, not the value's, or not its entry's alone. */
        BAD_VALUE,
        /** The values of a large attribute are not those that the entry's record says it has, or it lists no such attribute. */
        WRONG_VALUES,
        /** A number of IDs that is not the size of its set, or differs between two ways to read it. */
        WRONG_CARDINALITY,
        /** Keys or entries that do not come in strictly ascending order. */
        WRONG_ORDER,
        /** The store could not read on: what follows was not checked. */
        UNREADABLE
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(kind.toString());
        if (entryId != 0) {
            text.append(" entry ").append(entryId);
        }
        if (!dn.isEmpty()) {
            text.append(" \"").append(dn).append('"');
        }
        if (!index.isEmpty()) {
            text.append(" index ").append(index);
        }
        if (!key.isEmpty()) {
            text.append(" key ").append(key);
        }
        return text.append(": ").append(detail).toString();
    }
}
