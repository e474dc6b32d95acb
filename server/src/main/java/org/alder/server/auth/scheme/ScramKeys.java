package org.alder.server.auth.scheme;

import java.security.MessageDigest;

/**
 * The keys of SCRAM that a server keeps (RFC 5802 3). Immutable; the arrays are not copied.
 *
 * @param digest such as SHA256
 */
public record ScramKeys(String digest, int rounds, byte[] salt, byte[] storedKey, byte[] serverKey) {
    private static final byte[] CLIENT_KEY = HashText.ascii("Client Key");
    private static final byte[] SERVER_KEY = HashText.ascii("Server Key");

    public static ScramKeys derive(String digest, byte[] password, byte[] salt, int rounds) {
        byte[] prepared = SaslPrep.prepared(password);
        byte[] salted = Pbkdf2.derive(digest, prepared, salt, rounds, Pbkdf2.mac(digest, prepared).getMacLength());
        return new ScramKeys(digest, rounds, salt, hash(digest, Pbkdf2.mac(digest, salted).doFinal(CLIENT_KEY)),
                Pbkdf2.mac(digest, salted).doFinal(SERVER_KEY));
    }

    /** Whether this proof, of these messages, shows that the client knows the password (RFC 5802 3). */
    public boolean isProof(byte[] proof, byte[] authMessage) {
        byte[] signature = Pbkdf2.mac(digest, storedKey).doFinal(authMessage);
        if (proof.length != signature.length) {
            return false;
        }
        byte[] clientKey = new byte[proof.length];
        for (int i = 0; i < proof.length; i++) {
            clientKey[i] = (byte) (proof[i] ^ signature[i]);
        }
        return MessageDigest.isEqual(hash(digest, clientKey), storedKey);
    }

    public byte[] serverSignature(byte[] authMessage) {
        return Pbkdf2.mac(digest, serverKey).doFinal(authMessage);
    }

    static byte[] hash(String digest, byte[] bytes) {
        return Digests.of("SHA-" + digest.substring("SHA".length())).digest(bytes);
    }
}
