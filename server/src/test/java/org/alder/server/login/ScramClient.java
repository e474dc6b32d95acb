package org.alder.server.login;

import static org.junit.Assert.assertEquals;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/** A client of SCRAM-SHA-256 by RFC 5802 that can also bind to another channel, or say another thing at last, than it should. */
public final class ScramClient {
    private final String user;
    private final String password;

    public ScramClient(String user, String password) {
        this.user = user;
        this.password = password;
    }

    /** Sends one message. */
    @FunctionalInterface
    public interface Server {
        /** @return what it answers */
        String answer(String message) throws Exception;
    }

    /** Checks the server's signature in the end. @param boundHeader the header that is proven, the same as the first in good faith */
    public void authenticate(String header, String boundHeader, byte[] binding, Server server) throws Exception {
        String bare = "n=" + user + ",r=abc";
        String first = server.answer(header + bare);
        String[] parts = first.split(",");
        byte[] salted = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256").generateSecret(new PBEKeySpec(password.toCharArray(),
                Base64.getDecoder().decode(parts[1].substring(2)), Integer.parseInt(parts[2].substring(2)), 256)).getEncoded();
        byte[] clientKey = hmac(salted, "Client Key");
        byte[] start = boundHeader.getBytes(StandardCharsets.UTF_8);
        byte[] channel = new byte[start.length + binding.length];
        System.arraycopy(start, 0, channel, 0, start.length);
        System.arraycopy(binding, 0, channel, start.length, binding.length);
        String last = "c=" + Base64.getEncoder().encodeToString(channel) + "," + parts[0];
        String messages = bare + "," + first + "," + last;
        byte[] proof = hmac(MessageDigest.getInstance("SHA-256").digest(clientKey), messages);
        for (int i = 0; i < proof.length; i++) {
            proof[i] ^= clientKey[i];
        }
        assertEquals("v=" + Base64.getEncoder().encodeToString(hmac(hmac(salted, "Server Key"), messages)),
                server.answer(last + ",p=" + Base64.getEncoder().encodeToString(proof)));
    }

    private static byte[] hmac(byte[] key, String text) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    }
}
