package org.alder.server.protocol.operation;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.schema.Schema;
import org.alder.server.auth.Identity;
import org.alder.server.control.ControlRegistry;
import org.alder.server.control.MarkerControl;
import org.alder.server.control.OperationKind;
import org.alder.server.control.RequestControls;
import org.alder.server.control.ResponseControl;
import org.alder.server.login.Authenticator;
import org.alder.server.protocol.Exchange;
import org.alder.server.protocol.LdapMessage;
import org.alder.server.protocol.LdapResult;
import org.alder.server.protocol.Operation;
import org.alder.server.protocol.Responses;

/**
 * Bind (RFC 4511 4.2, RFC 4513 5.1): anonymous and simple. From its start to its success the connection is anonymous, and what
 * comes meanwhile waits. A DN without a password is refused, because clients that forget to check for an empty one would take the
 * answer for a proof.
 */
final class BindOperation implements Operation {
    private static final int SIMPLE = 0x80;
    private static final int SASL = 0xA3;
    private static final int VERSION = 3;
    /** RFC 3829. */
    private static final String AUTHORIZATION_IDENTITY_RESPONSE = "2.16.840.1.113730.3.4.15";

    private final Authenticator authenticator;
    private final Schema schema;
    private final ControlRegistry controls;

    BindOperation(Authenticator authenticator, Schema schema, ControlRegistry controls) {
        this.authenticator = authenticator;
        this.schema = schema;
        this.controls = controls;
    }

    /** @param password null for a SASL bind  @param mechanism the SASL mechanism, null for a simple bind */
    record Parameters(int version, String dn, byte[] password, String mechanism) {
        static Parameters decode(BerReader reader) throws BerException, DirectoryException {
            int outer = reader.enter(LdapMessage.BIND);
            int version = reader.readInt(BerWriter.INTEGER);
            String dn = Dn.text(reader.readBytes(BerWriter.OCTET_STRING));
            byte[] password = null;
            String mechanism = null;
            switch (reader.peekTag()) {
                case SIMPLE -> password = reader.readBytes(SIMPLE);
                case SASL -> mechanism = mechanism(reader);
                default -> throw new DirectoryException(ResultCode.AUTH_METHOD_NOT_SUPPORTED,
                        "only simple authentication is supported");
            }
            reader.leave(outer);
            return new Parameters(version, dn, password, mechanism);
        }

        private static String mechanism(BerReader reader) throws BerException {
            int outer = reader.enter(SASL);
            String mechanism = reader.readString(BerWriter.OCTET_STRING);
            reader.leave(outer);
            return mechanism;
        }
    }

    @Override
    public OperationKind kind() {
        return OperationKind.BIND;
    }

    @Override
    public int requestTag() {
        return LdapMessage.BIND;
    }

    @Override
    public int responseTag() {
        return Responses.BIND;
    }

    @Override
    public void handle(Exchange exchange, BerReader request) throws BerException, DirectoryException {
        exchange.authenticated(Identity.ANONYMOUS);
        Parameters parameters = Parameters.decode(request);
        RequestControls accepted = exchange.controls(controls);
        check(parameters);
        Dn dn = Dn.parse(schema, parameters.dn());
        if (dn.isRoot() && parameters.password().length == 0) {
            succeed(exchange, accepted, Identity.ANONYMOUS);
            return;
        }
        if (parameters.password().length == 0) {
            throw new DirectoryException(ResultCode.UNWILLING_TO_PERFORM,
                    "a bind with a DN needs a password (RFC 4513 5.1.2); for anonymous, send no DN");
        }
        if (!exchange.connection().acceptsPasswords()) {
            throw new DirectoryException(ResultCode.CONFIDENTIALITY_REQUIRED, "passwords are not taken in clear from another machine:"
                    + " start TLS first, or use ldaps (plaintextBind)");
        }
        CompletableFuture<Identity> login = authenticator.authenticate(exchange.context(), dn, parameters.password());
        if (!login.isDone()) {
            exchange.hold();
        }
        exchange.endWith(login, identity -> {
            exchange.authenticated(identity);
            succeed(exchange, accepted, identity);
        });
    }

    private static void succeed(Exchange exchange, RequestControls accepted, Identity identity) {
        exchange.answer(LdapResult.SUCCESS, !accepted.has(MarkerControl.AUTHORIZATION_IDENTITY) ? List.of()
                : List.of(new ResponseControl(AUTHORIZATION_IDENTITY_RESPONSE,
                identity.authorizationId().getBytes(StandardCharsets.UTF_8))));
    }

    private static void check(Parameters parameters) throws DirectoryException {
        if (parameters.version() != VERSION) {
            throw new DirectoryException(ResultCode.PROTOCOL_ERROR,
                    "LDAP version " + parameters.version() + " is not supported, only version " + VERSION);
        }
        if (parameters.mechanism() != null) {
            throw new DirectoryException(ResultCode.AUTH_METHOD_NOT_SUPPORTED, "SASL mechanism " + parameters.mechanism()
                    + " is not supported, only simple authentication (ldapsearch -x)");
        }
    }
}
