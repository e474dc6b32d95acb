package org.alder.server.auth;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.Locale;
import org.alder.server.auth.scheme.HashText;
import org.alder.server.auth.scheme.PasswordHash;
import org.alder.server.auth.scheme.Pbkdf2;
import org.alder.server.auth.scheme.ScramKeys;
import org.alder.server.auth.scheme.StoredPassword;

/**
 * Verifies passwords against stored userPassword values and makes new ones, on the caller's thread: for as long as a hash takes.
 * Thread safe.
 */
public final class Passwords {
    /** Nobody types a longer one, and some hashes take time that grows with it. */
    public static final int MOST_BYTES = 1024;
    /** The slow hashes of one entry that are tried; more would keep the server for too long. */
    static final int MOST_SLOW = 5;
    public static final int GENERATED_LENGTH = 16;
    /** Without the signs that are taken for one another. */
    private static final String GENERATED_ALPHABET = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
    private static final String GENERATED_SIGNS = "-_.+=";

    private final SecureRandom random = new SecureRandom();
    /** Makes the salts of names for which none is stored. */
    private final byte[] salts = HashText.salt(32);
    private final Supplier<PasswordSettings> settings;
    /** Made when it is needed first: it takes the time of a hash. */
    private PasswordHash nobodys;

    public Passwords(PasswordSettings settings) {
        this(() -> settings);
    }

    /** @param settings asked for each password */
    public Passwords(Supplier<PasswordSettings> settings) {
        this.settings = settings;
    }

    private synchronized PasswordHash nobodys() {
        if (nobodys == null) {
            nobodys = StoredPassword.stored(hashed(HashText.ascii(HashText.base64(HashText.salt(GENERATED_LENGTH))))).hash();
        }
        return nobodys;
    }

    /** Whether one of the values is this password. */
    public boolean verify(byte[] password, List<byte[]> stored) {
        return matching(password, stored) != null;
    }

    /**
     * The value that is this password, or null. Where there is none, it takes the time of one of the usual scheme, so that the
     * answer does not tell whether there is an entry.
     */
    public byte[] matching(byte[] password, List<byte[]> stored) {
        boolean isPossible = password.length <= MOST_BYTES;
        Tried tried = tried(password, isPossible ? stored : List.of());
        if (tried.found() == null && tried.workNanos() < nobodys().workNanos()) {
            nobodys().test().test(isPossible ? password : new byte[1]);
        }
        return tried.found();
    }

    /**
     * @param found the first value that is the password, or null
     * @param workNanos what was tried until then should take
     */
    private record Tried(byte[] found, long workNanos) {
    }

    /** Of an entry with many slow hashes only some are tried. */
    private static Tried tried(byte[] password, List<byte[]> stored) {
        long workNanos = 0;
        int slow = 0;
        for (byte[] value : stored) {
            PasswordHash hash = StoredPassword.stored(value).hash();
            if (hash != null && (hash.isQuick() || slow++ < MOST_SLOW)) {
                workNanos += hash.workNanos();
                if (hash.test().test(password)) {
                    return new Tried(value, workNanos);
                }
            }
        }
        return new Tried(null, workNanos);
    }

    /** The value that is this password without a doubt and without a hash, because it is stored in clear text; or null. */
    public byte[] matchingPlainly(byte[] password, List<byte[]> stored) {
        for (byte[] value : stored) {
            StoredPassword candidate = StoredPassword.stored(value);
            if (candidate.isClearText() && candidate.matches(password)) {
                return value;
            }
        }
        return null;
    }

    /**
     * What SCRAM with this digest, such as SHA256, needs of the first value that has it or is clear text. Where there is none, it is
     * something that nobody knows the password of, with the same salt for the same name each time.
     */
    public ScramKeys scramKeys(String digest, String name, List<byte[]> stored) {
        byte[] salt = Arrays.copyOf(Pbkdf2.mac(digest, salts).doFinal(name.getBytes(StandardCharsets.UTF_8)), GENERATED_LENGTH);
        for (byte[] value : stored) {
            StoredPassword candidate = StoredPassword.stored(value);
            ScramKeys keys = candidate.isClearText()
                    ? ScramKeys.derive(digest, candidate.encoded(), salt, settings().scramRounds()) : candidate.scramKeys();
            if (keys != null && keys.digest().equals(digest)) {
                return keys;
            }
        }
        return new ScramKeys(digest, settings().scramRounds(), salt, HashText.salt(salt.length), HashText.salt(salt.length));
    }

