package org.alder.partition.dn;

import org.alder.partition.error.DirectoryException;
import org.alder.partition.schema.Schema;

/** A distinguished name (RFC 4514). Immutable, thread safe; equal if the normal forms are. */
public final class Dn {
    /** The zero-length DN. */
    public static final Dn ROOT = new Dn();

    private Dn() {
    }

    /** @throws DirectoryException invalidDNSyntax; the message names the offset */
    public static Dn parse(Schema schema, String text) throws DirectoryException {
        throw new UnsupportedOperationException();
    }

    /** As it was spelt. */
    public String text() {
        throw new UnsupportedOperationException();
    }

    /** The number of RDNs. */
    public int size() {
        throw new UnsupportedOperationException();
    }

    public boolean isRoot() {
        throw new UnsupportedOperationException();
    }

    /** The leaf's RDN. @throws IndexOutOfBoundsException if this is the root */
    public Rdn rdn() {
        return rdn(0);
    }

    /** @param fromLeaf 0 is the leaf, {@code size() - 1} the topmost RDN */
    public Rdn rdn(int fromLeaf) {
        throw new UnsupportedOperationException();
    }

    /** @throws IllegalStateException if this is the root */
    public Dn parent() {
        throw new UnsupportedOperationException();
    }

    public Dn child(Rdn rdn) {
        throw new UnsupportedOperationException();
    }

    public boolean isDescendantOrSelf(Dn ancestor) {
        throw new UnsupportedOperationException();
    }

    /** This DN with the base it is under replaced. @throws IllegalArgumentException if this is not under {@code oldBase} */
    public Dn rebase(Dn oldBase, Dn newBase) {
        throw new UnsupportedOperationException();
    }

    /** The RDNs' normal forms from the root down, each after its length, so that an ancestor is a prefix. Shared, not to be changed. */
    public byte[] normalized() {
        throw new UnsupportedOperationException();
    }
}
