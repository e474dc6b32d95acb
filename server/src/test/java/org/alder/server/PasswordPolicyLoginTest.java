package org.alder.server;

import static org.alder.server.ClientTests.fails;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.BindRequest;
import com.unboundid.ldap.sdk.BindResult;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPResult;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ModifyRequest;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SCRAMSHA256BindRequest;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.SimpleBindRequest;
import com.unboundid.ldap.sdk.controls.PasswordExpiredControl;
import com.unboundid.ldap.sdk.controls.PasswordExpiringControl;
import com.unboundid.ldap.sdk.experimental.DraftBeheraLDAPPasswordPolicy10ErrorType;
import com.unboundid.ldap.sdk.experimental.DraftBeheraLDAPPasswordPolicy10RequestControl;
import com.unboundid.ldap.sdk.experimental.DraftBeheraLDAPPasswordPolicy10ResponseControl;
import com.unboundid.ldap.sdk.experimental.DraftBeheraLDAPPasswordPolicy10WarningType;
import com.unboundid.ldap.sdk.extensions.PasswordModifyExtendedRequest;
import com.unboundid.ldap.sdk.extensions.WhoAmIExtendedRequest;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.jdbm.store.JdbmStore;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.Store;
import org.alder.partition.testing.Await;
import org.alder.server.auth.NewPasswordScheme;
import org.alder.server.policy.PasswordPolicy;
import org.alder.server.policy.PolicySettings;
import org.junit.After;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What password policies make of logins, through a client's eyes; time passes when the test says so. */
public class PasswordPolicyLoginTest {
    private static final String USER = TestServer.userDn(1);
    private static final String STATE = "pwdAccountLockedTime pwdAccountTmpLockoutEnd pwdFailureTime pwdGraceUseTime pwdLastSuccess"
            + " pwdReset modifiersName modifyTimestamp entryCSN";
    private static final Control ASK = new DraftBeheraLDAPPasswordPolicy10RequestControl();

    @Rule
    public TemporaryFolder folder = new TemporaryFolder();
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-02T03:04:05Z"));
    private TestServer server;
    private int opened;

    @After
    public void stop() {
        server.close();
    }

    private void start() {
        start(policy -> policy.withLastLoginSeconds(0));
    }

    private void start(UnaryOperator<PolicySettings> change) {
        server = new TestServer(settings -> settings(settings, change));
    }

    private ServerSettings settings(ServerSettings settings, UnaryOperator<PolicySettings> change) {
        return settings.with(draft -> draft.passwordPolicy = change.apply(PolicySettings.STANDARD.withClock(now::get)));
    }

    private void pass(long seconds) {
        now.updateAndGet(time -> time.plusSeconds(seconds));
    }

    private static LDAPException refused(LDAPConnection connection, BindRequest request) {
        return fails(ResultCode.INVALID_CREDENTIALS, () -> connection.bind(request));
    }

    private void wrong(int times) throws LDAPException {
        try (LDAPConnection connection = server.anonymous()) {
            for (int i = 0; i < times; i++) {
                refused(connection, new SimpleBindRequest(USER, "wrong"));
            }
        }
    }

    private BindResult login(Control... controls) throws LDAPException {
        try (LDAPConnection connection = server.anonymous()) {
            return connection.bind(new SimpleBindRequest(USER, TestServer.USER_PASSWORD, controls));
        }
    }

    private LDAPException refusedLogin(Control... controls) {
        return fails(ResultCode.INVALID_CREDENTIALS, () -> login(controls));
    }

    private SearchResultEntry state() throws LDAPException {
        try (LDAPConnection admin = server.admin()) {
            return admin.getEntry(USER, STATE.split(" "));
        }
    }

