package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.ExtendedResult;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPResult;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ModifyRequest;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.controls.ProxiedAuthorizationV2RequestControl;
import com.unboundid.ldap.sdk.controls.TransactionSpecificationRequestControl;
import com.unboundid.ldap.sdk.experimental.DraftBeheraLDAPPasswordPolicy10ErrorType;
import com.unboundid.ldap.sdk.experimental.DraftBeheraLDAPPasswordPolicy10RequestControl;
import com.unboundid.ldap.sdk.experimental.DraftBeheraLDAPPasswordPolicy10ResponseControl;
import com.unboundid.ldap.sdk.extensions.EndTransactionExtendedRequest;
import com.unboundid.ldap.sdk.extensions.PasswordModifyExtendedRequest;
import com.unboundid.ldap.sdk.extensions.PasswordModifyExtendedResult;
import com.unboundid.ldap.sdk.extensions.StartTransactionExtendedRequest;
import com.unboundid.ldap.sdk.extensions.StartTransactionExtendedResult;
import com.unboundid.ldif.LDIFReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.alder.partition.testing.Await;
import org.alder.server.auth.NewPasswordScheme;
import org.alder.server.auth.PasswordSettings;
import org.alder.server.policy.PasswordPolicy;
import org.alder.server.policy.PasswordPolicy.Aging;
import org.alder.server.policy.PasswordPolicy.Change;
import org.alder.server.policy.PasswordPolicy.Lockout;
import org.alder.server.policy.PolicySettings;
import org.junit.Test;

/** What a password policy says of updates that set passwords, by whatever operation they come. */
public class PasswordPolicyUpdateTest {
    private static final String OLD = TestServer.USER_PASSWORD;
    private static final String GOOD = "Krokus-Zwiebel 7";
    private static final String BETTER = "Tulpen-Zwiebel 8";

    private static TestServer server(Change change) {
        PolicySettings policy = PolicySettings.STANDARD.withPolicy(new PasswordPolicy(null, change, Aging.NONE, Lockout.NONE));
        return new TestServer(settings -> settings.with(draft -> draft.passwordPolicy = policy));
    }

    private static Change quality(int quality, int least, int most) {
        return new Change(0, 0, quality, least, most, false, true, false);
    }

    private static Change history(int count) {
        return new Change(0, count, 0, 0, 0, false, true, false);
    }

    private static Modification replace(String password) {
        return new Modification(ModificationType.REPLACE, "userPassword", password);
    }

    private static Modification[] safely(String old, String password) {
        return new Modification[] {new Modification(ModificationType.DELETE, "userPassword", old),
                new Modification(ModificationType.ADD, "userPassword", password)};
    }

    private static void modify(LDAPConnection connection, String dn, Modification... modifications) throws LDAPException {
        connection.modify(dn, modifications);
    }

    private static DraftBeheraLDAPPasswordPolicy10ErrorType error(LDAPResult result) throws LDAPException {
        for (Control control : result.getResponseControls()) {
            if (control.getOID().equals(DraftBeheraLDAPPasswordPolicy10RequestControl.PASSWORD_POLICY_REQUEST_OID)) {
                return new DraftBeheraLDAPPasswordPolicy10ResponseControl(control.getOID(), control.isCritical(), control.getValue())
                        .getErrorType();
            }
        }
        return null;
    }

    /** Fails so, by modify and, where it says the same, by the password modify operation. */
    private static void refused(LDAPConnection connection, String dn, ResultCode code,
            DraftBeheraLDAPPasswordPolicy10ErrorType type, Modification... modifications) throws LDAPException {
        ModifyRequest request = new ModifyRequest(dn, modifications);
        request.addControl(new DraftBeheraLDAPPasswordPolicy10RequestControl());
        LDAPException failure = assertThrows(LDAPException.class, () -> connection.modify(request));
        assertEquals(failure.getMessage(), code, failure.getResultCode());
        assertEquals(type, error(failure.toLDAPResult()));
    }

