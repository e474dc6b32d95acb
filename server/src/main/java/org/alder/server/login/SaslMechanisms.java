package org.alder.server.login;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.server.directory.OperationContext;
import org.alder.server.wire.Peer;

/**
 * The SASL mechanisms of a server: the one place where they are registered. A login goes to its end by the settings of when it began. Thread
 * safe.
 */
public final class SaslMechanisms {
    /** Of all that there are, the strongest first. */
    public static final List<String> NAMES = all(null, null).map(SaslMechanism::name).toList();

    private final Function<SaslSettings, Logins> logins;
    private final Supplier<SaslSettings> settings;
    private volatile Offered offered;

    /** By their names, the strongest first. @param settings by which they are */
    private record Offered(SaslSettings settings, Map<String, SaslMechanism> mechanisms) {
    }

    /**
     * @param logins   who is who by settings
     * @param settings those of now, which say which are offered, where the connection allows for them
     */
    public SaslMechanisms(Function<SaslSettings, Logins> logins, Supplier<SaslSettings> settings) {
        this.logins = logins;
        this.settings = settings;
    }

    private Map<String, SaslMechanism> offered() {
        SaslSettings now = settings.get();
        Offered last = offered;
        if (last == null || last.settings != now) {
            Map<String, SaslMechanism> mechanisms = new LinkedHashMap<>();
            all(logins.apply(now), now.kerberos()).filter(each -> now.mechanisms().contains(each.name()))
                    .forEach(each -> mechanisms.put(each.name(), each));
            last = new Offered(now, mechanisms);
            offered = last;
        }
        return last.mechanisms;
    }

    private static Stream<SaslMechanism> all(Logins logins, KerberosService kerberos) {
        return Stream.of(new ExternalMechanism(logins), new GssMechanism(logins, kerberos, false),
                new GssMechanism(logins, kerberos, true), new ScramMechanism(logins, "512", true),
                new ScramMechanism(logins, "256", true), new ScramMechanism(logins, "512", false),
                new ScramMechanism(logins, "256", false), new PlainMechanism(logins), new AnonymousMechanism());
    }

    /** Those by which this connection can be authenticated now, the strongest first. */
    public List<String> available(Peer peer) {
        return offered().values().stream().filter(each -> each.isAvailable(peer)).map(SaslMechanism::name).toList();
    }

    /** @throws DirectoryException authMethodNotSupported if there is no such mechanism now */
    public SaslNegotiation begin(String mechanism, OperationContext context, Peer peer) throws DirectoryException {
        SaslMechanism found = offered().get(mechanism);
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