    /** Whether a stored value should be replaced by a new one of the same password. What SCRAM needs is kept. */
    public boolean isWeak(byte[] stored) {
        PasswordHash hash = StoredPassword.stored(stored).hash();
        if (hash == null || keepsClearText()) {
            return false;
        }
        boolean isOfScheme = hash.scheme() == settings().scheme().stored();
        boolean takesLess = hash.workNanos() < nobodys().workNanos();
        return isOfScheme || !settings().scheme().stored().isForScram() && !hash.scheme().isForScram() ? takesLess
                : settings().scheme().stored().isForScram();
    }

    /**
     * The stored value that is the password which a client gives in clear text; null if there is none, or what the client gives is
     * no clear text.
     */
    public byte[] storedFormOf(byte[] given, List<byte[]> stored) {
        StoredPassword meant = StoredPassword.given(given);
        return meant.isClearText() && meant.encoded().length <= MOST_BYTES ? tried(meant.encoded(), stored).found() : null;
    }

    /**
     * The value to store for one that a client gives: clear text is hashed. What comes in a scheme, known or not, and what says
     * that there is no password, stays as it is: it would become a password otherwise.
     */
    public byte[] toStored(byte[] given) {
        StoredPassword value = StoredPassword.given(given);
        return value.isClearText() ? hashed(value.encoded()) : given;
    }

    /** The value to store for this password, whatever it looks like. */
    public byte[] hashed(byte[] password) {
        return settings().scheme().encode(password, settings());
    }

    /** Whether storing passwords takes no time. */
    public boolean keepsClearText() {
        return settings().scheme() == NewPasswordScheme.KEEP;
    }

    /** Whether a value that a client gives is a password, and not a stored form of one. */
    public boolean isClearText(byte[] given) {
        return StoredPassword.given(given).isClearText();
    }

    /** The password that a client gives; null if what it gives is a stored form of one, or a lock. */
    public byte[] clearText(byte[] given) {
        StoredPassword value = StoredPassword.given(given);
        return value.isClearText() ? value.encoded() : null;
    }

    /** A value that is read as this password, whatever that looks like. */
    public static byte[] markedClearText(byte[] password) {
        return HashText.joined(HashText.ascii(NewPasswordScheme.KEEP.braces()), password);
    }

    /** Whether a value that a client gives lets nobody in, whatever is sent. */
    public boolean isLock(byte[] given) {
        return StoredPassword.given(given).isLocked();
    }

    /**
     * Whether this is one of the passwords that are stored in these values. Unlike {@link #verify} it tries more slow hashes than a
     * login does: the first ones, for as long as {@link PasswordHash#MOST_WORK_NANOS} says of one.
     */
    public boolean isAmong(byte[] password, List<byte[]> stored) {
        long workNanos = 0;
        for (byte[] value : stored) {
            PasswordHash hash = StoredPassword.stored(value).hash();
            workNanos += hash == null ? 0 : hash.workNanos();
            if (hash != null && workNanos <= PasswordHash.MOST_WORK_NANOS && hash.test().test(password)) {
                return true;
            }
        }
        return false;
    }

    /** What may go into the history of passwords, which has none in clear text; null for what never was a password. */
    public byte[] past(byte[] stored) {
        StoredPassword value = StoredPassword.stored(stored);
        return value.hash() == null ? null : value.isClearText() && !keepsClearText() ? hashed(value.encoded()) : stored;
    }

    public PasswordSettings settings() {
        return settings.get();
    }

    /** What can be said of a value that somebody else has stored. */
    public enum Condition { CLEAR_TEXT, USABLE, UNKNOWN_SCHEME, UNUSABLE, LOCKED }

    /** @param scheme the name between the braces, upper case; empty if there is none */
    public record Report(String scheme, Condition condition) {
    }

    /** What a stored value is: {@code UNUSABLE} is damaged, or would take more than a server can afford. */
    public static Report report(byte[] stored) {
        StoredPassword value = StoredPassword.stored(stored);
        String unknown = value.unknownScheme();
        if (value.isLocked()) {
            return new Report("", Condition.LOCKED);
        } else if (unknown != null) {
            return new Report(unknown.toUpperCase(Locale.ROOT), Condition.UNKNOWN_SCHEME);
        } else if (value.isClearText()) {
            return new Report("", Condition.CLEAR_TEXT);
        }
        return new Report(value.knownScheme(), value.hash() == null ? Condition.UNUSABLE : Condition.USABLE);
    }

    /** A new random password: of letters and digits, 16 of them have about 92 bits. */
    public byte[] generate(int length, boolean withSigns) {
        String alphabet = withSigns ? GENERATED_ALPHABET + GENERATED_SIGNS : GENERATED_ALPHABET;
        byte[] password = new byte[length];
        for (int i = 0; i < password.length; i++) {
            password[i] = (byte) alphabet.charAt(random.nextInt(alphabet.length()));
        }
        return password;
    }
}