    private static PasswordModifyExtendedResult passwordModify(LDAPConnection connection, String user, String old, String wanted)
            throws LDAPException {
        return (PasswordModifyExtendedResult) connection.processExtendedOperation(new PasswordModifyExtendedRequest(user, old, wanted,
                new Control[] {new DraftBeheraLDAPPasswordPolicy10RequestControl()}));
    }

    private static void passwordModifyRefused(LDAPConnection connection, String old, String wanted, ResultCode code,
            DraftBeheraLDAPPasswordPolicy10ErrorType type) throws LDAPException {
        ExtendedResult result = passwordModify(connection, null, old, wanted);
        assertEquals(result.getDiagnosticMessage(), code, result.getResultCode());
        assertEquals(type, error(result));
    }

    private static SearchResultEntry state(LDAPConnection admin, String dn) throws LDAPException {
        return admin.getEntry(dn, "*", "+");
    }

    private static void binds(TestServer server, String dn, String password) throws LDAPException {
        try (LDAPConnection connection = server.anonymous()) {
            connection.bind(dn, password);
        }
    }

    @Test
    public void aPasswordOfUsersIsAsThePolicyWantsIt() throws Exception {
        String dn = TestServer.userDn(1);
        try (TestServer server = server(quality(1, 8, 20)); LDAPConnection user = server.user(1); LDAPConnection admin = server.admin()) {
            refused(user, dn, ResultCode.CONSTRAINT_VIOLATION, DraftBeheraLDAPPasswordPolicy10ErrorType.PASSWORD_TOO_SHORT,
                    replace("1234567"));
            refused(user, dn, ResultCode.CONSTRAINT_VIOLATION, DraftBeheraLDAPPasswordPolicy10ErrorType.PASSWORD_TOO_SHORT,
                    safely(OLD, "{CLEARTEXT}1234567"));
            refused(user, dn, ResultCode.CONSTRAINT_VIOLATION, DraftBeheraLDAPPasswordPolicy10ErrorType.INSUFFICIENT_PASSWORD_QUALITY,
                    replace("Password99"));
            refused(user, dn, ResultCode.CONSTRAINT_VIOLATION, DraftBeheraLDAPPasswordPolicy10ErrorType.INSUFFICIENT_PASSWORD_QUALITY,
                    replace("xx-number1-xx"));
            LDAPException tooLong = assertThrows(LDAPException.class, () -> modify(user, dn, replace("x".repeat(21))));
            assertEquals(ResultCode.CONSTRAINT_VIOLATION, tooLong.getResultCode());
            passwordModifyRefused(user, OLD, "1234567", ResultCode.CONSTRAINT_VIOLATION,
                    DraftBeheraLDAPPasswordPolicy10ErrorType.PASSWORD_TOO_SHORT);
            refused(user, dn, ResultCode.CONSTRAINT_VIOLATION, DraftBeheraLDAPPasswordPolicy10ErrorType.INSUFFICIENT_PASSWORD_QUALITY,
                    new Modification(ModificationType.REPLACE, "userPassword", GOOD, BETTER));
            binds(server, dn, OLD);
            modify(user, dn, replace(GOOD));
            binds(server, dn, GOOD);

            modify(admin, dn, replace("x"));
            binds(server, dn, "x");
            admin.add("dn: cn=short," + TestServer.SUFFIX, "objectClass: person", "cn: short", "sn: short", "userPassword: y");
            binds(server, "cn=short," + TestServer.SUFFIX, "y");
        }
    }

    @Test
    public void whatCannotBeCheckedIsRefusedWhereThePolicySaysSo() throws Exception {
        String hash = "{SSHA}2D7DXcHaxkWxjlTTFhTzbi4Z/sdhYmNk";
        for (int quality = 0; quality <= 2; quality++) {
            try (TestServer server = server(quality(quality, 100, 0)); LDAPConnection user = server.user(1)) {
                if (quality == 2) {
                    refused(user, TestServer.userDn(1), ResultCode.CONSTRAINT_VIOLATION,
                            DraftBeheraLDAPPasswordPolicy10ErrorType.INSUFFICIENT_PASSWORD_QUALITY, replace(hash));
                } else {
                    modify(user, TestServer.userDn(1), replace(hash));
                    binds(server, TestServer.userDn(1), "password");
                }
                if (quality == 0) {
                    modify(user, TestServer.userDn(1), replace("x"));
                }
            }
        }
    }

