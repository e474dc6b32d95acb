package org.alder.server.auth;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.alder.server.auth.Passwords.Condition;
import org.alder.server.auth.scheme.Argon2Cost;
import org.alder.server.auth.scheme.HashText;
import org.alder.server.auth.scheme.ScramKeys;
import org.junit.Test;

/**
 * Hashes that other programs have made: slappasswd of OpenLDAP 2.5 with its modules, crypt(3) of libxcrypt 4.4, openssl passwd,
 * Python's hashlib (by the descriptions of OpenDJ's and Atlassian's forms), hashcat's example of 389's, RFC 7914 and RFC 7677.
 */
public class PasswordFormsTest {
    private static final PasswordSettings QUICK = PasswordSettings.STANDARD.withScheme(NewPasswordScheme.SSHA512)
            .withArgon2(new Argon2Cost(64, 1, 1)).withPbkdf2Rounds(4096);
    private static final List<String> OF_PASSWORD = List.of(
            "{SSHA}Nky9rgegzA78Q/TmpVUBcBYpeK3YpplD", "{SMD5}7YgHzCD8Yq2MfxP9/d5cHRX1vGY=",
            "{SHA224}1j3JGeIB17xMglYw0s8l/ck9Sy8NRnBtKQONAQ==", "{SSHA224}DP0q8dypZlXIuLX8wsrqRchm4PcYS4YFugPUSWFiY2Q=",
            "{SSHA256}jqL/8hfTPBDdXzRynVGMWn1VN+hwiBKN/FjfNS4/+L9CIw/m5NAm0g==",
            "{SSHA512}DDXpHOmyGcbr5h4xZgh1TB3bue4QtXFOiR5yjcAe1Y8KnPHFGDoTkIC8eJYfl49EwCCWjjaFAwTmll+7aw2RmlggIDCWlNZz",
            "{CRYPT}gCogu5jr3/dDY", "{CRYPT}abJnggxhB/yWI", "{CRYPT}$1$saltsalt$qjXMvbEw8oaL.CzflDtaK/",
            "{CRYPT}$apr1$saltsalt$yAAkm4libquA.ZWLHbSBq/",
            "{CRYPT}$5$saltsaltsaltsalt$WsFBeg1qQ90JL3VkUTuM7xVV/5njhLngIVm6ftSnBR2",
            "{CRYPT}$5$rounds=1000$short$G6a7kCgkpoq2XWVJNOVxq6CFUfO7mHOsayZj/hiCfo2",
            "{CRYPT}$6$saltsaltsaltsalt$bcXJ8qxwY5sQ4v8MTl.0B1jeZ0z0JlA9jjmbUoCJZ.1wYXiLTU.q2ILyrDJLm890lyfuF7sWAeli0yjOyFPkf0",
            "{CRYPT}$6$abcdefgh$yVfUwsw5T.JApa8POvClA1pQ5peiq97DUNyXCZN5IrF.BMSkiaLQ5kvpuEm/VQ1Tvh/KV2TcaWh8qinoW5dhA1",
            "{crypt}$6$rounds=10000$saltsaltsaltsalt$"
                    + "ven1Z5uj7RDawucOM1A67FJkxPT8ty925GjP2I3C1I1otSzw05mv4Y24JfAguQfbNUK9F68UUwzofnEXKC9xP/",
            "{CRYPT}$2a$05$abcdefghijklmnopqrstuuWG29KuyeAicPCJODk1zjyGvyQUU2awu",
            "{CRYPT}$2b$05$abcdefghijklmnopqrstuuWG29KuyeAicPCJODk1zjyGvyQUU2awu",
            "{CRYPT}$2y$04$abcdefghijklmnopqrstuughE8Ev8uGFaUgY2cNEySvxngrb/Jzdm",
            "{BCRYPT}$2b$05$abcdefghijklmnopqrstuuWG29KuyeAicPCJODk1zjyGvyQUU2awu",
            "{CRYPT}$7$CU..../....saltsaltsalt$vrTxXHfHumvNNxSQpVt.nlsYJ.EdIr.pJH..KQIj.M7",
            "{SCRYPT}$scrypt$ln=10,r=8,p=16$TmFDbA$"
                    + "/bq+HJ00cgB4VucZDQHp/nxq18vII3gw53N2Y0s3MWIurzDZLiKjiG/xCSedmDDaxyevuUqD7m2DYMvfoswGQA",
            "{PBKDF2}10000$vax2QqU4Nc.ZX6XCob5oHg$TbfsYsJLJh4wmkWZz4vS8TzuKTg",
            "{PBKDF2-SHA1}10000$.i3WsgFunH/LKC32/ZArDQ$aUbmVMYL8ZgBDElIclqxLuqkKcw",
            "{PBKDF2-SHA256}10000$88qO33XreivG41IVKcAu/A$Ov6edn/3LG6oZsdw/.v5AK2nciY8Tx8C5ud65aR8eug",
            "{PBKDF2-SHA512}10000$8Q/XidjG4p2kY3GJaKokcA$"
                    + "/aZZcMMnuXcI8YV81CtuBYnRTlc6N9giHccYPdLBT4Rvekb7TYi7FKsxHFBkXYAit8pr7sXQkOMt9OvDF6v1gg",
            "{PBKDF2}10000:GVtxoj/iMc6eWKz9f1563cdlJVIAAQIDBAUGBw==",
            "{PBKDF2-HMAC-SHA512}2000:"
                    + "5TPoonrzHQB14F2+ycds1XbOyfmrasdzvZbVTSbHbB3MzzlMPCbmK22K0eRz0Llq5ux0MCLlaAZxySNm/QkggwABAgMEBQYH",
            "{PKCS5S2}AAECAwQFBgcICQoLDA0OD44+L3PD62OQqBq7yBAcA0OwF6ev//tatl4TTwkJ3Mos",
            "{ARGON2}$argon2i$v=19$m=8192,t=2,p=2$CkvPdfvkMZYjlTXvJQvWwg$66I0mR+CfdabIO0vyGwdME1N/8zFscSpbiomPXIys/k",
            "{ARGON2}$argon2i$v=19$m=4096,t=3,p=1$6fKA+KlJ+BFrzwf/XYkDbA$rem+42ZWp7DpqiTq0kGzyLsiRBq9OVT+IzVtsQaIjPA");
    private static final String OF_389 = "{PBKDF2_SHA256}AAAgADkxMjM2NTIzMzgzMjQ3MjI4MDAwNTk5OTAyOTk4NDI2MjkyMzAzNjg0NjQwOTMxNjI3OTMzNjg0MDI0OTY5NTe5ULa"
            + "gRTYpLaUoeqJMg8x9W/DXu+9VTFaVhaYvebYrY+sOqn1ZMRnws22C1uAkiE2tFM8qN+xw5xe7OmCPZ203NuruK4oB33QlsKIEz4ppm0TR94JB9"
            + "PJx7lIQwFHD3FUNUNryj4jk6UYyJ4+V1Z9Ug/Iy/ylQBJgfs5ihzgxHYZrfp1wUCXFzlZG9mxmziPm8VFnAhaX4+FBAZvLAx33jpbKOwEg7Tmw"
            + "P2VJ8BNFLQRqwYdlqIjQlAhncXH+dqIF9VdM4MonAA0hx76bMvFTP7LF5VO1IqVmcuYz7YG9v4KKRjnvoUUqOj6okUBQTay3EzsdFVnUW1FemY"
            + "OccJd5q";
    private static final String SCRAM = "{SCRAM-SHA-256}4096,W22ZaJ0SNY7soEsUEjb6gQ==,"
            + "WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=,wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=";

