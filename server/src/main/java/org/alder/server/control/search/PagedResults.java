package org.alder.server.control.search;

import java.util.EnumSet;
import java.util.Set;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.server.control.ControlHandler;
import org.alder.server.control.OperationKind;
import org.alder.server.control.RequestLimits;
import org.alder.server.control.ResponseControl;

/** Simple paged results (RFC 2696). A search that has it is always answered with it. */
public final class PagedResults implements ControlHandler<PagedResults.Request> {
    public static final PagedResults CONTROL = new PagedResults();

    /**
     * The value of a paged results control (RFC 2696 2). @param size entries wanted; 0 with a cookie ends the paged search
     * @param cookie empty for the first page; not to be changed
     */
    public record Request(int size, byte[] cookie) {
    }

    private PagedResults() {
    }

    @Override
    public String oid() {
        return "1.2.840.113556.1.4.319";
    }

    @Override
    public Set<OperationKind> operations() {
        return EnumSet.of(OperationKind.SEARCH);
    }

    @Override
    public Request decode(byte[] value, RequestLimits limits) throws DirectoryException {
        if (value == null) {
            throw invalid("no value");
        }
        try {
            BerReader reader = new BerReader(value);
            int outer = reader.enter(BerWriter.SEQUENCE);
            int size = reader.readInt(BerWriter.INTEGER);
            byte[] cookie = reader.readBytes(BerWriter.OCTET_STRING);
            reader.leave(outer);
            if (size < 0) {
                throw invalid("page size " + size);
            }
            return new Request(size, cookie);
        } catch (BerException e) {
            throw invalid(e.getMessage());
        }
    }

    /**
     * The control of a response; its size is 0: the number of entries is not estimated.
     *
     * @param cookie empty if this was the last page
     */
    public ResponseControl response(byte[] cookie) {
        BerWriter writer = new BerWriter(16 + cookie.length);
        int sequence = writer.begin(BerWriter.SEQUENCE);
        writer.integer(BerWriter.INTEGER, 0);
        writer.octets(BerWriter.OCTET_STRING, cookie);
        writer.end(sequence);
        return new ResponseControl(oid(), writer.toByteArray());
    }

    private static DirectoryException invalid(String found) {
        return new DirectoryException(ResultCode.PROTOCOL_ERROR,
                "paged results control: " + found + ", expected SEQUENCE { size INTEGER (0..), cookie OCTET STRING }");
    }
}
