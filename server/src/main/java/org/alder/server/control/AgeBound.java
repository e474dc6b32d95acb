package org.alder.server.control;

import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Set;
import org.alder.partition.error.DirectoryException;

/**
 * How old what a read shows may be at most, in milliseconds: a control of Alder's own for any member of a cluster. All that was acknowledged
 * anywhere so long before the request has to be shown; 0 for all that was acknowledged before it came. Stateless.
 */
public final class AgeBound implements ControlHandler<Long> {
    public static final AgeBound CONTROL = new AgeBound();
    private static final int MOST_DIGITS = 9;

    private AgeBound() {
    }

    @Override
    public String oid() {
        return "2.25.278641466010882381359084238697260762259.5.3";
    }

    @Override
    public Set<OperationKind> operations() {
        return EnumSet.of(OperationKind.SEARCH, OperationKind.COMPARE, OperationKind.BIND);
    }

    @Override
    public Long decode(byte[] value, RequestLimits limits) throws DirectoryException {
        String text = value == null || value.length > MOST_DIGITS ? "" : new String(value, StandardCharsets.ISO_8859_1);
        if (!text.matches("[0-9]{1," + MOST_DIGITS + "}")) {
            throw ControlValue.invalid("age bound", value == null ? "no value" : value.length + " bytes that are no such number",
                    "milliseconds, as 1 to " + MOST_DIGITS + " decimal digits");
        }
        return Long.parseLong(text);
    }
}
