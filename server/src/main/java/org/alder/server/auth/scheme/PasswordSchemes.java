package org.alder.server.auth.scheme;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The password schemes this server knows: the one place where they are registered. */
public final class PasswordSchemes {
    public static final ClearTextScheme CLEAR_TEXT = new ClearTextScheme("CLEARTEXT");
    public static final DigestScheme SSHA512 = new DigestScheme("SSHA512", "SHA-512", true);
    public static final Argon2Scheme ARGON2 = new Argon2Scheme("ARGON2");
    public static final Pbkdf2Scheme PBKDF2_SHA512 = new Pbkdf2Scheme("PBKDF2-SHA512", "SHA512", 64, Pbkdf2Scheme.Form.TEXT);
    public static final CryptScheme BCRYPT = new CryptScheme("BCRYPT");
    private static final CryptScheme CRYPT = new CryptScheme("CRYPT");
    public static final ScramScheme SCRAM_SHA_256 = new ScramScheme("SCRAM-SHA-256", "SHA256", 32);
    public static final ScramScheme SCRAM_SHA_512 = new ScramScheme("SCRAM-SHA-512", "SHA512", 64);

    private static final Map<String, PasswordScheme> BY_NAME = Stream.of(
            ARGON2, BCRYPT, CRYPT, new CryptScheme("SCRYPT"),
            new Md5CryptScheme("APR1", "apr1", CRYPT), new Md5CryptScheme("BSDMD5", "1", CRYPT), new NetscapeScheme("NS-MTA-MD5"),
            SCRAM_SHA_256, SCRAM_SHA_512,
            // OpenLDAP and 389, OpenDJ; its later versions; 389's older form; ApacheDS
            new Pbkdf2Scheme("PBKDF2", "SHA1", 20, Pbkdf2Scheme.Form.TEXT),
            new Pbkdf2Scheme("PBKDF2-SHA1", "SHA1", 20, Pbkdf2Scheme.Form.TEXT),
            new Pbkdf2Scheme("PBKDF2-SHA256", "SHA256", 32, Pbkdf2Scheme.Form.TEXT),
            PBKDF2_SHA512,
            new Pbkdf2Scheme("PBKDF2-HMAC-SHA256", "SHA256", 32, Pbkdf2Scheme.Form.TEXT),
            new Pbkdf2Scheme("PBKDF2-HMAC-SHA512", "SHA512", 64, Pbkdf2Scheme.Form.TEXT),
            new Pbkdf2Scheme("PBKDF2_SHA256", "SHA256", 32, Pbkdf2Scheme.Form.OF_389),
            new Pbkdf2Scheme("PKCS5S2", "SHA1", 20, Pbkdf2Scheme.Form.PKCS5S2),
            SSHA512, new DigestScheme("SHA512", "SHA-512", false),
            new DigestScheme("SSHA384", "SHA-384", true), new DigestScheme("SHA384", "SHA-384", false),
            new DigestScheme("SSHA256", "SHA-256", true), new DigestScheme("SHA256", "SHA-256", false),
            new DigestScheme("SSHA224", "SHA-224", true), new DigestScheme("SHA224", "SHA-224", false),
            new DigestScheme("SSHA", "SHA-1", true), new DigestScheme("SHA", "SHA-1", false),
            new DigestScheme("SMD5", "MD5", true), new DigestScheme("MD5", "MD5", false),
            new Base64Scheme("BASE64"), CLEAR_TEXT, new ClearTextScheme("CLEAR"))
            .collect(Collectors.toUnmodifiableMap(PasswordScheme::name, scheme -> scheme));

    private PasswordSchemes() {
    }

    /** @param name in any case  @return null for one that this server does not know */
    static PasswordScheme named(String name) {
        return BY_NAME.get(name.toUpperCase(Locale.ROOT));
    }
}