    private final Passwords passwords = new Passwords(QUICK);

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private boolean matches(String password, String stored) {
        return passwords.verify(utf8(password), List.of(utf8(stored)));
    }

    @Test
    public void whatOthersHaveMadeVerifies() {
        for (String stored : OF_PASSWORD) {
            assertEquals(stored, Condition.USABLE, Passwords.report(utf8(stored)).condition());
            assertTrue(stored, matches("password", stored));
            assertFalse(stored, matches("passwore", stored));
            assertFalse(stored, matches("", stored));
            assertFalse(stored, matches(stored, stored));
        }
        assertTrue(matches("hashcat", OF_389));
        assertFalse(matches("password", OF_389));
        assertTrue(matches("pencil", SCRAM));
        assertFalse(matches("password", SCRAM));
        assertTrue(matches("p\u00e4ssw\u00f6rd", "{CRYPT}$6$saltsaltsaltsalt$"
                + "0OIGPDuiRPKNh88M0FmGG9U7BYCvo0nHRIKXtLm6h.s3IpT2dycI8djpM2Nhd7bEUCkEMhwvDfAYRqNrQ0Qc8/"));
    }

    /** crypt(3) reads a password to the first zero byte. */
    @Test
    public void aZeroByteEndsNoPassword() {
        for (String stored : OF_PASSWORD) {
            if (stored.startsWith("{CRYPT}$") || stored.startsWith("{BCRYPT}")) {
                assertFalse(stored, matches("password\0more", stored));
            }
        }
    }

