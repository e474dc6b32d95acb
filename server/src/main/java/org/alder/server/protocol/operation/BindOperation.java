package org.alder.server.protocol.operation;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.schema.Schema;
import org.alder.server.audit.AuditLevel;
import org.alder.server.audit.AuditLine;
import org.alder.server.audit.AuditedRequest;
import org.alder.server.control.ControlRegistry;
import org.alder.server.control.MarkerControl;
import org.alder.server.control.OperationKind;
import org.alder.server.control.RequestControls;
import org.alder.server.control.ResponseControl;
import org.alder.server.login.Authenticator;
import org.alder.server.login.Login;
import org.alder.server.login.SaslMechanisms;
import org.alder.server.login.SaslNegotiation;
import org.alder.server.protocol.Exchange;
import org.alder.server.protocol.LdapMessage;
import org.alder.server.protocol.LdapResult;
import org.alder.server.protocol.Operation;
import org.alder.server.protocol.Responses;

/**
 * Bind (RFC 4511 4.2, RFC 4513 5): anonymous, simple, and SASL in one step or several. From its start to its success the
 * connection is anonymous, and what comes meanwhile waits; between the steps of SASL, all but binds is refused. A DN without a
 * password is refused, because clients that forget to check for an empty one would take the answer for a proof.
 */
final class BindOperation implements Operation {
    /** What simple authentication is called where SASL mechanisms have names. */
    private static final String SIMPLE_MECHANISM = "SIMPLE";
    private static final int SIMPLE = 0x80;
    private static final int SASL = 0xA3;
    private static final int VERSION = 3;
    /** RFC 3829. */
    private static final String AUTHORIZATION_IDENTITY_RESPONSE = "2.16.840.1.113730.3.4.15";

    private final Authenticator authenticator;
    private final SaslMechanisms mechanisms;
    private final Schema schema;
    private final ControlRegistry controls;

    BindOperation(Authenticator authenticator, SaslMechanisms mechanisms, Schema schema, ControlRegistry controls) {
        this.authenticator = authenticator;
        this.mechanisms = mechanisms;
        this.schema = schema;
        this.controls = controls;
    }

    /**
     * @param password null for a SASL bind
     * @param mechanism the SASL mechanism, null for a simple bind
     * @param credentials of SASL; null if there are none
     */
    record Parameters(int version, String dn, byte[] password, String mechanism, byte[] credentials) implements AuditedRequest {
        /** How the client logs in. */
        String method() {
            return mechanism == null ? SIMPLE_MECHANISM : mechanism;
        }

        @Override
        public AuditLevel level() {
            return AuditLevel.SECURITY;
        }

        @Override
        public void describe(AuditLine line) {
            line.text("target", dn).text("method", method());
        }

        static Parameters decode(BerReader reader) throws BerException, DirectoryException {
            int outer = reader.enter(LdapMessage.BIND);
            int version = reader.readInt(BerWriter.INTEGER);
            String dn = Dn.text(reader.readBytes(BerWriter.OCTET_STRING));
            byte[] password = null;
            String mechanism = null;
            byte[] credentials = null;
            switch (reader.peekTag()) {
                case SIMPLE -> password = reader.readBytes(SIMPLE);
                case SASL -> {
                    int sasl = reader.enter(SASL);
                    mechanism = reader.readString(BerWriter.OCTET_STRING);
                    credentials = reader.peekTag() == BerWriter.OCTET_STRING ? reader.readBytes(BerWriter.OCTET_STRING) : null;
                    reader.leave(sasl);
                }
                default -> throw new DirectoryException(ResultCode.AUTH_METHOD_NOT_SUPPORTED,
                        "expected simple authentication or SASL (RFC 4511 4.2)");
            }
            reader.leave(outer);
            return new Parameters(version, dn, password, mechanism, credentials);
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
        Parameters parameters = Parameters.decode(request);
        exchange.about(parameters);
        SaslNegotiation begun = exchange.negotiation(parameters.mechanism());
        RequestControls accepted = exchange.controls(controls);
        check(parameters);
        exchange.authenticating(parameters.method());
        if (parameters.mechanism() != null) {
            exchange.leave(() -> negotiate(exchange, accepted, parameters, begun));
            return;
        }
        Dn dn = Dn.parse(schema, parameters.dn());
        if (dn.isRoot() && parameters.password().length == 0) {
            succeed(exchange, accepted, new SaslNegotiation.Step(Login.ANONYMOUS, null));
            return;
        }
        if (parameters.password().length == 0) {
            throw new DirectoryException(ResultCode.UNWILLING_TO_PERFORM,
                    "a bind with a DN needs a password (RFC 4513 5.1.2); for anonymous, send no DN");
        }
        Authenticator.requireConfidential(exchange.context());
        CompletableFuture<Login> login = authenticator.authenticate(exchange.context(), dn, parameters.password());
        if (!login.isDone()) {
            holdWhile(login, exchange);
        }
        exchange.endWith(login, proven -> {
            if (exchange.mayLogIn(proven.identity())) {
                succeed(exchange, accepted, new SaslNegotiation.Step(proven, null));
            } else {
                exchange.fail(Authenticator.invalidCredentials());
            }
        });
    }

    /** Counts the request while its password waits to be checked; who may not have that does not wait. */
    private static void holdWhile(CompletableFuture<Login> login, Exchange exchange) throws BerException, DirectoryException {
        boolean held = false;
        try {
            exchange.hold();
            held = true;
        } finally {
            if (!held) {
                login.cancel(false);
            }
        }
    }

    /** On a worker thread, because whom a name means may have to be searched for. */
    private void negotiate(Exchange exchange, RequestControls accepted, Parameters parameters, SaslNegotiation begun)
            throws DirectoryException {
        SaslNegotiation negotiation = begun != null ? begun
                : mechanisms.begin(parameters.mechanism(), exchange.context(), exchange.connection());
        if (parameters.credentials() == null && begun == null && negotiation.needsMessage()) {
            // The client lets the server speak first, which has nothing to say in any of these mechanisms (RFC 4422 5).
            exchange.answerChallenge(parameters.mechanism(), negotiation, new byte[0]);
            return;
        }
        byte[] message = parameters.credentials() == null ? new byte[0] : parameters.credentials();
        exchange.endWith(negotiation.respond(message), step -> {
            if (step.login() == null) {
                exchange.answerChallenge(parameters.mechanism(), negotiation, step.credentials());
            } else {
                succeed(exchange, accepted, step);
            }
        });
    }

    private static void succeed(Exchange exchange, RequestControls accepted, SaslNegotiation.Step last) {
        Login login = last.login();
        try {
            exchange.authenticated(login.identity());
        } catch (DirectoryException e) {
            exchange.fail(e);
            return;
        }
        List<ResponseControl> controls = new ArrayList<>(exchange.policyControls(login.notice()));
        if (accepted.has(MarkerControl.AUTHORIZATION_IDENTITY)) {
            controls.add(new ResponseControl(AUTHORIZATION_IDENTITY_RESPONSE,
                    login.identity().authorizationId().getBytes(StandardCharsets.UTF_8)));
        }
        exchange.answerBind(LdapResult.SUCCESS, last.credentials(), controls, last.layer());
    }

    private static void check(Parameters parameters) throws DirectoryException {
        if (parameters.version() != VERSION) {
            throw new DirectoryException(ResultCode.PROTOCOL_ERROR,
                    "LDAP version " + parameters.version() + " is not supported, only version " + VERSION);
        }
    }
}