    private void modify(String dn, String... lines) throws LDAPException {
        try (LDAPConnection admin = server.admin()) {
            Modification[] modifications = Stream.of(lines).map(line -> line.split(": ", 2)).map(line -> line.length == 1
                    ? new Modification(ModificationType.REPLACE, line[0])
                    : new Modification(ModificationType.REPLACE, line[0], line[1])).toArray(Modification[]::new);
            admin.modify(new ModifyRequest(dn, Arrays.asList(modifications),
                    new Control[] {new Control("1.3.6.1.4.1.4203.666.5.12", true)}));
        }
    }

    private void written(long count) throws Exception {
        Await.until("the states are written", () -> server.server().logins().ledger().written() == count);
    }

    private static DraftBeheraLDAPPasswordPolicy10ResponseControl policy(LDAPResult result) throws LDAPException {
        return DraftBeheraLDAPPasswordPolicy10ResponseControl.get(new BindResult(result));
    }

    private static DraftBeheraLDAPPasswordPolicy10ErrorType error(LDAPResult result) throws LDAPException {
        return policy(result).getErrorType();
    }

    @Test
    public void tenWrongPasswordsLockTheAccountForAMinute() throws Exception {
        start();
        String before = state().getAttributeValue("modifyTimestamp");
        String csn = state().getAttributeValue("entryCSN");
        wrong(9);
        login();
        wrong(10);
        LDAPException locked = refusedLogin();
        try (LDAPConnection connection = server.anonymous()) {
            LDAPException unknown = refused(connection, new SimpleBindRequest("uid=nobody," + TestServer.SUFFIX, "wrong"));
            assertEquals("as an unknown name", unknown.getDiagnosticMessage(), locked.getDiagnosticMessage());
        }
        Await.until("the lock is written", () -> state().hasAttribute("pwdAccountLockedTime"));
        assertEquals("20260102030405.000000Z", state().getAttributeValue("pwdAccountLockedTime"));
        assertEquals("20260102030505.000000Z", state().getAttributeValue("pwdAccountTmpLockoutEnd"));
        assertEquals(10, state().getAttributeValues("pwdFailureTime").length);
        assertEquals("nobody changed the entry", before, state().getAttributeValue("modifyTimestamp"));
        assertNotEquals("copies get it", csn, state().getAttributeValue("entryCSN"));
        pass(59);
        refusedLogin();
        pass(1);
        login();
        Await.until("the lock is gone", () -> !state().hasAttribute("pwdAccountLockedTime"));
        assertFalse(state().hasAttribute("pwdFailureTime"));
        assertFalse(state().hasAttribute("pwdAccountTmpLockoutEnd"));
    }

    @Test
    public void anAttackIsNoStormOfWrites() throws Exception {
        start();
        try (LDAPConnection connection = server.anonymous()) {
            for (int i = 0; i < 10_000; i++) {
                int result = assertThrows(LDAPException.class, () -> connection.bind(USER, "wrong")).getResultCode().intValue();
                assertEquals(ResultCode.INVALID_CREDENTIALS_INT_VALUE, result);
            }
        }
        written(1);
        assertEquals(0, server.server().logins().ledger().size());
        refusedLogin();
    }

    @Test
    public void unknownNamesLeaveNoTrace() throws Exception {
        start();
        try (LDAPConnection connection = server.anonymous()) {
            for (int i = 0; i < 2000; i++) {
                String dn = "uid=nobody." + i + (i % 2 == 0 ? ",ou=users," + TestServer.SUFFIX : ",dc=nowhere");
                assertThrows(LDAPException.class, () -> connection.bind(dn, "wrong"));
            }
        }
        assertEquals(0, server.server().logins().ledger().size());
        wrong(1);
        assertEquals("and a user does", 1, server.server().logins().ledger().size());
    }

    @Test
    public void failuresAreWrittenAfterAWhileAndForgottenWithALogin() throws Exception {
        start();
        wrong(3);
        assertFalse(state().hasAttribute("pwdFailureTime"));
        login();
        assertEquals("nothing is left to write", 0, server.server().logins().ledger().size());
        wrong(3);
        pass(10);
        written(1);
        assertEquals(3, state().getAttributeValues("pwdFailureTime").length);
        wrong(6);
        login();
        pass(10);
        written(2);
        assertFalse(state().hasAttribute("pwdFailureTime"));
    }