    @Test
    public void generatedPasswordsAreAsThePolicyWantsThem() throws Exception {
        for (int[] lengths : new int[][] {{0, 0}, {30, 0}, {8, 9}}) {
            try (TestServer server = server(quality(2, lengths[0], lengths[1])); LDAPConnection user = server.user(1)) {
                String generated = passwordModify(user, null, OLD, null).getGeneratedPassword();
                assertTrue(generated, generated.length() >= lengths[0] && (lengths[1] == 0 || generated.length() <= lengths[1]));
                binds(server, TestServer.userDn(1), generated);
            }
        }
    }

    @Test
    public void oldPasswordsDoNotComeBack() throws Exception {
        String dn = TestServer.userDn(1);
        try (TestServer server = server(history(2)); LDAPConnection user = server.user(1); LDAPConnection admin = server.admin()) {
            refused(user, dn, ResultCode.CONSTRAINT_VIOLATION, DraftBeheraLDAPPasswordPolicy10ErrorType.PASSWORD_IN_HISTORY,
                    replace(OLD));
            modify(user, dn, safely(OLD, "second"));
            passwordModifyRefused(user, "second", OLD, ResultCode.CONSTRAINT_VIOLATION,
                    DraftBeheraLDAPPasswordPolicy10ErrorType.PASSWORD_IN_HISTORY);
            modify(user, dn, replace("third"));
            refused(user, dn, ResultCode.CONSTRAINT_VIOLATION, DraftBeheraLDAPPasswordPolicy10ErrorType.PASSWORD_IN_HISTORY,
                    safely("third", "second"));
            modify(user, dn, replace("fourth"));
            modify(user, dn, replace(OLD));

            String[] history = state(admin, dn).getAttributeValues("pwdHistory");
            assertEquals(2, history.length);
            for (String past : history) {
                assertTrue(past, past.matches("\\d{14}\\.\\d{6}Z#1\\.3\\.6\\.1\\.4\\.1\\.1466\\.115\\.121\\.1\\.40#\\d+#\\{SSHA512}.*"));
            }
            assertFalse("secret", user.getEntry(dn, "*", "+", "pwdHistory").hasAttribute("pwdHistory"));
        }
    }

    /** In the test server an attribute of more than ten values is outside of its record. */
    @Test
    public void aLongHistoryIsKeptAndReadWhole() throws Exception {
        String dn = TestServer.userDn(1);
        try (TestServer server = server(history(15)); LDAPConnection user = server.user(1); LDAPConnection admin = server.admin()) {
            for (int i = 0; i < 20; i++) {
                modify(user, dn, replace("password " + i));
            }
            assertEquals(15, state(admin, dn).getAttributeValues("pwdHistory").length);
            refused(user, dn, ResultCode.CONSTRAINT_VIOLATION, DraftBeheraLDAPPasswordPolicy10ErrorType.PASSWORD_IN_HISTORY,
                    replace("password 4"));
            modify(user, dn, replace("password 3"));
        }
    }

    @Test
    public void whoSetsAnothersPasswordLearnsNothingOfOldOnesAndKeepsTheHistory() throws Exception {
        String dn = TestServer.userDn(1);
        try (TestServer server = server(history(3)); LDAPConnection admin = server.admin()) {
            modify(admin, dn, replace(OLD));
            modify(admin, dn, replace("second"));
            modify(admin, dn, replace("*"));
            modify(admin, dn, new Modification(ModificationType.REPLACE, "userPassword"));
            assertEquals("two of the old one, one of the second, none of the lock", 3,
                    state(admin, dn).getAttributeValues("pwdHistory").length);
            assertFalse(state(admin, dn).hasAttribute("pwdChangedTime"));
            modify(admin, dn, replace("third"));
            try (LDAPConnection user = server.anonymous()) {
                user.bind(dn, "third");
                refused(user, dn, ResultCode.CONSTRAINT_VIOLATION, DraftBeheraLDAPPasswordPolicy10ErrorType.PASSWORD_IN_HISTORY,
                        replace("second"));
            }
        }
    }

