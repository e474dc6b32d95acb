package org.alder.server.login;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.server.directory.OperationContext;
import org.alder.server.wire.Peer;

/** The SASL mechanisms of a server: the one place where they are registered. Immutable, thread safe. */
public final class SaslMechanisms {
    /** Of all that there are, the strongest first. */
    public static final List<String> NAMES = all(null, null).map(SaslMechanism::name).toList();

    private final Map<String, SaslMechanism> offered = new LinkedHashMap<>();

    /** @param settings say which are offered, where the connection allows for them */
    public SaslMechanisms(Logins logins, SaslSettings settings) {
        all(logins, settings.kerberos()).filter(each -> settings.mechanisms().contains(each.name()))
                .forEach(each -> offered.put(each.name(), each));
    }

    private static Stream<SaslMechanism> all(Logins logins, KerberosService kerberos) {
        return Stream.of(new ExternalMechanism(logins), new GssMechanism(logins, kerberos, false),
                new GssMechanism(logins, kerberos, true), new ScramMechanism(logins, "512", true),
                new ScramMechanism(logins, "256", true), new ScramMechanism(logins, "512", false),
                new ScramMechanism(logins, "256", false), new PlainMechanism(logins), new AnonymousMechanism());
    }

    /** Those by which this connection can be authenticated now, the strongest first. */
    public List<String> available(Peer peer) {
        return offered.values().stream().filter(each -> each.isAvailable(peer)).map(SaslMechanism::name).toList();
    }

    /** @throws DirectoryException authMethodNotSupported if there is no such mechanism now */
    public SaslNegotiation begin(String mechanism, OperationContext context, Peer peer) throws DirectoryException {
        SaslMechanism found = offered.get(mechanism);
        if (found == null || !found.isAvailable(peer)) {
            List<String> available = available(peer);
            throw new DirectoryException(ResultCode.AUTH_METHOD_NOT_SUPPORTED, "SASL mechanism " + mechanism + " is not available"
                    + (found == null ? "" : " on this connection as it is")
                    + "; available are simple authentication (ldapsearch -x)"
                    + available.stream().map(each -> ", " + each).collect(Collectors.joining()));
        }
        return found.begin(context, peer);
    }
}
