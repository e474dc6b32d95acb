package org.alder.server.follow;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.alder.partition.request.Modification;
import org.alder.partition.text.Utf8;
import org.alder.server.client.LdapAnswer;

/**
 * What an entry of a followed server's log says (slapo-accesslog(5)), as bytes of others: each is checked. Not to be changed.
 *
 * @param uuid          entryUUID of the entry that was changed, as text
 * @param csn           its entryCSN afterwards
 * @param modifications of an add all its attributes; null where the log says them in a form that is not known
 */
record LoggedChange(Kind kind, String dn, String uuid, byte[] csn, List<Modification> modifications) {
    /** What the search of the log asks for. */
    static final List<String> ATTRIBUTES = List.of("reqType", "reqDN", "reqMod", "reqEntryUUID", "entryCSN");
    static final String FILTER = "(&(objectClass=auditWriteObject)(reqResult=0))";
    private static final int MOST_CSN_BYTES = 64;

    /** What was done. */
    enum Kind { ADD, MODIFY, RENAME, DELETE }

    static LoggedChange of(LdapAnswer.Entry entry) throws FollowException {
        Map<String, List<byte[]>> attributes = entry.byDescription();
        Kind kind = switch (one(entry, attributes, "reqType")) {
            case "add" -> Kind.ADD;
            case "modify" -> Kind.MODIFY;
            case "modrdn" -> Kind.RENAME;
            case "delete" -> Kind.DELETE;
            default -> throw unreadable(entry, "reqType");
        };
        String uuid = one(entry, attributes, "reqEntryUUID");
        String csn = one(entry, attributes, "entryCSN");
        try {
            uuid = UUID.fromString(uuid).toString();
        } catch (IllegalArgumentException e) {
            throw unreadable(entry, "reqEntryUUID");
        }
        if (csn.length() > MOST_CSN_BYTES) {
            throw unreadable(entry, "entryCSN");
        }
        return new LoggedChange(kind, one(entry, attributes, "reqDN"), uuid, csn.getBytes(StandardCharsets.US_ASCII),
                modifications(attributes.getOrDefault("reqMod", List.of())));
    }

    private static String one(LdapAnswer.Entry entry, Map<String, List<byte[]>> attributes, String name) throws FollowException {
        List<byte[]> values = attributes.getOrDefault(name, List.of());
        String text = values.size() == 1 ? Utf8.decodeOrNull(values.get(0)) : null;
        if (text == null) {
            throw unreadable(entry, name);
        }
        return text;
    }

    private static FollowException unreadable(LdapAnswer.Entry entry, String name) {
        return new FollowException(FollowException.Next.ENTRIES, "\"" + ProviderConnection.shown(entry.dn()) + "\" in the server's log has no " + name
                + " that can be used");
    }

    /** {@code type:+ value}; lines of one modification follow each other, and a line {@code :} is between two of one attribute. */
    private static List<Modification> modifications(List<byte[]> lines) {
        List<Modification> all = new ArrayList<>();
        Modification.Kind kind = null;
        String description = null;
        List<byte[]> values = new ArrayList<>();
        for (byte[] line : lines) {
            int colon = indexOf(line, (byte) ':');
            boolean isBreak = colon == 0 && line.length == 1;
            Modification.Kind next = isBreak ? null : kind(line, colon);
            if (!isBreak && next == null) {
                return null;
            }
            String name = isBreak ? null : new String(line, 0, colon, StandardCharsets.US_ASCII);
            if (kind != null && (kind != next || !description.equals(name))) {
                all.add(new Modification(kind, description, List.copyOf(values)));
                values.clear();
            }
            kind = next;
            description = name;
            if (!isBreak && line.length > colon + 2) {
                values.add(Arrays.copyOfRange(line, colon + 3, line.length));
            }
        }
        if (kind != null) {
            all.add(new Modification(kind, description, List.copyOf(values)));
        }
        return all;
    }

    /** Null for none. */
    private static Modification.Kind kind(byte[] line, int colon) {
        if (colon <= 0 || line.length < colon + 2 || line.length > colon + 2 && line[colon + 2] != ' ') {
            return null;
        }
        return switch (line[colon + 1]) {
            case '+' -> Modification.Kind.ADD;
            case '-' -> Modification.Kind.DELETE;
            case '=' -> Modification.Kind.REPLACE;
            default -> null;
        };
    }

    private static int indexOf(byte[] line, byte sought) {
        for (int i = 0; i < line.length; i++) {
            if (line[i] == sought) {
                return i;
            }
        }
        return -1;
    }

    /** An added entry; null where the log does not say all of it. */
    LdapAnswer.Entry entry() {
        if (modifications == null || modifications.stream().anyMatch(each -> each.kind() != Modification.Kind.ADD)) {
            return null;
        }
        return new LdapAnswer.Entry(dn, modifications.stream().map(each -> new LdapAnswer.Attribute(each.description(), each.values())).toList(), Map.of());
    }

    /** What changes in the entry; null where the log does not say it. */
    List<Modification> kept() {
        return modifications == null ? null : modifications.stream().filter(each -> !ForeignAttributes.isLeftOut(each.description())).toList();
    }
}
