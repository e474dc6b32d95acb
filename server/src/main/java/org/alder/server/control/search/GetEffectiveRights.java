package org.alder.server.control.search;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.server.control.AttributeNames;
import org.alder.server.control.ControlHandler;
import org.alder.server.control.ControlValue;
import org.alder.server.control.OperationKind;
import org.alder.server.control.RequestLimits;

/**
 * Get effective rights: each entry comes with what somebody may do with it. The control has no standard, and clients send its value
 * in three ways: as the authorization identity itself (389 DS), as an OCTET STRING of it, and as {@code SEQUENCE { authzId OCTET
 * STRING, attributes SEQUENCE OF OCTET STRING }} (Sun's servers and those that come from it). Without a value one asks about oneself.
 */
public final class GetEffectiveRights implements ControlHandler<GetEffectiveRights.Asked> {
    public static final GetEffectiveRights CONTROL = new GetEffectiveRights();

    private static final String NAME = "get effective rights";
    private static final String EXPECTED = "dn: and a DN, u: and a uid, or SEQUENCE { authzId, attributes SEQUENCE OF attribute }";

    private GetEffectiveRights() {
    }

    /**
     * What is asked.
     *
     * @param authorizationId whose rights; null for those of whoever asks
     * @param attributes which are shown beside those that the search selects
     */
    public record Asked(String authorizationId, List<String> attributes) {
    }

    @Override
    public String oid() {
        return "1.3.6.1.4.1.42.2.27.9.5.2";
    }

    @Override
    public Set<OperationKind> operations() {
        return EnumSet.of(OperationKind.SEARCH);
    }

    @Override
    public Asked decode(byte[] value, RequestLimits limits) throws DirectoryException {
        if (value == null || value.length == 0) {
            return new Asked(null, List.of());
        }
        return switch (value[0]) {
            case BerWriter.SEQUENCE -> ControlValue.decode(NAME, value, EXPECTED, reader -> {
                int outer = reader.enter(BerWriter.SEQUENCE);
                String who = Dn.text(reader.readBytes(BerWriter.OCTET_STRING));
                List<String> attributes = reader.hasMore() ? AttributeNames.read(reader, limits) : List.of();
                reader.leaveFully(outer);
                return new Asked(who, attributes);
            });
            case BerWriter.OCTET_STRING -> ControlValue.decode(NAME, value, EXPECTED,
                    reader -> new Asked(Dn.text(reader.readBytes(BerWriter.OCTET_STRING)), List.of()));
            default -> new Asked(Dn.text(value), List.of());
        };
    }
}