    @Test
    public void aPasswordIsKeptForItsMinimumAgeUnlessItWasReset() throws Exception {
        String dn = TestServer.userDn(1);
        Change change = new Change(3600, 0, 0, 0, 0, true, true, false);
        try (TestServer server = server(change); LDAPConnection user = server.user(1); LDAPConnection admin = server.admin()) {
            modify(user, dn, replace("second"));
            refused(user, dn, ResultCode.CONSTRAINT_VIOLATION, DraftBeheraLDAPPasswordPolicy10ErrorType.PASSWORD_TOO_YOUNG,
                    replace("third"));
            passwordModifyRefused(user, "second", "third", ResultCode.CONSTRAINT_VIOLATION,
                    DraftBeheraLDAPPasswordPolicy10ErrorType.PASSWORD_TOO_YOUNG);
            modify(admin, dn, replace("given"));
            assertEquals("TRUE", state(admin, dn).getAttributeValue("pwdReset"));
            try (LDAPConnection again = server.anonymous()) {
                again.bind(dn, "given");
                modify(again, dn, replace("chosen"));
            }
            assertFalse(state(admin, dn).hasAttribute("pwdReset"));
            try (LDAPConnection again = server.anonymous()) {
                again.bind(dn, "chosen");
                refused(again, dn, ResultCode.CONSTRAINT_VIOLATION, DraftBeheraLDAPPasswordPolicy10ErrorType.PASSWORD_TOO_YOUNG,
                        replace("third"));
            }
        }
    }

    @Test
    public void usersMayNotChangeTheirPasswordsWhereThePolicySaysSo() throws Exception {
        String dn = TestServer.userDn(1);
        try (TestServer server = server(new Change(0, 0, 0, 0, 0, false, false, false)); LDAPConnection user = server.user(1);
                LDAPConnection admin = server.admin()) {
            refused(user, dn, ResultCode.INSUFFICIENT_ACCESS_RIGHTS, DraftBeheraLDAPPasswordPolicy10ErrorType.PASSWORD_MOD_NOT_ALLOWED,
                    replace("second"));
            refused(user, dn, ResultCode.INSUFFICIENT_ACCESS_RIGHTS, DraftBeheraLDAPPasswordPolicy10ErrorType.PASSWORD_MOD_NOT_ALLOWED,
                    new Modification(ModificationType.DELETE, "userPassword"));
            modify(admin, dn, replace("second"));
        }
    }

    @Test
    public void theOldPasswordHasToBeGivenWhereThePolicySaysSo() throws Exception {
        String dn = TestServer.userDn(1);
        try (TestServer server = server(new Change(0, 0, 0, 0, 0, false, true, true)); LDAPConnection user = server.user(1);
                LDAPConnection admin = server.admin()) {
            ResultCode denied = ResultCode.INSUFFICIENT_ACCESS_RIGHTS;
            DraftBeheraLDAPPasswordPolicy10ErrorType supply = DraftBeheraLDAPPasswordPolicy10ErrorType.MUST_SUPPLY_OLD_PASSWORD;
            refused(user, dn, denied, supply, replace("second"));
            refused(user, dn, denied, supply, new Modification(ModificationType.DELETE, "userPassword"), replace("second"));
            refused(user, dn, denied, supply, replace("second"), new Modification(ModificationType.DELETE, "userPassword", OLD));
            refused(user, dn, denied, supply, safely("wrong", "second"));
            String stored = state(admin, dn).getAttributeValue("userPassword");
            assertEquals(OLD, stored);
            passwordModifyRefused(user, null, "second", denied, supply);
            assertEquals(ResultCode.INVALID_CREDENTIALS, passwordModify(user, null, "wrong", "second").getResultCode());
            binds(server, dn, OLD);

            modify(user, dn, safely(OLD, "second"));
            modify(user, dn, new Modification(ModificationType.DELETE, "userPassword", "second"), replace("third"));
            assertEquals(ResultCode.SUCCESS, passwordModify(user, null, "third", "fourth").getResultCode());
            binds(server, dn, "fourth");
            String hash = state(admin, dn).getAttributeValue("userPassword");
            refused(user, dn, denied, supply, safely(hash, "fifth"));
            modify(admin, dn, replace("given"));
        }
    }

