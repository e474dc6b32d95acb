package org.alder.server.control.search;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.filter.Filter;
import org.alder.partition.filter.FilterDecoder;
import org.alder.partition.filter.FilterLimits;
import org.alder.server.control.ControlHandler;
import org.alder.server.control.ControlValue;
import org.alder.server.control.OperationKind;
import org.alder.server.control.RequestLimits;

/** Matched values (RFC 3876): of the entries found, only values of which one of the filter items is true are returned. */
public final class MatchedValues implements ControlHandler<List<Filter>> {
    public static final MatchedValues CONTROL = new MatchedValues();

    private static final String NAME = "matched values";
    private static final String EXPECTED = "SEQUENCE OF filter items without and, or, not and :dn";

    private MatchedValues() {
    }

    @Override
    public String oid() {
        return "1.2.826.0.1.3344810.2.3";
    }

    @Override
    public Set<OperationKind> operations() {
        return EnumSet.of(OperationKind.SEARCH);
    }

    @Override
    public List<Filter> decode(byte[] value, RequestLimits limits) throws DirectoryException {
        return ControlValue.decode(NAME, value, EXPECTED, reader -> items(reader, limits.filter()));
    }

    private static List<Filter> items(BerReader reader, FilterLimits limits) throws BerException, DirectoryException {
        int outer = reader.enter(BerWriter.SEQUENCE);
        List<Filter> items = FilterDecoder.decodeAll(reader, limits);
        for (Filter item : items) {
            if (item instanceof Filter.And || item instanceof Filter.Or || item instanceof Filter.Not
                    || item instanceof Filter.Extensible match && match.dnAttributes()) {
                throw ControlValue.invalid(NAME, "a filter that is no simple item", EXPECTED);
            }
        }
        reader.leaveFully(outer);
        if (items.isEmpty()) {
            throw ControlValue.invalid(NAME, "no filter item", EXPECTED);
        }
        return items;
    }
}
