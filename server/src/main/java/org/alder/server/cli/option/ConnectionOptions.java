package org.alder.server.cli.option;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import org.alder.server.access.Requester;
import org.alder.server.wire.AddressRange;
import picocli.CommandLine.Option;

/** Over which connection somebody is supposed to ask, as far as access rules may want to know it. */
public final class ConnectionOptions {
    private static final String UNIX = "unix";
    private static final int KEY_BITS = 256;

    @Option(names = "--address", paramLabel = "ADDRESS", description = "With --as: as from this address, or over a unix-domain socket"
            + " where it is unix. Default, where --tls, --ssf or --mechanism is given: 127.0.0.1.")
    private String from;

    @Option(names = "--tls", description = "With --as: over TLS.")
    private boolean tls;

    @Option(names = "--ssf", paramLabel = "BITS", description = "With --as: over a connection protected with this many key bits. Default: " + KEY_BITS + " for TLS and unix-domain sockets, else 0.")
    private Integer ssf;

    @Option(names = "--mechanism", paramLabel = "NAME", description = "With --as: as logged in so, such as SIMPLE or EXTERNAL. Default,"
            + " where --address, --tls or --ssf is given: SIMPLE; always nothing for anonymous.")
    private String mechanism;

    /** What rules are told. */
    private record Supposed(InetAddress address, int strength, boolean isTls, String mechanism) implements Requester.Connection {
    }

    public boolean areGiven() {
        return from != null || tls || ssf != null || mechanism != null;
    }

    /**
     * @return null if nothing is said of it: then rules about connections mean nobody
     * @throws CommandException if something of it cannot be
     */
    public Requester.Connection connection(boolean anonymous) throws CommandException {
        if (!areGiven()) {
            return null;
        } else if (ssf != null && ssf < 0) {
            throw new WrongCallException("--ssf " + ssf + ": expected a number of key bits, at least 0");
        }
        boolean unix = UNIX.equalsIgnoreCase(from);
        int strength = ssf != null ? ssf : tls || unix ? KEY_BITS : 0;
        String proved = anonymous ? "" : mechanism == null ? "SIMPLE" : mechanism.toUpperCase(Locale.ROOT);
        return new Supposed(unix ? null : address(from == null ? "127.0.0.1" : from), strength, tls, proved);
    }

    /** No names: they would have to be looked up. */
    private static InetAddress address(String text) throws CommandException {
        try {
            if (text.indexOf('/') < 0) {
                AddressRange.parse(text);
                return InetAddress.getByName(text);
            }
        } catch (IllegalArgumentException | UnknownHostException e) {
            // As any other text that is none.
        }
        throw new WrongCallException("--address " + text + ": expected an address, such as 10.0.0.7 or 2001:db8::7, or " + UNIX);
    }
}
