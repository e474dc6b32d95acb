package org.alder.server.auth;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The password schemes this server knows: the one place where they are registered. */
final class PasswordSchemes {
    static final PasswordScheme CLEAR_TEXT = new ClearTextScheme();
    /** What new passwords are stored in. */
    static final PasswordScheme PREFERRED = new DigestScheme("SSHA512", "SHA-512", true);

    private static final Map<String, PasswordScheme> BY_NAME = Stream.of(
            PREFERRED,
            new DigestScheme("SHA512", "SHA-512", false),
            new DigestScheme("SSHA384", "SHA-384", true),
            new DigestScheme("SHA384", "SHA-384", false),
            new DigestScheme("SSHA256", "SHA-256", true),
            new DigestScheme("SHA256", "SHA-256", false),
            new DigestScheme("SSHA", "SHA-1", true),
            new DigestScheme("SHA", "SHA-1", false),
            new DigestScheme("SMD5", "MD5", true),
            new DigestScheme("MD5", "MD5", false),
            CLEAR_TEXT).collect(Collectors.toUnmodifiableMap(PasswordScheme::name, scheme -> scheme));

    private PasswordSchemes() {
    }

    /** @param name in any case  @return null for one that this server does not know */
    static PasswordScheme named(String name) {
        return BY_NAME.get(name.toUpperCase(Locale.ROOT));
    }
}
