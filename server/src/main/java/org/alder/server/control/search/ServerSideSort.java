package org.alder.server.control.search;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.server.control.ControlHandler;
import org.alder.server.control.ControlValue;
import org.alder.server.control.OperationKind;
import org.alder.server.control.RequestLimits;
import org.alder.server.control.ResponseControl;

/** Server-side sorting (RFC 2891). A search that has it is always answered with it, unless the search itself failed. */
public final class ServerSideSort implements ControlHandler<List<ServerSideSort.SortKey>> {
    public static final ServerSideSort CONTROL = new ServerSideSort();

    private static final String RESPONSE = "1.2.840.113556.1.4.474";
    private static final int RULE = 0x80;
    private static final int REVERSE = 0x81;
    private static final String EXPECTED = "SEQUENCE OF 1 or more"
            + " SEQUENCE { attribute, orderingRule [0] OPTIONAL, reverseOrder [1] BOOLEAN DEFAULT FALSE }";

    /** One key of a sort control (RFC 2891 1.1). @param rule name or OID of the ordering rule, null for the attribute's own */
    public record SortKey(String attribute, String rule, boolean reverse) {
    }

    private ServerSideSort() {
    }

    @Override
    public String oid() {
        return "1.2.840.113556.1.4.473";
    }

    @Override
    public Set<OperationKind> operations() {
        return EnumSet.of(OperationKind.SEARCH);
    }

    @Override
    public List<SortKey> decode(byte[] value, RequestLimits limits) throws DirectoryException {
        List<SortKey> keys = ControlValue.decode("sort", value, EXPECTED, reader -> keys(reader, limits));
        if (keys.isEmpty()) {
            throw ControlValue.invalid("sort", "no keys", EXPECTED);
        }
        return keys;
    }

    private static List<SortKey> keys(BerReader reader, RequestLimits limits) throws BerException, DirectoryException {
        List<SortKey> keys = new ArrayList<>(2);
        int list = reader.enter(BerWriter.SEQUENCE);
        while (reader.hasMore()) {
            int key = reader.enter(BerWriter.SEQUENCE);
            String attribute = reader.readString(BerWriter.OCTET_STRING);
            String rule = reader.peekTag() == RULE ? reader.readString(RULE) : null;
            boolean reverse = reader.peekTag() == REVERSE && reader.readBoolean(REVERSE);
            reader.leaveFully(key);
            keys.add(new SortKey(attribute, rule, reverse));
            if (keys.size() > limits.sortKeys()) {
                throw RequestLimits.exceeded("more sort keys", limits.sortKeys(), "maxSortKeys");
            }
        }
        reader.leaveFully(list);
        return keys;
    }

    /** @param attribute the one to blame, null for none */
    public ResponseControl response(ResultCode code, String attribute) {
        BerWriter writer = new BerWriter(32);
        int sequence = writer.begin(BerWriter.SEQUENCE);
        writer.integer(BerWriter.ENUMERATED, code.number());
        if (attribute != null) {
            writer.string(RULE, attribute);
        }
        writer.end(sequence);
        return new ResponseControl(RESPONSE, writer.toByteArray());
    }
}
