package org.alder.server.follow;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.alder.partition.ber.BerException;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.filter.FilterParser;
import org.alder.partition.request.SearchScope;
import org.alder.server.client.LdapAnswer;

/**
 * Reads entries again that a followed server has told without their operational attributes, as 389 Directory Server tells them to whoever comes
 * back with a cookie, or of which its log says less than the copy needs. Over a connection of its own, which {@link #close} ends until the next one. One
 * thread.
 */
final class EntriesReadAgain implements Closeable {
    /** What each entry of a server has that notes who has changed what. */
    private static final String SIGN = "modifyTimestamp";
    /** Attributes by which servers know their entries, as hexadecimal digits with or without hyphens. */
    private static final List<String> IDENTITIES = List.of("entryUUID", "nsUniqueId");

    private static final List<String> ALL = List.of("*", "+");

    private final FollowSettings settings;
    /** Null for none. */
    private ProviderConnection connection;
    /** Whether the server has shown an entry without them when it was read, too. */
    private boolean useless;

    EntriesReadAgain(FollowSettings settings) {
        this.settings = settings;
    }

    /**
     * The entry with all that it has. It may be newer than what was told, of which the server tells later then.
     *
     * @param uuid as the server told it
     * @return what was told, if that is all, or if the entry is not to be found any more under its name
     */
    LdapAnswer.Entry whole(LdapAnswer.Entry told, byte[] uuid) throws IOException, BerException, FollowException {
        if (useless || told.byDescription().containsKey(SIGN)) {
            return told;
        }
        LdapAnswer.Entry read = connection().find(told.dn(), ALL);
        if (read == null || !isOf(read, uuid)) {
            return told;
        }
        useless = !read.byDescription().containsKey(SIGN);
        return read;
    }

    /** The entry as it is now, wherever it stands; null if there is none any more. @param uuid its entryUUID as text */
    LdapAnswer.Entry now(String uuid) throws IOException, BerException, FollowException, DirectoryException {
        return connection().find(settings.suffix().text(), SearchScope.SUBTREE, FilterParser.parse("(entryUUID=" + UUID.fromString(uuid) + ')'), ALL);
    }

    private ProviderConnection connection() throws IOException, BerException, FollowException {
        if (connection == null) {
            connection = ProviderConnection.open(settings);
        }
        return connection;
    }

    /** The name may be another entry's by now. */
    private static boolean isOf(LdapAnswer.Entry entry, byte[] uuid) {
        String digits = HexFormat.of().formatHex(uuid);
        Map<String, List<byte[]>> attributes = entry.byDescription();
        return IDENTITIES.stream().flatMap(each -> attributes.getOrDefault(each, List.of()).stream())
                .anyMatch(value -> new String(value, StandardCharsets.ISO_8859_1).replace("-", "").equalsIgnoreCase(digits));
    }

    @Override
    public void close() throws IOException {
        if (connection != null) {
            connection.close();
            connection = null;
        }
    }
}
