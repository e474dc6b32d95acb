package org.alder.ldif.bulk;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The first 96 bits of the SHA-256 of a normalised DN, which no two DNs of a directory share. */
record DnHash(long high, int low) {
    static MessageDigest newDigest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** @param digest one that {@link #newDigest} made, for the use of one thread */
    static DnHash of(MessageDigest digest, byte[] normalizedDn, int length) {
        digest.update(normalizedDn, 0, length);
        ByteBuffer hash = ByteBuffer.wrap(digest.digest());
        return new DnHash(hash.getLong(), hash.getInt());
    }
}
