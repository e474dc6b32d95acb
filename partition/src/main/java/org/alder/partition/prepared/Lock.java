package org.alder.partition.prepared;

import java.nio.ByteBuffer;

/**
 * What only one transaction may be about to change: a branch, which is an entry directly below the suffix with all below it, or a value that only one
 * entry may have. Immutable.
 *
 * @param attribute the OID of the value's type; empty for a branch
 * @param form      the value's key in the index of the type, or the normal form of the branch's RDN; not to be changed
 */
public record Lock(String attribute, ByteBuffer form) {
    public static Lock branch(byte[] normalizedRdn) {
        return new Lock("", ByteBuffer.wrap(normalizedRdn));
    }

    public static Lock value(String oid, byte[] key) {
        return new Lock(oid, ByteBuffer.wrap(key));
    }

    public boolean isBranch() {
        return attribute.isEmpty();
    }

    byte[] formBytes() {
        byte[] bytes = new byte[form.remaining()];
        form.duplicate().get(bytes);
        return bytes;
    }
}
