package org.alder.server.access;

import org.alder.partition.dn.Dn;
import org.alder.partition.entry.StoredName;
import org.alder.partition.filter.CandidateEntry;
import org.alder.partition.schema.Schema;

/**
 * The name of an entry that is asked for its place, or whose it is. Mostly that is decided by what siblings share, and the name is
 * never put together. One thread.
 */
final class EntryName {
    private final Schema schema;
    private final CandidateEntry entry;
    private final Siblings siblings;
    private Dn dn;

    /** Of an entry that may not be there. */
    EntryName(Dn dn) {
        this.schema = null;
        this.entry = null;
        this.siblings = null;
        this.dn = dn;
    }

    /** @param dn null if it is to be put together when it is asked for  @param siblings null if they are not known */
    EntryName(Schema schema, CandidateEntry entry, Dn dn, Siblings siblings) {
        this.schema = schema;
        this.entry = entry;
        this.siblings = siblings;
        this.dn = dn;
    }

    /** Null if only the name is known. */
    CandidateEntry entry() {
        return entry;
    }

    private Dn dn() {
        if (dn == null) {
            dn = Dn.stored(schema, entry.dn());
        }
        return dn;
    }

    /** @param rule the number of the rule whose place it is */
    boolean isIn(Place place, int rule) {
        if (siblings != null) {
            Boolean all = siblings.areIn(place, rule);
            if (all != null) {
                return all;
            }
        }
        return place.contains(dn());
    }

    boolean is(Asker who) {
        if (siblings == null) {
            return dn().equals(who.dn());
        }
        StoredName name = entry.name();
        return siblings.areOf(who) && !who.hasOtherRdn(name.buffer(), name.rdnOffset(), name.rdnLength())
                && dn().equals(who.dn());
    }
}
