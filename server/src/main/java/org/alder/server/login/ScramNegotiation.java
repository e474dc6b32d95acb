package org.alder.server.login;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.text.Utf8;
import org.alder.server.auth.scheme.HashText;
import org.alder.server.auth.scheme.ScramKeys;
import org.alder.server.directory.OperationContext;
import org.alder.server.wire.Peer;
import org.alder.server.wire.layer.ChannelBinding;

/**
 * One authentication by SCRAM (RFC 5802 5 to 7): the client's first message, ours with salt and rounds, the client's proof, and
 * ours. Nothing tells before the end whether there is such a user: who is nobody gets a salt too, the same each time.
 */
final class ScramNegotiation implements SaslNegotiation {
    /** Channel binding flag, authorization identity, and what is authenticated (RFC 5802 7). */
    private static final Pattern FIRST = Pattern.compile(
            "((?:p=([A-Za-z0-9.-]+)|n|y),(?:a=([^,]+))?,)(n=([^,]+),r=([\\x21-\\x7E&&[^,]]+)(?:,.*)?)");
    private static final Pattern FINAL = Pattern.compile(
            "(c=([A-Za-z0-9+/=]+),r=([\\x21-\\x7E&&[^,]]+)(?:,.*)?),p=([A-Za-z0-9+/=]+)");
    private static final int NONCE_BYTES = 18;

    private final Logins logins;
    private final OperationContext context;
    private final Peer peer;
    private final String digest;
    private final boolean plus;
    private Begun begun;

    ScramNegotiation(Logins logins, OperationContext context, Peer peer, String digest, boolean plus) {
        this.logins = logins;
        this.context = context;
        this.peer = peer;
        this.digest = digest;
        this.plus = plus;
    }

    /** What the second message is checked against. */
    private record Begun(String name, String authorizationId, byte[] channel, String messages, String nonce, ScramKeys keys) {
    }

    @Override
    public CompletableFuture<Step> respond(byte[] message) throws DirectoryException {
        String text = Utf8.decodeOrNull(message);
        if (text == null) {
            throw malformed("UTF-8");
        }
        return begun == null ? begin(text) : CompletableFuture.completedFuture(end(text));
    }

    private CompletableFuture<Step> begin(String text) throws DirectoryException {
        Matcher first = FIRST.matcher(text);
        if (!first.matches()) {
            throw malformed("n,,n=user,r=nonce");
        }
        String header = first.group(1);
        byte[] channel = channel(header, first.group(2));
        String name = name(first.group(5));
        String authorizationId = first.group(3) == null ? "" : name(first.group(3));
        return logins.scramKeys(context, digest, name).thenApply(keys -> {
            String nonce = first.group(6) + HashText.base64(HashText.salt(NONCE_BYTES));
            String ours = "r=" + nonce + ",s=" + HashText.base64(keys.salt()) + ",i=" + keys.rounds();
            begun = new Begun(name, authorizationId, channel, first.group(4) + "," + ours, nonce, keys);
            return Step.challenge(ours.getBytes(StandardCharsets.UTF_8));
        });
    }

    /** What the proof has to be bound to: the header, and the channel if the client asks for that (RFC 5802 6). */
    private byte[] channel(String header, String binding) throws DirectoryException {
        byte[] start = header.getBytes(StandardCharsets.UTF_8);
        if (plus != (binding != null)) {
            throw new DirectoryException(ResultCode.PROTOCOL_ERROR, "SCRAM: " + (plus ? "-PLUS needs a channel binding, p=TYPE"
                    : "a channel binding needs the mechanism -PLUS"));
        } else if (binding == null && header.startsWith("y") && ScramMechanism.canBind(peer)) {
            // The client could bind to the channel, and somebody made it believe that we could not.
            throw Logins.wrong();
        }
        byte[] data = new byte[0];
        if (binding != null) {
            data = Arrays.stream(ChannelBinding.values()).filter(type -> type.registeredName().equals(binding))
                    .findFirst().map(peer::channelBinding).orElse(null);
            if (data == null) {
                throw new DirectoryException(ResultCode.PROTOCOL_ERROR, "SCRAM: this connection has no channel binding of the type "
                        + binding);
            }
        }
        return HashText.joined(start, data);
    }

    private Step end(String text) throws DirectoryException {
        Matcher last = FINAL.matcher(text);
        if (!last.matches()) {
            throw malformed("c=channel,r=nonce,p=proof");
        }
        byte[] messages = (begun.messages + "," + last.group(1)).getBytes(StandardCharsets.UTF_8);
        boolean bound = MessageDigest.isEqual(decoded(last.group(2)), begun.channel);
        boolean proven = begun.keys.isProof(decoded(last.group(4)), messages);
        Dn dn = logins.user(begun.name);
        if (!bound || !last.group(3).equals(begun.nonce) || dn == null) {
            throw Logins.wrong();
        } else if (!proven) {
            throw logins.wrong(context, dn);
        }
        String signature = HashText.base64(begun.keys.serverSignature(messages));
        return new Step(logins.authorized(context, logins.right(context, dn), begun.authorizationId),
                ("v=" + signature).getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] decoded(String base64) throws DirectoryException {
        try {
            return Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            throw malformed("base 64");
        }
    }

    /** {@code =2C} is a comma and {@code =3D} an equals sign (RFC 5802 5.1). */
    private static String name(String text) throws DirectoryException {
        if (text.replace("=2C", "").replace("=3D", "").indexOf('=') >= 0) {
            throw malformed("=2C or =3D for a comma or an equals sign in a name");
        }
        byte[] name = text.replace("=2C", ",").replace("=3D", "=").getBytes(StandardCharsets.UTF_8);
        return Logins.text(name, 0, name.length);
    }

    private static DirectoryException malformed(String expected) {
        return new DirectoryException(ResultCode.PROTOCOL_ERROR, "SCRAM: expected " + expected + " (RFC 5802 7)");
    }
}
