package org.alder.server.extended;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import com.unboundid.ldap.sdk.extensions.PasswordModifyExtendedRequest;
import java.time.Instant;
import java.util.List;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.testing.Requirement;
import org.alder.server.TestServer;
import org.alder.server.auth.Identity;
import org.alder.server.auth.Passwords;
import org.alder.server.directory.Client;
import org.alder.server.directory.OperationContext;
import org.junit.Test;

public class PasswordModifyTest {
    private final PasswordModify operation = new PasswordModify(TestServer.SCHEMA, new Passwords(TestServer.QUICK_PASSWORDS), null,
            null);

    private record TestClient(boolean acceptsPasswords) implements Client {
        @Override
        public long connectionId() {
            return 1;
        }

        @Override
        public Object source() {
            return "a client";
        }

        @Override
        public List<String> saslMechanisms() {
            return List.of();
        }
    }

    private ResultCode refusal(boolean acceptsPasswords, String oldPassword, String newPassword) {
        OperationContext context = new OperationContext(Identity.ANONYMOUS, Instant.EPOCH, new TestClient(acceptsPasswords));
        byte[] value = new PasswordModifyExtendedRequest("no DN", oldPassword, newPassword).getValue().getValue();
        return assertThrows(DirectoryException.class, () -> operation.handle(null, context, value)).resultCode();
    }

    @Test
    @Requirement(rfc = 3062, section = "3", text = "No password is changed where somebody on the way can read it")
    public void passwordsAreNotSentInClearEitherWay() {
        for (String oldPassword : new String[] {null, "old"}) {
            for (String newPassword : new String[] {null, "new"}) {
                assertEquals(ResultCode.CONFIDENTIALITY_REQUIRED, refusal(false, oldPassword, newPassword));
                assertEquals("protected, or from this machine", ResultCode.INVALID_DN_SYNTAX,
                        refusal(true, oldPassword, newPassword));
            }
        }
    }
}
