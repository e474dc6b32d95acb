package org.alder.server.control;

import java.util.EnumSet;
import java.util.Set;

/** ManageDsaIT (RFC 3296): referral objects are treated as the entries they are. Its value is ignored, as the RFC says. */
public final class ManageDsaIt implements ControlHandler<Boolean> {
    public static final ManageDsaIt CONTROL = new ManageDsaIt();

    private ManageDsaIt() {
    }

    @Override
    public String oid() {
        return "2.16.840.1.113730.3.4.2";
    }

    @Override
    public Set<OperationKind> operations() {
        return EnumSet.complementOf(EnumSet.of(OperationKind.BIND, OperationKind.EXTENDED));
    }

    @Override
    public Boolean decode(byte[] value, RequestLimits limits) {
        return Boolean.TRUE;
    }
}