    /** Each would keep a processor or the memory for hours. */
    @Test
    public void whatAServerCannotAffordIsNotEvenTried() {
        for (String stored : List.of("{PBKDF2-SHA256}999999999$88qO33XreivG41IVKcAu/A$Ov6edn/3LG6oZsdw/.v5AK2nciY8Tx8C5ud65aR8eug",
                "{PBKDF2-SHA256}2147483648$88qO33XreivG41IVKcAu/A$Ov6edn/3LG6oZsdw/.v5AK2nciY8Tx8C5ud65aR8eug",
                "{PBKDF2}999999999:VYjg0TbJG0tzB5bMzNnvWCWl8ZYAAQIDBAUGBw==",
                "{PBKDF2_SHA256}" + Base64.getEncoder().encodeToString(new byte[] {0x7F, -1, -1, -1}) + OF_389.substring(23),
                "{CRYPT}$6$rounds=999999999$saltsaltsaltsalt$" + "a".repeat(86), "{CRYPT}$5$rounds=999999999$s$" + "a".repeat(43),
                "{BCRYPT}$2b$31$abcdefghijklmnopqrstuuWG29KuyeAicPCJODk1zjyGvyQUU2awu",
                "{CRYPT}$7$zzzzzzzzzzzsaltsaltsalt$vrTxXHfHumvNNxSQpVt.nlsYJ.EdIr.pJH..KQIj.M7",
                "{SCRYPT}$scrypt$ln=29,r=8,p=1$TmFDbA$/bq+HJ00cgB4VucZDQHp/nxq18vII3gw53N2Y0s3MWI",
                "{ARGON2}$argon2id$v=19$m=4194304,t=1,p=1$6fKA+KlJ+BFrzwf/XYkDbA$rem+42ZWp7DpqiTq0kGzyLsiRBq9OVT+IzVtsQaIjPA",
                "{ARGON2}$argon2id$v=19$m=64,t=999999999,p=1$6fKA+KlJ+BFrzwf/XYkDbA$rem+42ZWp7DpqiTq0kGzyLsiRBq9OVT+IzVtsQaIjPA",
                "{SCRAM-SHA-256}999999999" + SCRAM.substring(19))) {
            assertEquals(stored, Condition.UNUSABLE, Passwords.report(utf8(stored)).condition());
            assertFalse(stored, matches("password", stored));
        }
    }

    @Test
    public void whatIsDamagedOrOfAnotherKindMatchesNothing() {
        for (String stored : List.of("{CRYPT}x", "{CRYPT}", "{CRYPT}$6$salt$hash",
                "{CRYPT}$y$j9T$abcdefghijklmnop$7asOTx5b6Exfl3myM6K0pLBn.I2hsEvu7G0F7NMfaO.",
                "{CRYPT}$md5$x$FS18KpKRLXBJuBHzYNJLq0", "{CRYPT}_J9..saltJW8FtKdEkNM", "{CRYPT}*", "{CRYPT}!!",
                "{CRYPT}$2b$03$" + "a".repeat(53),
                "{BCRYPT}", "{ARGON2}", "{ARGON2}$argon2id$v=19$m=1,t=1,p=1$AA$AA",
                "{ARGON2}$argon2id$v=18$m=64,t=1,p=1$AAAAAAAA$AAAAAAAAAAAAAAAAAAAA",
                "{ARGON2}$argon2id$v=19$m=64,t=1,p=255$AAAAAAAA$AAAAAAAAAAAAAAAAAAAA", "{PBKDF2-SHA512}1$a$b",
                "{PBKDF2-SHA512}", "{PBKDF2}0:AAAA",
                "{PBKDF2-SHA256}0$88qO33XreivG41IVKcAu/A$Ov6edn/3LG6oZsdw/.v5AK2nciY8Tx8C5ud65aR8eug", "{PBKDF2_SHA256}AAAA",
                "{PKCS5S2}AAAA",
                "{PBKDF2-SHA256}-5$88qO33XreivG41IVKcAu/A$Ov6edn/3LG6oZsdw/.v5AK2nciY8Tx8C5ud65aR8eug",
                "{SCRAM-SHA-256}4096,AAAA", "{SCRAM-SHA-256}4096,,,", "{SCRAM-SHA-512}" + SCRAM.substring(15))) {
            assertEquals(stored, Condition.UNUSABLE, Passwords.report(utf8(stored)).condition());
            assertFalse(stored, matches("password", stored));
            assertFalse(stored, matches(stored.substring(stored.indexOf('}') + 1), stored));
            assertFalse(stored, matches("", stored));
        }
    }

    @Test
    public void newPasswordsOfEachSchemeVerifyAndDiffer() {
        for (NewPasswordScheme scheme : NewPasswordScheme.values()) {
            Passwords of = new Passwords(QUICK.withScheme(scheme));
            for (String password : scheme == NewPasswordScheme.BCRYPT ? List.of("!summer") : List.of("secret", "!summer", "{SSHA}x", "*", "p\u00e4ssw\u00f6rd\u00a0x",
                "0123456789".repeat(7))) {
                byte[] stored = of.hashed(utf8(password));
                assertTrue(scheme + " " + password, of.verify(utf8(password), List.of(stored)));
                assertFalse(scheme + " " + password, of.verify(utf8("x" + password), List.of(stored)));
                if (scheme != NewPasswordScheme.KEEP) {
                    assertTrue(new String(stored, StandardCharsets.UTF_8).startsWith(scheme.braces()));
                    assertFalse("salted", Arrays.equals(stored, of.hashed(utf8(password))));
                    assertFalse(of.isWeak(stored));
                }
            }
        }
    }

