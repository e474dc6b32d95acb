package org.alder.partition.dn;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.schema.Schema;
import org.alder.partition.testing.Requirement;
import org.alder.partition.testing.Seed;
import org.apache.directory.api.ldap.model.exception.LdapInvalidDnException;
import org.junit.Test;

/** Random names against the LDAP API's Dn, and random text against the promise of one kind of exception. */
public class DnRandomTest {
    private static final Schema SCHEMA = Schema.load(List.of());
    private static final String[] TYPES = {"cn", "CN", "commonName", "2.5.4.3", "ou", "o", "uid"};
    private static final String[] VALUES = {"a", "A", "b c", "B  c", "x\\,y", "x\\2Cy", "\u00e9", "\\C3\\A9",
        "\\ z", "p\\+q", "d=e", "\\#1"};

    private final long seed = Seed.of(DnRandomTest.class);
    private final Random random = new Random(seed);

    @Test
    @Requirement(rfc = 4514, section = "2, 3", text = "Random names are read as an independent parser reads them")
    public void agreesWithTheLdapApi() throws Exception {
        for (int i = 0; i < 5_000; i++) {
            String a = name();
            String b = random.nextInt(3) == 0 ? respell(a) : name();
            Dn ours = Dn.parse(SCHEMA, a);
            org.apache.directory.api.ldap.model.name.Dn theirs = new org.apache.directory.api.ldap.model.name.Dn(a);
            assertEquals(a, theirs.size(), ours.size());
            for (int level = 0; level < ours.size(); level++) {
                assertEquals(a, theirs.getRdn(level).getAva().getValue().getString(),
                        new String(ours.rdn(level).avas().get(0).value(), StandardCharsets.UTF_8));
            }
            assertEquals(a + " and " + b, key(a).equals(key(b)), ours.equals(Dn.parse(SCHEMA, b)));
            assertEquals(ours, Dn.parse(SCHEMA, ours.text()));
        }
    }

    /** An equality of the LDAP API's parse, with what schema and RFC 4518 do to these types and values applied by hand. */
    private static List<String> key(String dn) throws LdapInvalidDnException {
        List<String> key = new ArrayList<>();
        for (org.apache.directory.api.ldap.model.name.Rdn rdn : new org.apache.directory.api.ldap.model.name.Dn(dn).getRdns()) {
            String type = rdn.getType().toLowerCase(Locale.ROOT).replace("commonname", "cn").replace("2.5.4.3", "cn");
            key.add(type + '=' + rdn.getAva().getValue().getString().toLowerCase(Locale.ROOT).trim().replaceAll(" +", " "));
        }
        return key;
    }

    private String name() {
        List<String> rdns = new ArrayList<>();
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            rdns.add(TYPES[random.nextInt(TYPES.length)] + '=' + VALUES[random.nextInt(VALUES.length)]);
        }
        return String.join(random.nextBoolean() ? "," : ", ", rdns);
    }

    private static String respell(String name) {
        return name.replace("cn=", "2.5.4.3=").replace("b c", "B  c").replace("x\\,y", "x\\2Cy").replace("ou=", "OU=");
    }

    @Test
    public void noTextBreaksTheParser() {
        String alphabet = "cn=o,;+\\\"#<> aA0F4.\u00e9\ud83d\ude00\0'member";
        for (int i = 0; i < 100_000; i++) {
            StringBuilder text = new StringBuilder(random.nextBoolean() ? "cn=" : "");
            for (int length = random.nextInt(16); length > 0; length--) {
                text.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            assertParsesOrRefuses(text.toString());
        }
    }

    private static void assertParsesOrRefuses(String text) {
        try {
            Dn dn = Dn.parse(SCHEMA, text);
            assertEquals(dn, Dn.parse(SCHEMA, dn.text()));
            assertEquals(text, dn, dn.isRoot() ? Dn.ROOT : dn.parent().child(Rdn.parse(SCHEMA, dn.rdn().text())));
            assertNotNull(dn.normalized());
        } catch (DirectoryException e) {
            assertEquals(ResultCode.INVALID_DN_SYNTAX, e.resultCode());
        }
    }
}