    @Test
    public void aNewPasswordEndsWhatTheOldOneLedTo() throws Exception {
        String dn = TestServer.userDn(1);
        try (TestServer server = server(history(1)); LDAPConnection admin = server.admin()) {
            ModifyRequest state = new ModifyRequest(dn, new Modification(ModificationType.ADD, "pwdFailureTime", "20260101000000Z"),
                    new Modification(ModificationType.ADD, "pwdGraceUseTime", "20260101000000Z"),
                    new Modification(ModificationType.ADD, "pwdAccountLockedTime", "20260101000000Z"),
                    new Modification(ModificationType.ADD, "pwdReset", "TRUE"));
            state.addControl(new Control("1.3.6.1.4.1.4203.666.5.12", true));
            admin.modify(state);
            Instant before = Instant.now().minusSeconds(1);
            modify(admin, dn, replace("second"));
            SearchResultEntry after = state(admin, dn);
            for (String gone : List.of("pwdFailureTime", "pwdGraceUseTime", "pwdAccountLockedTime", "pwdReset")) {
                assertFalse(gone, after.hasAttribute(gone));
            }
            assertTrue(after.getAttributeValueAsDate("pwdChangedTime").toInstant().isAfter(before));
            assertEquals("the change is the administrator's", TestServer.ADMIN, after.getAttributeValue("modifiersName"));

            modify(admin, dn, new Modification(ModificationType.REPLACE, "pwdAccountLockedTime", "000001010000Z"));
            modify(admin, dn, replace("third"));
            assertEquals("000001010000Z", state(admin, dn).getAttributeValue("pwdAccountLockedTime"));
            modify(admin, dn, replace("fourth"), new Modification(ModificationType.REPLACE, "pwdReset", "TRUE"));
            assertEquals("what the request says itself holds", "TRUE", state(admin, dn).getAttributeValue("pwdReset"));
        }
    }

    @Test
    public void administratorsSetTheStateOfAccountsAndOthersDoNot() throws Exception {
        String dn = TestServer.userDn(1);
        try (TestServer server = server(Change.FREE); LDAPConnection user = server.user(1); LDAPConnection admin = server.admin()) {
            for (String[] each : new String[][] {{"pwdAccountLockedTime", "000001010000Z"}, {"pwdReset", "TRUE"},
                    {"pwdPolicySubentry", "cn=policy," + TestServer.SUFFIX}, {"pwdStartTime", "20260101000000Z"},
                    {"pwdEndTime", "20360101000000Z"}, {"nsAccountLock", "true"}, {"ds-pwp-account-disabled", "TRUE"}}) {
                Modification change = new Modification(ModificationType.REPLACE, each[0], each[1]);
                assertEquals(each[0], ResultCode.INSUFFICIENT_ACCESS_RIGHTS,
                        assertThrows(LDAPException.class, () -> modify(user, dn, change)).getResultCode());
                modify(admin, dn, change);
                assertEquals(each[0], each[1], state(admin, dn).getAttributeValue(each[0]));
            }
            for (String own : List.of("pwdChangedTime", "pwdFailureTime", "pwdGraceUseTime", "pwdHistory", "pwdAccountTmpLockoutEnd")) {
                assertEquals(own, ResultCode.CONSTRAINT_VIOLATION, assertThrows(LDAPException.class, () -> modify(admin, dn,
                        new Modification(ModificationType.REPLACE, own, "20260101000000Z"))).getResultCode());
            }
        }
    }

    @Test
    public void unlockingForgetsTheFailures() throws Exception {
        String dn = TestServer.userDn(1);
        try (TestServer server = server(Change.FREE); LDAPConnection admin = server.admin()) {
            ModifyRequest state = new ModifyRequest(dn, new Modification(ModificationType.ADD, "pwdFailureTime", "20260101000000Z"),
                    new Modification(ModificationType.ADD, "pwdAccountTmpLockoutEnd", "20990101000000Z"),
                    new Modification(ModificationType.ADD, "pwdAccountLockedTime", "20260101000000Z"));
            state.addControl(new Control("1.3.6.1.4.1.4203.666.5.12", true));
            admin.modify(state);
            modify(admin, dn, new Modification(ModificationType.DELETE, "pwdAccountLockedTime"));
            assertFalse(state(admin, dn).hasAttribute("pwdFailureTime"));
            assertFalse(state(admin, dn).hasAttribute("pwdAccountTmpLockoutEnd"));
        }
    }

