package org.alder.server.auth.scheme;

import java.security.MessageDigest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;

/** Argon2 (RFC 9106) in the form of its reference implementation, as OpenLDAP keeps it; new ones are Argon2id. */
public record Argon2Scheme(String name) implements PasswordScheme {
    private static final Pattern FORM = Pattern.compile(
            "\\$argon2(id|i|d)(?:\\$v=([0-9]{1,3}))?\\$m=([0-9]{1,9}),t=([0-9]{1,9}),p=([0-9]{1,3})\\$([A-Za-z0-9+/]+)\\$([A-Za-z0-9+/]+)");
    private static final int SALT_BYTES = 16;
    private static final int KEY_BYTES = 32;
    private static final int LEAST_KEY_BYTES = 12;
    private static final int MOST_KEY_BYTES = 1024;
    /** About the time of one pass over one KiB. */
    private static final int KIBIBYTE_NANOS = 1000;

    /** The value to store for a new password. */
    public byte[] encode(byte[] password, Argon2Cost cost) {
        byte[] salt = HashText.salt(SALT_BYTES);
        byte[] key = new byte[KEY_BYTES];
        HashMemory.with(cost.kibibytes(), () -> {
            derive(parameters(Argon2Parameters.ARGON2_id, Argon2Parameters.ARGON2_VERSION_13, cost, salt), password, key);
            return true;
        });
        return HashText.ascii("{" + name + "}$argon2id$v=19$m=" + cost.kibibytes() + ",t=" + cost.passes() + ",p=" + cost.lanes() + "$"
                + HashText.unpadded(salt) + "$" + HashText.unpadded(key));
    }

    @Override
    public PasswordHash read(byte[] encoded) {
        Matcher form = FORM.matcher(HashText.text(encoded));
        if (!form.matches()) {
            return null;
        }
        int type = switch (form.group(1)) {
            case "id" -> Argon2Parameters.ARGON2_id;
            case "i" -> Argon2Parameters.ARGON2_i;
            default -> Argon2Parameters.ARGON2_d;
        };
        int version = form.group(2) == null ? Argon2Parameters.ARGON2_VERSION_10 : Integer.parseInt(form.group(2));
        Argon2Cost cost = new Argon2Cost(Integer.parseInt(form.group(3)), Integer.parseInt(form.group(4)),
                Integer.parseInt(form.group(5)));
        byte[] salt = HashText.decoded(form.group(6));
        byte[] key = HashText.decoded(form.group(7));
        boolean known = version == Argon2Parameters.ARGON2_VERSION_13 || version == Argon2Parameters.ARGON2_VERSION_10;
        if (!known || !cost.isPossible() || key.length < LEAST_KEY_BYTES || key.length > MOST_KEY_BYTES) {
            return null;
        }
        Argon2Parameters parameters = parameters(type, version, cost, salt);
        return PasswordHash.of(this, workNanos(cost), cost.kibibytes(), password -> {
            byte[] derived = new byte[key.length];
            derive(parameters, password, derived);
            return MessageDigest.isEqual(derived, key);
        });
    }

    private static double workNanos(Argon2Cost cost) {
        return (double) cost.kibibytes() * cost.passes() * KIBIBYTE_NANOS;
    }

    private static Argon2Parameters parameters(int type, int version, Argon2Cost cost, byte[] salt) {
        return new Argon2Parameters.Builder(type).withVersion(version).withMemoryAsKB(cost.kibibytes()).withIterations(cost.passes())
                .withParallelism(cost.lanes()).withSalt(salt).build();
    }

    private static void derive(Argon2Parameters parameters, byte[] password, byte[] key) {
        Argon2BytesGenerator generator = new Argon2BytesGenerator();
        generator.init(parameters);
        generator.generateBytes(password, key);
    }
}
