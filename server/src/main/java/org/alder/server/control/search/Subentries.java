package org.alder.server.control.search;

import java.util.EnumSet;
import java.util.Set;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.error.DirectoryException;
import org.alder.server.control.ControlHandler;
import org.alder.server.control.ControlValue;
import org.alder.server.control.OperationKind;
import org.alder.server.control.RequestLimits;

/** Subentries (RFC 3672 3): a search returns only subentries (TRUE), or none of them (FALSE). */
public final class Subentries implements ControlHandler<Boolean> {
    public static final Subentries CONTROL = new Subentries();

    private Subentries() {
    }

    @Override
    public String oid() {
        return "1.3.6.1.4.1.4203.1.10.1";
    }

    @Override
    public Set<OperationKind> operations() {
        return EnumSet.of(OperationKind.SEARCH);
    }

    @Override
    public Boolean decode(byte[] value, RequestLimits limits) throws DirectoryException {
        return ControlValue.decode("subentries", value, "BOOLEAN", Subentries::visibility);
    }

    private static Boolean visibility(BerReader reader) throws BerException {
        boolean visible = reader.readBoolean(BerWriter.BOOLEAN);
        reader.leaveFully(reader.limit());
        return visible;
    }
}
