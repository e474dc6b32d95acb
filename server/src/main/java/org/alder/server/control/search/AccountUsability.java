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
import org.alder.server.policy.AccountStanding;

/**
 * Account usability (1.3.6.1.4.1.42.2.27.9.5.8 of Sun's directory server): each account that a search finds comes with whether it can be
 * logged in to. The request has no value; the response's is
 *
 * <pre>
 * CHOICE { isAvailable [0] INTEGER, -- seconds until the password expires, -1 = never
 *          isNotAvailable [1] SEQUENCE { inactive [0] BOOLEAN DEFAULT FALSE, reset [1] BOOLEAN DEFAULT FALSE,
 *              expired [2] BOOLEAN DEFAULT FALSE, remainingGrace [3] INTEGER OPTIONAL, secondsBeforeUnlock [4] INTEGER OPTIONAL } }
 * </pre>
 */
public final class AccountUsability implements ControlHandler<Boolean> {
    public static final AccountUsability CONTROL = new AccountUsability();
    public static final String OID = "1.3.6.1.4.1.42.2.27.9.5.8";

    private static final int AVAILABLE = 0x80;
    private static final int NOT_AVAILABLE = 0xA1;
    private static final int INACTIVE = 0x80;
    private static final int RESET = 0x81;
    private static final int EXPIRED = 0x82;
    private static final int GRACE = 0x83;
    private static final int UNLOCK = 0x84;

    private AccountUsability() {
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
        return ControlValue.none("account usability", value);
    }

    public ResponseControl response(AccountStanding standing) {
        BerWriter out = new BerWriter(32);
        if (standing.isUsable()) {
            out.integer(AVAILABLE, Math.min(standing.expirySeconds(), Integer.MAX_VALUE));
        } else {
            int more = out.begin(NOT_AVAILABLE);
            out.bool(INACTIVE, standing.inactive());
            out.bool(RESET, standing.reset());
            out.bool(EXPIRED, standing.expired());
            if (standing.expired()) {
                out.integer(GRACE, standing.graceLogins());
            }
            if (standing.unlockSeconds() >= 0) {
                out.integer(UNLOCK, Math.min(standing.unlockSeconds(), Integer.MAX_VALUE));
            }
            out.end(more);
        }
        return new ResponseControl(OID, out.toByteArray());
    }

    /** What a response says. */
    public static AccountStanding standing(byte[] response) throws BerException {
        BerReader reader = new BerReader(response);
        if (reader.peekTag() == AVAILABLE) {
            return new AccountStanding(false, false, false, 0, -1, reader.readInt(AVAILABLE));
        }
        reader.enter(NOT_AVAILABLE);
        boolean inactive = reader.peekTag() == INACTIVE && reader.readBoolean(INACTIVE);
        boolean reset = reader.peekTag() == RESET && reader.readBoolean(RESET);
        boolean expired = reader.peekTag() == EXPIRED && reader.readBoolean(EXPIRED);
        int grace = reader.peekTag() == GRACE ? reader.readInt(GRACE) : 0;
        return new AccountStanding(inactive, reset, expired, grace, reader.peekTag() == UNLOCK ? reader.readInt(UNLOCK) : -1, -1);
    }
}
