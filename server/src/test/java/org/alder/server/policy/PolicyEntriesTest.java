package org.alder.server.policy;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ResultCode;
import java.util.stream.Stream;
import org.alder.server.TestServer;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.function.ThrowingRunnable;

/** Nobody, not even the administrator, writes a password policy that the server would pass over. */
public class PolicyEntriesTest {
    private static final String DN = "cn=strict," + TestServer.SUFFIX;

    private TestServer server;
    private LDAPConnection admin;

    @Before
    public void start() throws Exception {
        server = new TestServer();
        admin = server.admin();
    }

    @After
    public void stop() {
        admin.close();
        server.close();
    }

    private void add(String... lines) throws Exception {
        admin.add(Stream.concat(Stream.of("dn: " + DN, "objectClass: organizationalRole", "objectClass: pwdPolicy", "cn: strict",
                "pwdAttribute: userPassword"), Stream.of(lines)).toArray(String[]::new));
    }

    private static Modification to(ModificationType type, String attribute, String... values) {
        return new Modification(type, attribute, values);
    }

    private static void refused(ThrowingRunnable update, String... told) {
        LDAPException failure = assertThrows(LDAPException.class, update);
        assertEquals(failure.getMessage(), ResultCode.CONSTRAINT_VIOLATION, failure.getResultCode());
        Stream.concat(Stream.of("strict"), Stream.of(told))
                .forEach(part -> assertTrue(part + " in " + failure.getMessage(), failure.getMessage().contains(part)));
    }

    @Test
    public void noValueIsAddedThatWouldNotBeHonoured() throws Exception {
        for (String attribute : new String[] {"pwdMinAge", "pwdMaxAge", "pwdExpireWarning", "pwdMinLength", "pwdMaxLength", "pwdInHistory",
                "pwdGraceAuthNLimit", "pwdGraceExpiry", "pwdLockoutDuration", "pwdMaxFailure", "pwdMaxRecordedFailure",
                "pwdFailureCountInterval", "pwdMinDelay", "pwdMaxDelay", "pwdMaxIdle"}) {
            refused(() -> add(attribute + ": -1"), attribute, "-1", "from 0 to 2147483647");
            refused(() -> add(attribute + ": 99999999999999999999"), attribute, "99999999999999999999");
        }
        refused(() -> add("pwdCheckQuality: 3"), "pwdCheckQuality", "3", "from 0 to 2");
        refused(() -> add("pwdMinLength: 12", "pwdMaxLength: 8"), "pwdMaxLength", "8", "pwdMinLength", "12");
        refused(() -> add("1.3.6.1.4.1.42.2.27.8.1.3: 10", "pwdMinAge: 20"), "pwdMaxAge", "10");
        add("pwdMinLength: 8", "pwdMaxLength: 12", "pwdCheckQuality: 2", "pwdMaxAge: 2147483647", "pwdLockout: TRUE");
    }

    @Test
    public void noPolicyIsChangedIntoOneThatWouldNotBeHonoured() throws Exception {
        add("pwdMinLength: 8", "pwdMaxLength: 12", "pwdMaxFailure: 5");
        refused(() -> admin.modify(DN, to(ModificationType.REPLACE, "pwdMinLength", "13")), "pwdMinLength", "13");
        refused(() -> admin.modify(DN, to(ModificationType.DELETE, "pwdMaxLength"), to(ModificationType.ADD, "pwdMaxLength", "7")),
                "pwdMaxLength", "7");
        refused(() -> admin.modify(DN, to(ModificationType.INCREMENT, "pwdMinLength", "5")), "pwdMinLength", "13");
        refused(() -> admin.modify(DN, to(ModificationType.INCREMENT, "pwdMaxFailure", "-6")), "pwdMaxFailure", "-1");
        refused(() -> admin.modify(DN, to(ModificationType.ADD, "pwdCheckQuality", "7")), "pwdCheckQuality", "7");
        assertEquals("8", admin.getEntry(DN).getAttributeValue("pwdMinLength"));
        admin.modify(DN, to(ModificationType.REPLACE, "pwdMinLength", "13"), to(ModificationType.REPLACE, "pwdMaxLength", "20"));
        admin.modify(DN, to(ModificationType.DELETE, "pwdMaxLength"), to(ModificationType.REPLACE, "pwdMinLength", "30"));
        assertEquals("30", admin.getEntry(DN).getAttributeValue("pwdMinLength"));
    }

    @Test
    public void anEntryBecomesAPolicyOnlyIfItCanBeOne() throws Exception {
        admin.add("dn: " + DN, "objectClass: organizationalRole", "objectClass: extensibleObject", "cn: strict", "pwdCheckQuality: 9");
        Modification[] becomes = {to(ModificationType.ADD, "objectClass", "pwdPolicy"),
                to(ModificationType.ADD, "pwdAttribute", "userPassword")};
        refused(() -> admin.modify(DN, becomes), "pwdCheckQuality", "9");
        admin.modify(DN, becomes[0], becomes[1], to(ModificationType.REPLACE, "pwdCheckQuality", "1"));
        refused(() -> admin.modify(DN, to(ModificationType.REPLACE, "pwdCheckQuality", "9")), "pwdCheckQuality", "9");
    }

    @Test
    public void aPolicyThatIsStoredAllTheSameCanBeMended() throws Exception {
        server.add(DN, "objectClass: organizationalRole", "objectClass: pwdPolicy", "cn: strict", "pwdAttribute: userPassword",
                "pwdMaxFailure: -1", "pwdCheckQuality: 3");
        refused(() -> admin.modify(DN, to(ModificationType.REPLACE, "pwdMaxFailure", "3")), "pwdCheckQuality", "3");
        admin.modify(DN, to(ModificationType.REPLACE, "description", "not touched"));
        admin.modify(DN, to(ModificationType.REPLACE, "pwdMaxFailure", "3"), to(ModificationType.DELETE, "pwdCheckQuality"));
    }
}