    private Store open(EntryIndexer indexer) {
        Path path = folder.getRoot().toPath().resolve("store" + opened++);
        return JdbmStore.open(path, StoreSettings.defaults(), indexer);
    }

    private void startOnDisk(boolean fill) {
        opened = 0;
        server = new TestServer(settings -> settings(settings, policy -> policy), this::open, fill);
    }

    @Test
    public void aLockAndFailuresSurviveARestart() throws Exception {
        startOnDisk(true);
        wrong(9);
        server.close();
        startOnDisk(false);
        wrong(1);
        refusedLogin();
        server.close();
        startOnDisk(false);
        refusedLogin();
        pass(60);
        login();
    }

    @Test
    public void anAdministratorUnlocks() throws Exception {
        start();
        wrong(10);
        written(1);
        modify(USER, "pwdAccountLockedTime");
        login();
        wrong(9);
        modify(USER, "pwdAccountLockedTime: 000001010000Z");
        refusedLogin();
        pass(1_000_000);
        refusedLogin();
        modify(USER, "pwdAccountLockedTime");
        login();
    }

    @Test
    public void whatOtherServersHaveLockedStaysLocked() throws Exception {
        start();
        for (String lock : List.of("nsAccountLock: true", "ds-pwp-account-disabled: TRUE", "pwdAccountLockedTime: 20250101000000Z",
                "pwdAccountLockedTime: 000001010000Z", "pwdStartTime: 20270101000000Z", "pwdEndTime: 20260102030405Z")) {
            modify(USER, lock);
            refusedLogin();
            modify(USER, lock.substring(0, lock.indexOf(':')));
            login();
        }
        modify(USER, "nsAccountLock: false");
        login();
    }

    @Test
    public void everyMechanismIsRefused() throws Exception {
        server = new TestServer(settings -> settings(settings, policy -> policy.withLastLoginSeconds(0))
                .with(draft -> draft.passwords = TestServer.QUICK_PASSWORDS.withScheme(NewPasswordScheme.SCRAM_SHA256).withPbkdf2Rounds(4096)));
        try (LDAPConnection connection = server.anonymous()) {
            for (int i = 0; i < 10; i++) {
                refused(connection, new SCRAMSHA256BindRequest("user.1", "wrong"));
            }
            refused(connection, new SCRAMSHA256BindRequest("user.1", TestServer.USER_PASSWORD));
            refusedLogin();
            pass(60);
            connection.bind(new SCRAMSHA256BindRequest("user.1", TestServer.USER_PASSWORD));
        }
    }

    @Test
    public void whoComparesGuessesToo() throws Exception {
        start();
        try (LDAPConnection user = server.user(1); LDAPConnection admin = server.admin()) {
            assertTrue(user.compare(USER, "userPassword", TestServer.USER_PASSWORD).compareMatched());
            for (int i = 0; i < 10; i++) {
                assertFalse(admin.compare(USER, "userPassword", "wrong").compareMatched());
            }
            login();
            for (int i = 0; i < 10; i++) {
                assertFalse(user.compare(USER, "userPassword", "wrong").compareMatched());
            }
            assertFalse(user.compare(USER, "userPassword", TestServer.USER_PASSWORD).compareMatched());
            assertTrue(admin.compare(USER, "userPassword", TestServer.USER_PASSWORD).compareMatched());
        }
        refusedLogin();
    }