    @Test
    public void anEntryIsAddedWithTheTimeOfItsPassword() throws Exception {
        try (TestServer server = server(new Change(0, 0, 0, 0, 0, true, true, false)); LDAPConnection admin = server.admin()) {
            String dn = "cn=added," + TestServer.SUFFIX;
            admin.add("dn: " + dn, "objectClass: person", "cn: added", "sn: added", "userPassword: secret");
            assertNotNull(state(admin, dn).getAttributeValueAsDate("pwdChangedTime"));
            assertEquals("TRUE", state(admin, dn).getAttributeValue("pwdReset"));
            String plain = "cn=plain," + TestServer.SUFFIX;
            admin.add("dn: " + plain, "objectClass: person", "cn: plain", "sn: plain");
            assertNull(state(admin, plain).getAttributeValue("pwdChangedTime"));
        }
    }

    @Test
    public void transactionsAndProxiesAreUnderTheSamePolicy() throws Exception {
        String dn = TestServer.userDn(1);
        try (TestServer server = server(new Change(0, 3, 1, 8, 0, false, true, false)); LDAPConnection user = server.user(1);
                LDAPConnection admin = server.admin()) {
            ModifyRequest proxied = new ModifyRequest(dn, replace("short"));
            proxied.addControl(new ProxiedAuthorizationV2RequestControl("dn:" + dn));
            assertEquals(ResultCode.CONSTRAINT_VIOLATION, assertThrows(LDAPException.class, () -> admin.modify(proxied)).getResultCode());

            assertEquals(ResultCode.CONSTRAINT_VIOLATION, inTransaction(user, dn, "short").getResultCode());
            assertEquals(ResultCode.CONSTRAINT_VIOLATION, inTransaction(user, dn, GOOD, OLD).getResultCode());
            assertEquals("the second cannot be compared with the first", ResultCode.BUSY,
                    inTransaction(user, dn, GOOD, BETTER).getResultCode());
            binds(server, dn, OLD);
            assertEquals(ResultCode.SUCCESS, inTransaction(user, dn, GOOD).getResultCode());
            binds(server, dn, GOOD);
            assertEquals(1, state(admin, dn).getAttributeValues("pwdHistory").length);
            assertEquals(ResultCode.SUCCESS, inTransaction(admin, dn, "a", "b").getResultCode());
            assertEquals(3, state(admin, dn).getAttributeValues("pwdHistory").length);
        }
    }

    private static LDAPResult inTransaction(LDAPConnection connection, String dn, String... passwords) throws LDAPException {
        StartTransactionExtendedResult started = (StartTransactionExtendedResult) connection.processExtendedOperation(
                new StartTransactionExtendedRequest());
        for (String password : passwords) {
            ModifyRequest request = new ModifyRequest(dn, replace(password));
            request.addControl(new TransactionSpecificationRequestControl(started.getTransactionID()));
            connection.modify(request);
        }
        return connection.processExtendedOperation(new EndTransactionExtendedRequest(started.getTransactionID(), true));
    }

