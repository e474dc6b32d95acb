package org.alder.server.directory;

import java.net.InetAddress;
import java.util.List;
import org.alder.server.access.LimitSet;
import org.alder.server.access.Requester;
import org.alder.server.auth.Identity;

/** What the directory may know of the connection that an operation comes from. Thread safe. */
public interface Client extends Requester.Connection {
    @Override
    default InetAddress address() {
        return null;
    }

    @Override
    default int strength() {
        return 0;
    }

    @Override
    default boolean isTls() {
        return false;
    }

    @Override
    default String mechanism() {
        return "";
    }

    /** What the entry of this identity says of its limits, as it was when the client has bound as that; nothing of any other one. */
    default LimitSet limits(Identity identity) {
        return LimitSet.EMPTY;
    }

    /** The number of his connection. */
    long connectionId();

    /** Stands for him where clients take turns: his address. */
    Object source();

    /** Whether he may send passwords as they are: nobody else can read them on the way, or the server shall take them nevertheless. */
    boolean acceptsPasswords();

    /** The SASL mechanisms that the connection can be authenticated by now. */
    List<String> saslMechanisms();
}
