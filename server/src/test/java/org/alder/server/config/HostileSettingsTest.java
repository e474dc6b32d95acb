package org.alder.server.config;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ResultCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.alder.partition.testing.Await;
import org.alder.server.ConfiguredServer;
import org.alder.server.TestServer;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Every key is changed over LDAP to values that it was not made for: each is taken and can be taken back, or is refused and changes nothing. */
public class HostileSettingsTest {
    private static final int MOST_ANSWER_BYTES = 4000;
    private static final Set<ResultCode> REFUSALS = Set.of(ResultCode.INVALID_ATTRIBUTE_SYNTAX, ResultCode.CONSTRAINT_VIOLATION,
            ResultCode.UNWILLING_TO_PERFORM, ResultCode.ATTRIBUTE_OR_VALUE_EXISTS, ResultCode.ADMIN_LIMIT_EXCEEDED);
    private static final List<List<byte[]>> VALUES = values();

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final List<String> wrong = new ArrayList<>();
    private String homeBefore;
    private int taken;
    private int refused;

    /** Where the installation's schema is; tests run in their module's folder. */
    @Before
    public void enterHome() {
        homeBefore = System.getProperty("alder.home");
        System.setProperty("alder.home", "..");
    }

    @After
    public void leaveHome() {
        if (homeBefore == null) {
            System.clearProperty("alder.home");
        } else {
            System.setProperty("alder.home", homeBefore);
        }
    }

    private static List<List<byte[]>> values() {
        List<List<byte[]>> values = new ArrayList<>();
        for (String one : List.of("", " ", "-1", "0", "1", "-9223372036854775809", "9223372036854775807", "99999999999999999999999", "1e9", "0x10",
                "\u0663", "NaN", "101%", "8388608t", "none", "default", "true", "tru\u0435", "\u0000", "a\u0000b", "a\nsizeLimit: 1", "a\r\n\r\ndn: cn=x,cn=config",
                "../../../../../../nowhere/x", "/proc/self/mem", "*", "$(reboot)", "((((", "\u202e", "x".repeat(100_000))) {
            values.add(List.of(one.getBytes(StandardCharsets.UTF_8)));
        }
        values.add(List.of(new byte[] {(byte) 0xff, (byte) 0xfe}));
        values.add(List.of(new byte[] {(byte) 0xc0, (byte) 0x80}));
        values.add(List.of("1".getBytes(StandardCharsets.UTF_8), "2".getBytes(StandardCharsets.UTF_8)));
        values.add(List.of("uid".getBytes(StandardCharsets.UTF_8), "UID".getBytes(StandardCharsets.UTF_8)));
        return values;
    }

    private static String shown(List<byte[]> values) {
        String text = values.stream().map(value -> new String(value, StandardCharsets.UTF_8)).toList().toString();
        return text.length() > 60 ? text.substring(0, 60) + "..." : text;
    }

    private Path file() {
        return folder.getRoot().toPath().resolve("data/config.ldif");
    }

    /** Why the next start could not read the file; null if it can. */
    private String unreadable() throws IOException {
        try {
            ConfigurationReader.read(file());
            return null;
        } catch (ConfigurationException e) {
            return e.getMessage();
        }
    }

    private void undo(LDAPConnection admin, String what) {
        try {
            admin.modify("cn=config", new Modification(ModificationType.DELETE, "alderConfigurationChange"));
        } catch (LDAPException e) {
            wrong.add(what + " cannot be taken back: " + e.getMessage());
        }
    }

    private void change(LDAPConnection admin, String dn, Key<?> key, List<byte[]> values) throws Exception {
        byte[] before = Files.readAllBytes(file());
        String what = dn + " " + key + ": " + shown(values);
        Modification modification = new Modification(ModificationType.REPLACE, key.name(),
                values.stream().map(ASN1OctetString::new).toArray(ASN1OctetString[]::new));
        try {
            admin.modify(dn, modification);
            taken++;
            String unreadable = unreadable();
            if (unreadable != null) {
                wrong.add(what + " cannot be read any more: " + unreadable);
            }
            undo(admin, what);
        } catch (LDAPException e) {
            refused++;
            String message = String.valueOf(e.getDiagnosticMessage());
            boolean named = message.contains(key.name()) || message.contains("schema file " + shown(values).replaceAll("^\\[|]$", ""));
            if (!REFUSALS.contains(e.getResultCode()) || !named || message.length() > MOST_ANSWER_BYTES) {
                wrong.add(what + " -> " + e.getResultCode() + " " + (message.length() > 300 ? message.length() + " " + message.substring(0, 300) : message));
            }
        }
        assertArrayEquals((what + "\n" + String.join("\n", wrong)).replaceAll("[\\p{Cntrl}&&[^\n]]", "?"), before, Files.readAllBytes(file()));
    }

    @Test(timeout = Await.MILLIS)
    public void eachIsTakenAndTakenBackOrRefusedAndChangesNothing() throws Exception {
        String text = ConfiguredServer.SERVER + ConfiguredServer.PARTITION.replace("engine: memory\n", "index: uid eq\n");
        try (ConfiguredServer server = ConfiguredServer.start(folder.getRoot().toPath(), text); LDAPConnection admin = server.admin()) {
            admin.add("dn: " + TestServer.SUFFIX, "objectClass: domain", "dc: example");
            for (List<byte[]> values : VALUES) {
                for (Key<?> key : ServerKeys.all()) {
                    change(admin, "cn=config", key, values);
                }
                for (Key<?> key : PartitionKeys.all()) {
                    change(admin, "cn=first,cn=config", key, values);
                }
            }
            assertEquals(TestServer.SUFFIX, admin.getEntry(TestServer.SUFFIX).getDN());
            assertEquals(String.join("\n", wrong).replaceAll("[\\p{Cntrl}&&[^\n]]", "?"), 0, wrong.size());
            assertTrue(taken + " taken, " + refused + " refused", taken > 100 && refused > 1000);
        }
    }
}