    @Test
    public void aPasswordThatIsTooLongMatchesNothing() {
        String stored = new String(passwords.hashed(utf8("x".repeat(Passwords.MOST_BYTES))), StandardCharsets.US_ASCII);
        assertTrue(matches("x".repeat(Passwords.MOST_BYTES), stored));
        String longer = new String(passwords.hashed(utf8("x".repeat(Passwords.MOST_BYTES + 1))), StandardCharsets.US_ASCII);
        assertFalse(matches("x".repeat(Passwords.MOST_BYTES + 1), longer));
    }

    @Test
    public void weakIsWhatTakesLessThanTheUsualScheme() {
        Passwords usual = new Passwords(PasswordSettings.STANDARD);
        for (String weak : List.of("{SSHA}Nky9rgegzA78Q/TmpVUBcBYpeK3YpplD", "clear text", "{CRYPT}abJnggxhB/yWI",
                "{ARGON2}$argon2i$v=19$m=4096,t=3,p=1$6fKA+KlJ+BFrzwf/XYkDbA$rem+42ZWp7DpqiTq0kGzyLsiRBq9OVT+IzVtsQaIjPA",
                "{BCRYPT}$2b$05$abcdefghijklmnopqrstuuWG29KuyeAicPCJODk1zjyGvyQUU2awu", OF_389)) {
            assertTrue(weak, usual.isWeak(utf8(weak)));
        }
        for (String strong : List.of(SCRAM, "{BCRYPT}$2b$12$abcdefghijklmnopqrstuuWG29KuyeAicPCJODk1zjyGvyQUU2awu",
                "{ARGON2}$argon2id$v=19$m=19456,t=3,p=1$6fKA+KlJ+BFrzwf/XYkDbA$rem+42ZWp7DpqiTq0kGzyLsiRBq9OVT+IzVtsQaIjPA")) {
            assertFalse(strong, usual.isWeak(utf8(strong)));
        }
        Passwords scram = new Passwords(QUICK.withScheme(NewPasswordScheme.SCRAM_SHA256));
        assertFalse(scram.isWeak(utf8(SCRAM)));
        assertTrue("SCRAM cannot use it",
                scram.isWeak(utf8("{BCRYPT}$2b$12$abcdefghijklmnopqrstuuWG29KuyeAicPCJODk1zjyGvyQUU2awu")));
    }

    /** RFC 7677 3: user, pencil. */
    @Test
    public void theKeysOfScramAreThoseOfTheRfc() {
        ScramKeys keys = passwords.scramKeys("SHA256", "user", List.of(utf8("{SSHA}x"), utf8(SCRAM)));
        byte[] messages = utf8("n=user,r=rOprNGfwEbeRWgbNEkqO,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,"
                + "s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096,c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0");
        assertTrue(keys.isProof(Base64.getDecoder().decode("dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ="), messages));
        assertFalse(keys.isProof(Base64.getDecoder().decode("eHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ="), messages));
        assertFalse(keys.isProof(new byte[0], messages));
        assertEquals("6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=", HashText.base64(keys.serverSignature(messages)));
        assertEquals(64, passwords.scramKeys("SHA512", "user", List.of(utf8("clear text"))).storedKey().length);
    }

    /** Cyrus SASL, and so ldapsearch, gives up beyond. */
    @Test
    public void scramHasNoMoreRoundsThanClientsTake() {
        Passwords many = new Passwords(PasswordSettings.STANDARD.withScheme(NewPasswordScheme.SCRAM_SHA256));
        assertEquals(65536, many.scramKeys("SHA256", "user", List.of(many.hashed(utf8("secret")))).rounds());
        assertEquals(65536, many.scramKeys("SHA256", "nobody", List.of()).rounds());
    }

    @Test
    public void whoHasNoKeysForScramGetsTheSameSaltEachTime() {
        ScramKeys nobodys = passwords.scramKeys("SHA512", "nobody", List.of());
        assertArrayEquals(nobodys.salt(), passwords.scramKeys("SHA512", "nobody", List.of(utf8("{SSHA}x"), utf8(SCRAM))).salt());
        assertArrayEquals(nobodys.salt(), passwords.scramKeys("SHA512", "nobody", List.of(utf8("clear text"))).salt());
        assertFalse(Arrays.equals(nobodys.salt(), passwords.scramKeys("SHA512", "somebody", List.of()).salt()));
        assertFalse(nobodys.isProof(new byte[64], new byte[1]));
    }
}
