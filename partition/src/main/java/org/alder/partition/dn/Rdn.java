package org.alder.partition.dn;

import java.util.List;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.schema.Schema;

/** A relative distinguished name (RFC 4514). Immutable, thread safe; equal if the normal forms are. */
public final class Rdn {
    private Rdn() {
    }

    /** @throws DirectoryException invalidDNSyntax; the message names the offset */
    public static Rdn parse(Schema schema, String text) throws DirectoryException {
        throw new UnsupportedOperationException();
    }

    /** As it was spelt. */
    public String text() {
        throw new UnsupportedOperationException();
    }

    /** In the order they were spelt. */
    public List<Ava> avas() {
        throw new UnsupportedOperationException();
    }

    /** The key of docs/format/hierarchy.md. Shared, not to be changed. */
    public byte[] normalized() {
        throw new UnsupportedOperationException();
    }
}
