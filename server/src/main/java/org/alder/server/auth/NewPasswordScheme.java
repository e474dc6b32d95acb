package org.alder.server.auth;

import org.alder.server.auth.scheme.CryptScheme;
import org.alder.server.auth.scheme.PasswordScheme;
import org.alder.server.auth.scheme.PasswordSchemes;
import org.alder.server.auth.scheme.StoredPassword;

/** What new passwords are stored in. */
public enum NewPasswordScheme {
    /** Argon2id, of the cost that the settings say. */
    ARGON2ID(PasswordSchemes.ARGON2) {
        @Override
        byte[] encode(byte[] password, PasswordSettings settings) {
            return PasswordSchemes.ARGON2.encode(password, settings.argon2());
        }
    },
    /** With rounds as the settings say. */
    PBKDF2_SHA512(PasswordSchemes.PBKDF2_SHA512) {
        @Override
        byte[] encode(byte[] password, PasswordSettings settings) {
            return PasswordSchemes.PBKDF2_SHA512.encode(password, settings.pbkdf2Rounds());
        }
    },
    /** Of cost 12; looks at 72 bytes of a password. */
    BCRYPT(PasswordSchemes.BCRYPT) {
        @Override
        byte[] encode(byte[] password, PasswordSettings settings) {
            return CryptScheme.bcrypt(PasswordSchemes.BCRYPT.name(), password, BCRYPT_COST);
        }
    },
    /** What SCRAM-SHA-256 needs, with rounds as the settings say. */
    SCRAM_SHA256(PasswordSchemes.SCRAM_SHA_256) {
        @Override
        byte[] encode(byte[] password, PasswordSettings settings) {
            return PasswordSchemes.SCRAM_SHA_256.encode(password, settings.scramRounds());
        }
    },
    /** What SCRAM-SHA-512 needs. */
    SCRAM_SHA512(PasswordSchemes.SCRAM_SHA_512) {
        @Override
        byte[] encode(byte[] password, PasswordSettings settings) {
            return PasswordSchemes.SCRAM_SHA_512.encode(password, settings.scramRounds());
        }
    },
    /** Fast, and as fast for those who guess. */
    SSHA512(PasswordSchemes.SSHA512) {
        @Override
        byte[] encode(byte[] password, PasswordSettings settings) {
            return PasswordSchemes.SSHA512.encode(password);
        }
    },
    /** As it comes, in clear text. */
    KEEP(PasswordSchemes.CLEAR_TEXT) {
        @Override
        byte[] encode(byte[] password, PasswordSettings settings) {
            return StoredPassword.stored(password).isClearText() ? password : Passwords.markedClearText(password);
        }
    };

    private static final int BCRYPT_COST = 12;

    private final PasswordScheme stored;

    NewPasswordScheme(PasswordScheme stored) {
        this.stored = stored;
    }

    /** The scheme of what is stored. */
    PasswordScheme stored() {
        return stored;
    }

    abstract byte[] encode(byte[] password, PasswordSettings settings);

    /** As it stands before what is stored. */
    public String braces() {
        return "{" + stored.name() + "}";
    }
}
