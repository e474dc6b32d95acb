package org.alder.server.control;

import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Set;
import org.alder.partition.error.DirectoryException;

/** Proxied authorization version 2 (RFC 4370): the operation is done in another's name. The value is that identity. */
public final class ProxiedAuthorization implements ControlHandler<String> {
    public static final ProxiedAuthorization CONTROL = new ProxiedAuthorization();

    private ProxiedAuthorization() {
    }

    @Override
    public String oid() {
        return "2.16.840.1.113730.3.4.18";
    }

    @Override
    public Set<OperationKind> operations() {
        return EnumSet.complementOf(EnumSet.of(OperationKind.BIND));
    }

    @Override
    public boolean mustBeCritical() {
        return true;
    }

    /** No value is an empty one: libraries send nothing for anonymous. */
    @Override
    public String decode(byte[] value) throws DirectoryException {
        return value == null ? "" : new String(value, StandardCharsets.UTF_8);
    }
}
