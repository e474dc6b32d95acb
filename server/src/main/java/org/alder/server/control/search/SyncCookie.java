package org.alder.server.control.search;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.zip.CRC32C;
import org.alder.partition.entry.Csn;

/**
 * The cookie of a content synchronization, a text such as OpenLDAP's consumer reads and writes:
 * {@code rid=001,content=1a2b3c4d,csn=20261121142243.123000Z#000000#000#0001a7}. It names the commit up to which the client's
 * copy is, and what it is a copy of, which a consumer may leave out. It gives no rights. Immutable.
 *
 * @param replica what the client calls itself, three digits
 * @param initial whether it names no state at all
 * @param csn null if it names none, or one that cannot be this server's
 * @param content null if it does not say
 */
public record SyncCookie(String replica, boolean initial, Csn csn, String content) {
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
        String replica = fields.getOrDefault("rid", "");
        return new SyncCookie(replica.matches("\\d{3}") ? replica : NONE.replica,
                csn == null && fields.containsKey("rid") && !fields.containsKey(""), csn == null ? null : own(csn),
                fields.get("content"));
    }

    /** A consumer of several servers names one commit of each. */
    private static Csn own(String csns) {
        for (String csn : csns.split(";")) {
            Csn own = Csn.parse(csn.getBytes(StandardCharsets.ISO_8859_1));
            if (own != null) {
                return own;
            }
        }
        return null;
    }

    /** Whether it can be of a copy of this content. */
    public boolean isOf(String otherContent) {
        return csn != null && (content == null || content.equals(otherContent));
    }

    /** @param search what makes the content what it is: who, base, scope, filter, attributes */
    public static String contentOf(byte[] search) {
        CRC32C crc = new CRC32C();
        crc.update(search);
        return String.format(Locale.ROOT, "%08x", crc.getValue());
    }

    public byte[] bytes() {
        return ("rid=" + replica + ",content=" + content + ",csn=" + csn).getBytes(StandardCharsets.US_ASCII);
    }
}
