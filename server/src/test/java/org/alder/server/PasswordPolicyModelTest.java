package org.alder.server;

import static org.junit.Assert.assertEquals;

import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ModifyRequest;
import com.unboundid.ldap.sdk.controls.ProxiedAuthorizationV2RequestControl;
import com.unboundid.ldap.sdk.experimental.DraftBeheraLDAPPasswordPolicy10ErrorType;
import com.unboundid.ldap.sdk.experimental.DraftBeheraLDAPPasswordPolicy10RequestControl;
import com.unboundid.ldap.sdk.experimental.DraftBeheraLDAPPasswordPolicy10ResponseControl;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.alder.partition.testing.Seed;
import org.alder.server.policy.PasswordPolicy;
import org.alder.server.policy.PasswordPolicy.Aging;
import org.alder.server.policy.PasswordPolicy.Change;
import org.alder.server.policy.PasswordPolicy.Lockout;
import org.alder.server.policy.PolicySettings;
import org.junit.Test;

/** Random changes of a password by its user and by the administrator, beside a model of history, minimum age and reset. */
public class PasswordPolicyModelTest {
    private static final String DN = TestServer.userDn(1);
    private static final int HISTORY = 3;
    private static final int MINIMUM_AGE = 100;
    private static final int CHANGES = 300;

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
    /** The newest first; the first one is the current one. */
    private final List<String> passwords = new ArrayList<>(List.of(TestServer.USER_PASSWORD));
    private Instant changed = Instant.MIN;
    private boolean reset;

    private DraftBeheraLDAPPasswordPolicy10ErrorType expected(String password) {
        if (!reset && changed != Instant.MIN && changed.plusSeconds(MINIMUM_AGE).isAfter(now.get())) {
            return DraftBeheraLDAPPasswordPolicy10ErrorType.PASSWORD_TOO_YOUNG;
        }
        return passwords.contains(password) ? DraftBeheraLDAPPasswordPolicy10ErrorType.PASSWORD_IN_HISTORY : null;
    }

    private void made(String password, boolean byOther) {
        passwords.add(0, password);
        if (passwords.size() > HISTORY + 1) {
            passwords.remove(HISTORY + 1);
        }
        changed = now.get();
        reset = byOther;
    }

    private static DraftBeheraLDAPPasswordPolicy10ErrorType set(LDAPConnection admin, String password, boolean asUser)
            throws LDAPException {
        ModifyRequest request = new ModifyRequest(DN, new Modification(ModificationType.REPLACE, "userPassword", password));
        request.addControl(new DraftBeheraLDAPPasswordPolicy10RequestControl());
        if (asUser) {
            request.addControl(new ProxiedAuthorizationV2RequestControl("dn:" + DN));
        }
        try {
            admin.modify(request);
            return null;
        } catch (LDAPException e) {
            for (Control each : e.getResponseControls()) {
                if (each.getOID().equals(DraftBeheraLDAPPasswordPolicy10RequestControl.PASSWORD_POLICY_REQUEST_OID)) {
                    return new DraftBeheraLDAPPasswordPolicy10ResponseControl(each.getOID(), false, each.getValue()).getErrorType();
                }
            }
            throw e;
        }
    }

    @Test
    public void changesAreMadeAndRefusedAsTheModelSays() throws Exception {
        Random random = Seed.random(PasswordPolicyModelTest.class);
        PolicySettings policy = PolicySettings.STANDARD.withClock(now::get).withPolicy(new PasswordPolicy(null,
                new Change(MINIMUM_AGE, HISTORY, 0, 0, 0, true, true, false), Aging.NONE, Lockout.NONE));
        try (TestServer server = new TestServer(settings -> settings
                .with(draft -> draft.passwordPolicy = policy)); LDAPConnection admin = server.admin()) {
            for (int i = 0; i < CHANGES; i++) {
                now.updateAndGet(time -> time.plusSeconds(1 + random.nextInt(80)));
                String password = "password " + random.nextInt(7);
                boolean asUser = random.nextInt(4) > 0;
                DraftBeheraLDAPPasswordPolicy10ErrorType expected = asUser ? expected(password) : null;
                assertEquals("change " + i, expected, set(admin, password, asUser));
                if (expected == null) {
                    made(password, !asUser);
                }
            }
            assertEquals(HISTORY, admin.getEntry(DN, "pwdHistory").getAttributeValues("pwdHistory").length);
        }
    }
}
