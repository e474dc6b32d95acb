package org.alder.server.extended;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.request.Modification;
import org.alder.partition.schema.Schema;
import org.alder.server.audit.AuditLine;
import org.alder.server.auth.Identity;
import org.alder.server.auth.Passwords;
import org.alder.server.directory.AuthorizationIdentities;
import org.alder.server.directory.Directory;
import org.alder.server.directory.OperationContext;
import org.alder.server.login.Authenticator;
import org.alder.server.login.Login;
import org.alder.server.policy.PasswordUpdates;

/**
 * Password modify (RFC 3062). The user is a DN, also as {@code dn:...}, or {@code u:} and a uid; without one it is whoever asks.
 * An old password, if given, must be right, also if the administrator gives it. Without a new one the server makes one and
 * returns it. The new password is clear text: what has the form of a stored value is refused.
 */
public final class PasswordModify implements ExtendedOperation {
    public static final String OID = "1.3.6.1.4.1.4203.1.11.1";

    private static final int USER_IDENTITY = 0x80;
    private static final int OLD_PASSWORD = 0x81;
    private static final int NEW_PASSWORD = 0x82;
    private static final int GENERATED_PASSWORD = 0x80;

    private final Schema schema;
    private final Passwords passwords;
    private final PasswordUpdates updates;
    private final Authenticator authenticator;

    public PasswordModify(Schema schema, Passwords passwords, PasswordUpdates updates, Authenticator authenticator) {
        this.schema = schema;
        this.authenticator = authenticator;
        this.passwords = passwords;
        this.updates = updates;
    }

    @Override
    public String oid() {
        return OID;
    }

    private record Parameters(String user, byte[] oldPassword, byte[] newPassword) {
        static Parameters decode(byte[] value) throws DirectoryException {
            if (value == null) {
                return new Parameters(null, null, null);
            }
            try {
                BerReader reader = new BerReader(value);
                int outer = reader.enter(BerWriter.SEQUENCE);
                String user = reader.peekTag() == USER_IDENTITY ? Dn.text(reader.readBytes(USER_IDENTITY)) : null;
                byte[] old = reader.peekTag() == OLD_PASSWORD ? reader.readBytes(OLD_PASSWORD) : null;
                byte[] wanted = reader.peekTag() == NEW_PASSWORD ? reader.readBytes(NEW_PASSWORD) : null;
                reader.leaveFully(outer);
                return new Parameters(user, old, wanted);
            } catch (BerException e) {
                throw new DirectoryException(ResultCode.PROTOCOL_ERROR, "password modify request: " + e.getMessage());
            }
        }
    }

    @Override
    public boolean changes() {
        return true;
    }

    @Override
    public void describe(byte[] value, AuditLine line) {
        try {
            line.text("target", Parameters.decode(value).user);
        } catch (DirectoryException e) {
            line.text("target", null);
        }
    }

    @Override
    public Dn named(OperationContext context, byte[] value) throws DirectoryException {
        String user = Parameters.decode(value).user;
        return isUid(user) ? null : user(null, context, user);
    }

    @Override
    public Dn target(Directory directory, OperationContext context, byte[] value) throws DirectoryException {
        return user(directory, context, Parameters.decode(value).user);
    }

    /** A password that the server makes would have to be in a response that does not wait for it. */
    @Override
    public void requireUpdate(byte[] value) throws DirectoryException {
        if (Parameters.decode(value).newPassword == null) {
            throw new DirectoryException(ResultCode.UNWILLING_TO_PERFORM,
                    "in a transaction the server makes no password: give the new one");
        }
    }

    @Override
    public CompletableFuture<byte[]> handle(Directory directory, OperationContext context, byte[] value)
            throws DirectoryException {
        Authenticator.requireConfidential(context);
        Parameters parameters = Parameters.decode(value);
        requirePassword(parameters.newPassword);
        Dn user = user(directory, context, parameters.user);
        if (parameters.oldPassword == null) {
            return replace(directory, context, user, parameters);
        }
        CompletableFuture<Login> check = context.identity().isAnonymous()
                ? authenticator.authenticate(context, user, parameters.oldPassword)
                : authenticator.confirm(context, user, parameters.oldPassword);
        return check.thenCompose(proven -> replace(directory, authorized(context, proven.identity()), user, parameters));
    }

    /** What is stored as it is, instead of being hashed, would lock its user out. */
    private void requirePassword(byte[] wanted) throws DirectoryException {
        if (wanted != null && wanted.length == 0) {
            throw new DirectoryException(ResultCode.UNWILLING_TO_PERFORM, "the new password is empty");
        }
        if (wanted != null && !passwords.isClearText(wanted)) {
            throw new DirectoryException(ResultCode.CONSTRAINT_VIOLATION, "the new password has the form of a stored one, such"
                    + " as {SCHEME}value or *: choose another. Who wants a hashed value stored modifies userPassword");
        }
    }

    /** Who is anonymous and knows the old password acts as the user. */
    private static OperationContext authorized(OperationContext context, Identity proven) {
        return context.identity().isAnonymous() ? context.withIdentity(proven) : context;
    }

    /** The old password is deleted by name, which is what the policy may ask for, and holds in the very update. */
    private CompletableFuture<byte[]> replace(Directory directory, OperationContext context, Dn user, Parameters parameters) {
        byte[] password;
        try {
            password = parameters.newPassword == null ? updates.generate(user) : parameters.newPassword;
        } catch (DirectoryException e) {
            return CompletableFuture.failedFuture(e);
        }
        List<Modification> changes = new ArrayList<>(2);
        if (parameters.oldPassword != null) {
            changes.add(new Modification(Modification.Kind.DELETE, "userPassword",
                    List.of(Passwords.markedClearText(parameters.oldPassword))));
        }
        changes.add(new Modification(Modification.Kind.REPLACE, "userPassword", List.of(password)));
        return directory.modify(context, user, changes)
                .thenApply(done -> parameters.newPassword == null ? generated(password) : null);
    }

    private static byte[] generated(byte[] password) {
        BerWriter writer = new BerWriter(64);
        int sequence = writer.begin(BerWriter.SEQUENCE);
        writer.octets(GENERATED_PASSWORD, password);
        writer.end(sequence);
        return writer.toByteArray();
    }

    private static boolean isUid(String user) {
        return user != null && user.regionMatches(true, 0, "u:", 0, 2);
    }

    private Dn user(Directory directory, OperationContext context, String text) throws DirectoryException {
        if (text == null || text.isEmpty()) {
            if (context.identity().isAnonymous()) {
                throw new DirectoryException(ResultCode.UNWILLING_TO_PERFORM,
                        "bind first, or name the user whose password is to change");
            }
            return context.identity().dn();
        }
        if (isUid(text)) {
            return new AuthorizationIdentities(directory, schema).userNamed(context, text.substring(2));
        }
        return Dn.parse(schema, text.regionMatches(true, 0, "dn:", 0, 3) ? text.substring(3) : text);
    }
}
