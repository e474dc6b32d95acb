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
import org.alder.server.control.ResponseControl;

/** Persistent search (draft-ietf-ldapext-psearch-03): the search goes on with the changes of the entries that it finds. */
public final class PersistentSearch implements ControlHandler<PersistentSearch.Request> {
    public static final PersistentSearch CONTROL = new PersistentSearch();

    /** The types of change, as bits. */
    public static final int ADD = 1;
    public static final int DELETE = 2;
    public static final int MODIFY = 4;
    public static final int MODIFY_DN = 8;

    private static final int ALL_TYPES = ADD | DELETE | MODIFY | MODIFY_DN;
    private static final String NAME = "persistent search";
    private static final String EXPECTED = "SEQUENCE { changeTypes INTEGER (1..15), changesOnly BOOLEAN, returnECs BOOLEAN }";
    /** Entry change notification. */
    private static final String NOTIFICATION_OID = "2.16.840.1.113730.3.4.7";

    private PersistentSearch() {
    }

    /**
     * @param changeTypes which changes are told
     * @param changesOnly whether the entries that are there already are left out
     * @param notifications whether each changed entry comes with what became of it
     */
    public record Request(int changeTypes, boolean changesOnly, boolean notifications) {
        public boolean wants(int changeType) {
            return (changeTypes & changeType) != 0;
        }
    }

    @Override
    public String oid() {
        return "2.16.840.1.113730.3.4.3";
    }

    @Override
    public Set<OperationKind> operations() {
        return EnumSet.of(OperationKind.SEARCH);
    }

    @Override
    public Request decode(byte[] value, RequestLimits limits) throws DirectoryException {
        return ControlValue.decode(NAME, value, EXPECTED, PersistentSearch::request);
    }

    private static Request request(BerReader reader) throws BerException, DirectoryException {
        int outer = reader.enter(BerWriter.SEQUENCE);
        int types = reader.readInt(BerWriter.INTEGER);
        Request request = new Request(types, reader.readBoolean(BerWriter.BOOLEAN), reader.readBoolean(BerWriter.BOOLEAN));
        reader.leaveFully(outer);
        if (types < 1 || types > ALL_TYPES) {
            throw ControlValue.invalid(NAME, "changeTypes " + types, EXPECTED);
        }
        return request;
    }

    /** @param previousDn null if the entry was not renamed */
    public static ResponseControl notification(int changeType, String previousDn, long changeNumber) {
        BerWriter out = new BerWriter(64);
        int sequence = out.begin(BerWriter.SEQUENCE);
        out.integer(BerWriter.ENUMERATED, changeType);
        if (previousDn != null) {
            out.string(BerWriter.OCTET_STRING, previousDn);
        }
        out.integer(BerWriter.INTEGER, changeNumber);
        out.end(sequence);
        return new ResponseControl(NOTIFICATION_OID, out.toByteArray());
    }
}
