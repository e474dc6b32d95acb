package org.alder.partition.update;

import org.alder.partition.dn.Dn;
import org.alder.partition.dn.Rdn;

/**
 * A modifyDN (RFC 4511 4.9). Immutable.
 *
 * @param deleteOldRdn whether the values of the old RDN leave the entry
 * @param newSuperior  the new parent's DN, or null to stay
 */
public record Renaming(Dn dn, Rdn newRdn, boolean deleteOldRdn, Dn newSuperior, UpdateOrigin origin) {
    /** Under which it is to be. */
    Dn superior() {
        return newSuperior == null ? dn.parent() : newSuperior;
    }

    public Dn newName() {
        return superior().child(newRdn);
    }
}
