package org.alder.server.control;

import java.util.EnumSet;
import java.util.Set;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.filter.Filter;
import org.alder.partition.filter.FilterDecoder;
import org.alder.partition.filter.FilterLimits;

/** Assertion (RFC 4528): the operation is only done if the filter is true of its target. */
public final class Assertion implements ControlHandler<Filter> {
    public static final Assertion CONTROL = new Assertion();

    private Assertion() {
    }

    @Override
    public String oid() {
        return "1.3.6.1.1.12";
    }

    @Override
    public Set<OperationKind> operations() {
        return EnumSet.complementOf(EnumSet.of(OperationKind.BIND, OperationKind.EXTENDED));
    }

    @Override
    public Filter decode(byte[] value, RequestLimits limits) throws DirectoryException {
        return ControlValue.decode("assertion", value, "a filter", reader -> filter(reader, limits.filter()));
    }

    private static Filter filter(BerReader reader, FilterLimits limits) throws BerException, DirectoryException {
        Filter filter = FilterDecoder.decode(reader, limits);
        reader.leaveFully(reader.limit());
        return filter;
    }
}