    @Test
    public void manyWrongPasswordsAtATimeCountEach() throws Exception {
        start();
        Thread[] threads = new Thread[8];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                try {
                    wrong(20);
                } catch (LDAPException e) {
                    throw new AssertionError(e);
                }
            });
            threads[i].start();
        }
        Await.end(threads);
        refusedLogin();
        written(1);
        assertEquals(10, state().getAttributeValues("pwdFailureTime").length);
    }

    @Test
    @Proves("1.3.6.1.4.1.42.2.27.8.5.1")
    public void whoAsksIsToldWhatADraftAllows() throws Exception {
        start();
        assertNull(error(login(ASK)));
        assertNull(policy(login(ASK)).getWarningType());
        LDAPException wrong = assertThrows(LDAPException.class, () -> login(USER, "wrong", ASK));
        assertNull(error(wrong.toLDAPResult()));
        wrong(10);
        assertNull("a lock is not told", error(refusedLogin(ASK).toLDAPResult()));
        assertEquals(0, refusedLogin().getResponseControls().length);
        server.close();
        start(policy -> policy.withTellsLocks(true));
        wrong(10);
        assertEquals(DraftBeheraLDAPPasswordPolicy10ErrorType.ACCOUNT_LOCKED, error(refusedLogin(ASK).toLDAPResult()));
        assertEquals(0, refusedLogin().getResponseControls().length);
    }

    private void login(String dn, String password, Control... controls) throws LDAPException {
        try (LDAPConnection connection = server.anonymous()) {
            connection.bind(new SimpleBindRequest(dn, password, controls));
        }
    }

    private void startAging() throws LDAPException {
        start(policy -> policy.withLastLoginSeconds(0).withPolicy(new PasswordPolicy(null, PasswordPolicy.Change.FREE,
                new PasswordPolicy.Aging(1000, 100, 2, 0, 0), PasswordPolicy.Lockout.NONE)));
        modify(USER, "pwdChangedTime: 20260102030405Z");
    }

    @Test
    public void passwordsExpire() throws Exception {
        startAging();
        assertNull(policy(login(ASK)).getWarningType());
        assertNull(PasswordExpiringControl.get(login()));
        pass(950);
        assertEquals(DraftBeheraLDAPPasswordPolicy10WarningType.TIME_BEFORE_EXPIRATION, policy(login(ASK)).getWarningType());
        assertEquals(50, policy(login(ASK)).getWarningValue());
        assertEquals(50, PasswordExpiringControl.get(login()).getSecondsUntilExpiration());
        pass(50);
        BindResult grace = login(ASK);
        assertEquals(DraftBeheraLDAPPasswordPolicy10WarningType.GRACE_LOGINS_REMAINING, policy(grace).getWarningType());
        assertEquals(1, policy(grace).getWarningValue());
        assertNotNull(PasswordExpiredControl.get(login()));
        LDAPException expired = refusedLogin(ASK);
        assertEquals(DraftBeheraLDAPPasswordPolicy10ErrorType.PASSWORD_EXPIRED, error(expired.toLDAPResult()));
        assertNotNull(PasswordExpiredControl.get(expired));
        LDAPException wrong = assertThrows(LDAPException.class, () -> login(USER, "wrong", ASK));
        assertNull("only who knows it is told", error(wrong.toLDAPResult()));
        Await.until("grace logins are written", () -> state().hasAttribute("pwdGraceUseTime")
                && state().getAttributeValues("pwdGraceUseTime").length == 2);
    }

    /** The old password that a user gives once more is no login: it would be one too many. */
    @Test
    public void theLastGraceLoginIsEnoughToChangeThePassword() throws Exception {
        startAging();
        pass(1000);
        login();
        try (LDAPConnection user = server.anonymous()) {
            user.bind(USER, TestServer.USER_PASSWORD);
            assertEquals(ResultCode.INVALID_CREDENTIALS, user.processExtendedOperation(
                    new PasswordModifyExtendedRequest("wrong", "river stone 7")).getResultCode());
            assertEquals(ResultCode.SUCCESS, user.processExtendedOperation(
                    new PasswordModifyExtendedRequest(TestServer.USER_PASSWORD, "river stone 7")).getResultCode());
            assertNull(policy(user.bind(new SimpleBindRequest(USER, "river stone 7", ASK))).getWarningType());
        }
    }

    /** Also that of a locked account: whoever is logged in learns no more than at a login. */
    @Test
    public void theOldPasswordOfALockedAccountIsWrong() throws Exception {
        start();
        try (LDAPConnection user = server.user(1)) {
            modify(USER, "pwdAccountLockedTime: 000001010000Z");
            assertEquals(ResultCode.INVALID_CREDENTIALS, user.processExtendedOperation(
                    new PasswordModifyExtendedRequest(TestServer.USER_PASSWORD, "river stone 7")).getResultCode());
        }
    }

    /** An account that is added with what another server says of it. */
    @Test
    public void whatAnAddSaysOfTheAccountHolds() throws Exception {
        startAging();
        String[] names = {"reset", "expired"};
        String[] lines = {"pwdReset: TRUE", "passwordExpirationTime: 20200101000000Z"};
        try (LDAPConnection admin = server.admin(); LDAPConnection user = server.anonymous()) {
            for (int i = 0; i < names.length; i++) {
                admin.add("dn: uid=" + names[i] + "," + TestServer.SUFFIX, "objectClass: inetOrgPerson", "uid: " + names[i], "cn: x", "sn: x",
                        "userPassword: river stone 7", lines[i]);
            }
            assertEquals(DraftBeheraLDAPPasswordPolicy10ErrorType.CHANGE_AFTER_RESET, error(user.bind(
                    new SimpleBindRequest("uid=reset," + TestServer.SUFFIX, "river stone 7", ASK))));
            assertEquals(1, policy(user.bind(new SimpleBindRequest("uid=expired," + TestServer.SUFFIX, "river stone 7", ASK)))
                    .getWarningValue());
        }
    }

    @Test
    public void aResetPasswordIsChangedBeforeAnythingElse() throws Exception {
        start();
        modify(USER, "pwdReset: TRUE");
        try (LDAPConnection user = server.anonymous()) {
            BindResult login = user.bind(new SimpleBindRequest(USER, TestServer.USER_PASSWORD, ASK));
            assertEquals(DraftBeheraLDAPPasswordPolicy10ErrorType.CHANGE_AFTER_RESET, error(login));
            assertNotNull(PasswordExpiredControl.get(login));
            LDAPException search = fails(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, () -> user.search(new SearchRequest(
                    USER, SearchScope.BASE, "(objectClass=*)").duplicate(new Control[] {ASK})));
            assertEquals(DraftBeheraLDAPPasswordPolicy10ErrorType.CHANGE_AFTER_RESET, error(search.toLDAPResult()));
            fails(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, () -> user.compare(USER, "uid", "user.1"));
            fails(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, () -> user.delete(USER));
            fails(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, () -> user.add("dn: cn=x," + TestServer.SUFFIX, "objectClass: device", "cn: x"));
            fails(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, () -> user.modifyDN(USER, "uid=x", true));
            fails(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, () -> user.modify(USER, new Modification(ModificationType.REPLACE, "sn", "x")));
            fails(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, () -> user.modify(TestServer.userDn(2),
                    new Modification(ModificationType.REPLACE, "userPassword", "another password")));
            assertNotNull(user.getRootDSE());
            assertEquals(ResultCode.SUCCESS, user.processExtendedOperation(new WhoAmIExtendedRequest()).getResultCode());
            assertEquals(ResultCode.SUCCESS, user.processExtendedOperation(
                    new PasswordModifyExtendedRequest(TestServer.USER_PASSWORD, "a new password")).getResultCode());
            modify(USER, "pwdReset");
            assertEquals(USER, user.getEntry(USER).getDN());
        }
    }

    @Test
    public void idleAccountsAreLockedAndLoginsNoted() throws Exception {
        start(policy -> policy.withPolicy(new PasswordPolicy(null, PasswordPolicy.Change.FREE,
                new PasswordPolicy.Aging(0, 0, 0, 0, 100_000), PasswordPolicy.Lockout.NONE)));
        login();
        login();
        pass(60);
        written(1);
        assertEquals("20260102030405.000000Z", state().getAttributeValue("pwdLastSuccess"));
        pass(3539);
        login();
        assertEquals("at most once an hour", 0, server.server().logins().ledger().size());
        pass(1);
        login();
        pass(60);
        written(2);
        pass(100_000);
        refusedLogin();
        modify(USER, "pwdLastSuccess");
        login();
    }

    @Test
    public void withoutPoliciesNothingIsCounted() throws Exception {
        start(policy -> policy.withPolicy(PasswordPolicy.NONE).withLastLoginSeconds(0));
        wrong(30);
        login();
        assertEquals(0, server.server().logins().ledger().size());
        modify(USER, "nsAccountLock: TRUE");
        refusedLogin();
    }

    @Test
    public void theInnermostPolicyHolds() throws Exception {
        start();
        policyEntry("cn=three", "pwdMaxFailure: 3");
        policyEntry("cn=five", "pwdMaxFailure: 5", "objectClass: subentry", "subtreeSpecification: {}");
        assertEquals(5, failuresToLock());
        policyEntry("cn=four,ou=users", "pwdMaxFailure: 4", "objectClass: subentry", "subtreeSpecification: {}");
        assertEquals(4, failuresToLock());
        modify(USER, "pwdPolicySubentry: cn=three," + TestServer.SUFFIX);
        assertEquals(3, failuresToLock());
        modify(USER, "pwdPolicySubentry: cn=missing," + TestServer.SUFFIX);
        assertEquals("the next one above", 4, failuresToLock());
    }

    @Test
    public void theEntryOfTheConfigurationHoldsWhereNoOtherDoes() throws Exception {
        start(policy -> policy.withEntry(TestServer.dn("cn=three," + TestServer.SUFFIX)));
        assertEquals("it is not there yet", 10, failuresToLock());
        policyEntry("cn=three", "pwdMaxFailure: 3");
        assertEquals(3, failuresToLock());
        try (LDAPConnection admin = server.admin()) {
            admin.delete("cn=three," + TestServer.SUFFIX);
        }
        server.add("cn=three," + TestServer.SUFFIX, "objectClass: organizationalRole", "objectClass: pwdPolicy", "cn: three",
                "pwdAttribute: userPassword", "pwdLockout: TRUE", "pwdMaxFailure: -1");
        assertEquals("no policy", 10, failuresToLock());
    }

    private void policyEntry(String rdns, String... lines) throws Exception {
        String dn = rdns + "," + TestServer.SUFFIX;
        boolean subentry = Arrays.asList(lines).contains("objectClass: subentry");
        try (LDAPConnection admin = server.admin()) {
            admin.add(Stream.of(Stream.of("dn: " + dn, "objectClass: " + (subentry ? "top" : "organizationalRole"),
                    "objectClass: pwdPolicy", "cn: " + rdns.substring(3).replaceAll(",.*", ""), "pwdAttribute: userPassword",
                    "pwdLockout: TRUE"), Stream.of(lines)).flatMap(each -> each).toArray(String[]::new));
        }
    }

    /** After which the account is unlocked again. */
    private int failuresToLock() throws Exception {
        for (int failures = 1; failures < 100; failures++) {
            wrong(failures);
            try {
                // It makes the failures forgotten.
                login();
            } catch (LDAPException e) {
                Await.until("the lock is written", () -> server.server().logins().ledger().size() == 0);
                modify(USER, "pwdAccountLockedTime", "pwdFailureTime", "pwdAccountTmpLockoutEnd");
                login();
                return failures;
            }
        }
        throw new AssertionError("the account is never locked");
    }
}
