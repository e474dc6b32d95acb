package org.alder.server.control.search;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;
import org.alder.partition.entry.Csn;
import org.alder.server.directory.ContentState;

/**
 * The cookie of a content synchronization, a text such as OpenLDAP's consumer reads and writes (docs/format/sync-cookie.md):
 * {@code rid=001,content=1a2b3c4d,csn=20261121142243.123000Z#000000#000#0001a7}. It names the commit up to which the client's
 * copy is, and what it is a copy of, which a consumer may leave out. Of a naming context with shards it names a commit of each:
 * {@code shards=CSN;CSN;CSN}, before the {@code csn}, as OpenLDAP's consumer reads from that up to a semicolon. The {@code csn} is then
 * all of them as one ({@link ContentState#csn}), as it takes no change unless that has grown. It gives no rights. Immutable.
 *
 * @param replica what the client calls itself, three digits
 * @param initial whether it names no state at all
 * @param state null if it names none, or one that cannot be this server's
 * @param content null if it does not say
 */
public record SyncCookie(String replica, boolean initial, ContentState state, String content) {
    /** Where a number has the microseconds of its millisecond, which are 0 in those of commits. */
    private static final int MICROS = 18;
    private static final String OF_DELETIONS = "001";
    private static final SyncCookie NONE = new SyncCookie("000", true, null, null);

    /** @param cookie null for none */
    public static SyncCookie parse(byte[] cookie) {
        if (cookie == null || cookie.length == 0) {
            return NONE;
        }
        Map<String, String> fields = new HashMap<>();
        for (String field : new String(cookie, StandardCharsets.ISO_8859_1).split(",")) {
            int equals = field.indexOf('=');
            fields.put(equals < 0 ? "" : field.substring(0, equals).toLowerCase(Locale.ROOT), field.substring(equals + 1));
        }
        String csn = fields.get("csn");
        String shards = fields.get("shards");
        String replica = fields.getOrDefault("rid", "");
        return new SyncCookie(replica.matches("\\d{3}") ? replica : NONE.replica,
                csn == null && fields.containsKey("rid") && !fields.containsKey(""),
                shards != null ? ofShards(shards) : csn == null ? null : own(csn), fields.get("content"));
    }

    /**
     * A consumer of several servers names one commit of each. One that stopped behind deletions may name their number: then it is still
     * where it was before.
     */
    private static ContentState own(String csns) {
        for (String csn : csns.split(";")) {
            Csn own = csn(csn.startsWith(OF_DELETIONS, MICROS) ? withMicros(csn, "000") : csn);
            if (own != null) {
                return ContentState.of(own);
            }
        }
        return null;
    }

    private static ContentState ofShards(String csns) {
        List<Csn> commits = new ArrayList<>();
        for (String csn : csns.split(";", ContentState.MOST + 1)) {
            Csn own = csn(csn);
            if (own == null || commits.size() == ContentState.MOST) {
                return null;
            }
            commits.add(own);
        }
        return new ContentState(commits);
    }

    private static Csn csn(String text) {
        return Csn.parse(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Whether it can be of a copy of this content. */
    public boolean isOf(String otherContent) {
        return state != null && (content == null || content.equals(otherContent));
    }

    /** @param search what makes the content what it is: who, base, scope, filter, attributes */
    public static String contentOf(byte[] search) {
        CRC32C crc = new CRC32C();
        crc.update(search);
        return String.format(Locale.ROOT, "%08x", crc.getValue());
    }

    public byte[] bytes() {
        return text().getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * The same state, for deletions that lead on from it. A consumer of OpenLDAP notes them under the number {@code delcsn}, and passes
     * them on by that to others, which ignore what has a smaller one than they have seen: so it is greater than that of the state, and
     * smaller than those of later milliseconds.
     */
    public byte[] bytesOfDeletions() {
        return (text() + ",delcsn=" + withMicros(state.csn().toString(), OF_DELETIONS)).getBytes(StandardCharsets.US_ASCII);
    }

    private static String withMicros(String csn, String micros) {
        return csn.substring(0, MICROS) + micros + csn.substring(MICROS + micros.length());
    }

    private String text() {
        List<Csn> commits = state.commits();
        String shards = commits.size() == 1 ? "" : commits.stream().map(Csn::toString).collect(Collectors.joining(";", ",shards=", ""));
        return "rid=" + replica + ",content=" + content + shards + ",csn=" + state.csn();
    }
}