    /** Two changes at once are made one after the other: the second one is held against what the first one left. */
    @Test
    public void changesAtTheSameTimeCannotBringAnOldPasswordBack() throws Exception {
        String dn = TestServer.userDn(1);
        ExecutorService clients = Executors.newFixedThreadPool(4);
        try (TestServer server = server(history(20)); LDAPConnection admin = server.admin()) {
            List<Future<Integer>> changes = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                changes.add(clients.submit(changer(server, dn)));
            }
            int made = 0;
            for (Future<Integer> each : changes) {
                made += each.get(Await.MILLIS, TimeUnit.MILLISECONDS);
            }
            assertTrue("of the same five passwords each once at most: " + made, made >= 1 && made <= 5);
            assertEquals(made, state(admin, dn).getAttributeValues("pwdHistory").length);
        } finally {
            clients.shutdownNow();
        }
    }

    private static Callable<Integer> changer(TestServer server, String dn) {
        return () -> {
            int made = 0;
            try (LDAPConnection connection = server.anonymous(); LDAPConnection admin = server.admin()) {
                for (int i = 0; i < 5; i++) {
                    ModifyRequest request = new ModifyRequest(dn, replace("number " + i));
                    request.addControl(new ProxiedAuthorizationV2RequestControl("dn:" + dn));
                    try {
                        admin.modify(request);
                        made++;
                    } catch (LDAPException e) {
                        assertTrue(e.getMessage(), e.getResultCode() == ResultCode.CONSTRAINT_VIOLATION
                                || e.getResultCode() == ResultCode.BUSY);
                    }
                }
            }
            return made;
        };
    }

    /** A login has a weak hash replaced, and the user changes the password at the same moment. */
    @Test
    public void theOldPasswordIsDeletedAlsoWhileALoginReplacesItsHash() throws Exception {
        PolicySettings policy = PolicySettings.STANDARD.withPolicy(PasswordPolicy.NONE);
        try (TestServer server = new TestServer(settings -> settings.with(draft -> draft.passwordPolicy = policy)
                .with(draft -> draft.passwords = PasswordSettings.STANDARD.withScheme(NewPasswordScheme.PBKDF2_SHA512).withPbkdf2Rounds(4096)))) {
            for (int i = 1; i <= 20; i++) {
                try (LDAPConnection anonymous = server.anonymous()) {
                    LDAPResult result = passwordModify(anonymous, TestServer.userDn(i), OLD, GOOD);
                    assertEquals(result.getDiagnosticMessage(), ResultCode.SUCCESS, result.getResultCode());
                    anonymous.bind(TestServer.userDn(i), GOOD);
                }
            }
        }
    }

    /** What stands in docs/password-policy.md as LDIF is taken as it is. */
    @Test
    public void theExamplesOfThePageWork() throws Exception {
        List<String> records = new ArrayList<>();
        for (String box : Files.readString(Path.of("..", "docs", "password-policy.md")).split("(?m)^```")) {
            if (box.startsWith("ldif\n")) {
                records.addAll(List.of(box.substring("ldif\n".length()).strip().split("\n\n")));
            }
        }
        assertTrue(records.toString(), records.size() >= 6);
        try (TestServer server = new TestServer(); LDAPConnection admin = server.admin()) {
            for (String unit : List.of("people", "services")) {
                server.add("ou=" + unit + ",dc=example,dc=com", "objectClass: organizationalUnit", "ou: " + unit);
            }
            for (String uid : List.of("anna", "intern")) {
                server.add("uid=" + uid + ",ou=people,dc=example,dc=com", "objectClass: inetOrgPerson", "uid: " + uid, "cn: " + uid,
                        "sn: Smith", "userPassword: Anfang-2027");
            }
            for (String record : records) {
                LDIFReader.decodeChangeRecord(true, record.split("\n")).processChange(admin);
            }
            String anna = "uid=anna,ou=people,dc=example,dc=com";
            modify(admin, anna, new Modification(ModificationType.DELETE, "pwdAccountLockedTime"));
            try (LDAPConnection user = server.anonymous()) {
                user.bind(anna, "Anfang-2027");
                refused(user, anna, ResultCode.CONSTRAINT_VIOLATION, DraftBeheraLDAPPasswordPolicy10ErrorType.PASSWORD_TOO_SHORT,
                        safely("Anfang-2027", "Krokus-Zwiebel"));
                refused(user, anna, ResultCode.INSUFFICIENT_ACCESS_RIGHTS,
                        DraftBeheraLDAPPasswordPolicy10ErrorType.MUST_SUPPLY_OLD_PASSWORD, replace(GOOD));
                modify(user, anna, safely("Anfang-2027", GOOD));
            }
            assertThrows("not yet valid, or not any more", LDAPException.class,
                    () -> binds(server, "uid=intern,ou=people,dc=example,dc=com", "Anfang-2027"));
        }
    }
}
