package org.alder.server.control.search;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.error.DirectoryException;
import org.alder.server.control.ControlHandler;
import org.alder.server.control.ControlValue;
import org.alder.server.control.OperationKind;
import org.alder.server.control.RequestLimits;
import org.alder.server.control.ResponseControl;

/**
 * Explain, a control of Alder's own: the result of a search comes with how it was planned, as {@code bin/alder explain} shows it, and what
 * that cost. The plan has counts of entries that whoever asks may not see, so only administrators are told it. The request has no value;
 * the response's is
 *
 * <pre>
 * SEQUENCE { examined INTEGER, plan SEQUENCE OF line UTF8String }
 * </pre>
 */
public final class Explain implements ControlHandler<Boolean> {
    public static final Explain CONTROL = new Explain();
    public static final String OID = "2.25.278641466010882381359084238697260762259.5.1";

    private Explain() {
    }

    @Override
    public String oid() {
        return OID;
    }

    @Override
    public Set<OperationKind> operations() {
        return EnumSet.of(OperationKind.SEARCH);
    }

    @Override
    public Boolean decode(byte[] value, RequestLimits limits) throws DirectoryException {
        return ControlValue.none("explain", value);
    }

    /** @param examined entries that were looked at  @param plan its lines */
    public ResponseControl response(long examined, List<String> plan) {
        BerWriter out = new BerWriter(256);
        int outer = out.begin(BerWriter.SEQUENCE);
        out.integer(BerWriter.INTEGER, Math.min(examined, Integer.MAX_VALUE));
        int lines = out.begin(BerWriter.SEQUENCE);
        plan.forEach(line -> out.string(BerWriter.OCTET_STRING, line));
        out.end(lines);
        out.end(outer);
        return new ResponseControl(OID, out.toByteArray());
    }
}
