package org.alder.server.control.search;

import java.util.EnumSet;
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

/**
 * Virtual list view (draft-ietf-ldapext-ldapv3-vlv-09): a window of a sorted search. The server keeps nothing between the
 * requests, so it gives no context identifier, and ignores one.
 */
public final class VirtualListView implements ControlHandler<VirtualListView.Request> {
    public static final VirtualListView CONTROL = new VirtualListView();

    private static final String RESPONSE = "2.16.840.1.113730.3.4.10";
    private static final int BY_OFFSET = 0xA0;
    private static final int BY_VALUE = 0x81;
    private static final String EXPECTED = "SEQUENCE { beforeCount, afterCount, CHOICE { [0] SEQUENCE { offset, contentCount },"
            + " [1] value }, contextID OPTIONAL } with no negative number";

    /**
     * What a virtual list view control asks for.
     *
     * @param before how many entries before the target
     * @param after how many behind it
     * @param offset the target's place, from 1; of use if there is no value
     * @param contentCount how long the client thinks the list is, 0 for no idea
     * @param value the target is the first entry not before this value; null if it is wanted by its offset. Not to be changed
     */
    public record Request(int before, int after, int offset, int contentCount, byte[] value) {
    }

    private VirtualListView() {
    }

    @Override
    public String oid() {
        return "2.16.840.1.113730.3.4.9";
    }

    @Override
    public Set<OperationKind> operations() {
        return EnumSet.of(OperationKind.SEARCH);
    }

    @Override
    public Request decode(byte[] value, RequestLimits limits) throws DirectoryException {
        Request request = ControlValue.decode("virtual list view", value, EXPECTED, VirtualListView::request);
        if (request.before() < 0 || request.after() < 0 || request.offset() < 0 || request.contentCount() < 0) {
            throw ControlValue.invalid("virtual list view", "a negative number", EXPECTED);
        }
        return request;
    }

    private static Request request(BerReader reader) throws BerException {
        int outer = reader.enter(BerWriter.SEQUENCE);
        int before = reader.readInt(BerWriter.INTEGER);
        int after = reader.readInt(BerWriter.INTEGER);
        int offset = 0;
        int contentCount = 0;
        byte[] value = null;
        if (reader.peekTag() == BY_OFFSET) {
            int target = reader.enter(BY_OFFSET);
            offset = reader.readInt(BerWriter.INTEGER);
            contentCount = reader.readInt(BerWriter.INTEGER);
            reader.leaveFully(target);
        } else {
            value = reader.readBytes(BY_VALUE);
        }
        if (reader.hasMore()) {
            reader.readBytes(BerWriter.OCTET_STRING);
        }
        reader.leaveFully(outer);
        return new Request(before, after, offset, contentCount, value);
    }

    /** @param code success, or what is wrong with the view */
    public ResponseControl response(long targetPosition, long contentCount, ResultCode code) {
        BerWriter writer = new BerWriter(32);
        int sequence = writer.begin(BerWriter.SEQUENCE);
        writer.integer(BerWriter.INTEGER, targetPosition);
        writer.integer(BerWriter.INTEGER, contentCount);
        writer.integer(BerWriter.ENUMERATED, code.number());
        writer.end(sequence);
        return new ResponseControl(RESPONSE, writer.toByteArray());
    }
}
