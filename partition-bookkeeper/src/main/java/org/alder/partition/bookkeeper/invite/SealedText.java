package org.alder.partition.bookkeeper.invite;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import org.alder.partition.error.StoreException;

/**
 * What a new member is to get, sealed with AES-GCM under the key of its token, with the time at which it ends (docs/format/invitation.md; do not change
 * without a new version). Each key seals once. Stateless.
 */
final class SealedText {
    /** Of all that is sealed: files of at most 64 KiB, of which the largest is that of the cluster. */
    static final int MOST_BYTES = 200 << 10;
    private static final int VERSION = 1;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final int HEAD_BYTES = 1 + Long.BYTES;
    private static final int LEAST_BYTES = HEAD_BYTES + NONCE_BYTES + TAG_BITS / Byte.SIZE;
    private static final byte[] PURPOSE = "alder-invitation 1".getBytes(StandardCharsets.US_ASCII);

    private SealedText() {
    }

    /** @throws StoreException of kind TOO_LARGE */
    static byte[] seal(JoinToken token, Instant ends, byte[] text) {
        if (text.length > MOST_BYTES) {
            throw new StoreException(StoreException.Kind.TOO_LARGE, "the files of the new member have " + text.length + " bytes together, more than "
                    + MOST_BYTES + ", which an invitation may have");
        }
        byte[] head = ByteBuffer.allocate(HEAD_BYTES).put((byte) VERSION).putLong(ends.getEpochSecond()).array();
        byte[] nonce = JoinToken.randomBytes(NONCE_BYTES);
        try {
            byte[] sealed = cipher(Cipher.ENCRYPT_MODE, token, head, nonce).doFinal(text);
            return ByteBuffer.allocate(HEAD_BYTES + NONCE_BYTES + sealed.length).put(head).put(nonce).put(sealed).array();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no AES-GCM", e);
        }
    }

    /**
     * @throws StoreException of kind REFUSED where it is not what was sealed for this token, to the last bit, or has ended
     */
    static byte[] open(JoinToken token, byte[] sealed, Instant now) {
        requireWhole(sealed);
        byte[] head = Arrays.copyOf(sealed, HEAD_BYTES);
        byte[] nonce = Arrays.copyOfRange(sealed, HEAD_BYTES, HEAD_BYTES + NONCE_BYTES);
        byte[] text;
        try {
            text = cipher(Cipher.DECRYPT_MODE, token, head, nonce).doFinal(sealed, HEAD_BYTES + NONCE_BYTES, sealed.length - HEAD_BYTES - NONCE_BYTES);
        } catch (AEADBadTagException e) {
            throw new StoreException(StoreException.Kind.REFUSED, "what the server gave was not sealed for this token: it was changed on the way, or that "
                    + "is no member of the cluster", e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no AES-GCM", e);
        }
        if (!now.isBefore(ends(sealed))) {
            throw new StoreException(StoreException.Kind.REFUSED, "the invitation has ended at " + ends(sealed) + "; the clock of this machine says " + now);
        }
        return text;
    }

    /** Until when it may be given out. What is sealed says it, so nobody can change it unnoticed. */
    static Instant ends(byte[] sealed) {
        requireWhole(sealed);
        return Instant.ofEpochSecond(ByteBuffer.wrap(sealed).getLong(1));
    }

    private static void requireWhole(byte[] sealed) {
        if (sealed.length < LEAST_BYTES || sealed.length > MOST_BYTES + LEAST_BYTES || sealed[0] != VERSION) {
            throw new StoreException(StoreException.Kind.REFUSED, "what is to be an invitation has " + sealed.length + " bytes and version "
                    + (sealed.length == 0 ? "none" : sealed[0]) + "; expected " + LEAST_BYTES + " to " + (MOST_BYTES + LEAST_BYTES) + " bytes of version " + VERSION);
        }
        long seconds = ByteBuffer.wrap(sealed).getLong(1);
        if (seconds < 0 || seconds > Instant.MAX.getEpochSecond()) {
            throw new StoreException(StoreException.Kind.REFUSED, "what is to be an invitation ends at no time there is: " + seconds);
        }
    }

    private static Cipher cipher(int mode, JoinToken token, byte[] head, byte[] nonce) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, token.key(), new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(PURPOSE);
        cipher.updateAAD(token.id());
        cipher.updateAAD(head);
        return cipher;
    }
}
