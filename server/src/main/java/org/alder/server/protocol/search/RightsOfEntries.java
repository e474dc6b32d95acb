package org.alder.server.protocol.search;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.AttributeCursor;
import org.alder.partition.entry.EntryAttributes;
import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.server.control.ResponseControl;
import org.alder.server.control.search.GetEffectiveRights;
import org.alder.server.directory.AuthorizationIdentities;
import org.alder.server.directory.Directory;
import org.alder.server.directory.EffectiveRights;
import org.alder.server.directory.EntryCursor;
import org.alder.server.directory.OperationContext;
import org.alder.server.directory.OperationOptions;
import org.alder.server.protocol.encode.EntryControls;

/**
 * What somebody may do with each entry that a search returns: the attributes entryLevelRights and attributeLevelRights of 389 DS, or
 * those of Sun's servers if the search names aclRights. One thread at a time.
 */
final class RightsOfEntries implements EntryControls {
    private static final String SUN = "aclRights";
    private static final String NOTHING = "none";

    private final Directory directory;
    private final Schema schema;
    /** Of whoever's rights are asked for. */
    private final OperationContext context;
    private final List<String> asked;
    private final EntryControls others;

    private RightsOfEntries(Directory directory, Schema schema, OperationContext context, List<String> asked, EntryControls others) {
        this.directory = directory;
        this.schema = schema;
        this.context = context;
        this.asked = asked;
        this.others = others;
    }

    /**
     * @param selected the attributes that the search names
     * @param others what else goes with each entry
     * @throws DirectoryException authorizationDenied to who may not act for those whose rights he asks for
     */
    static EntryControls of(Directory directory, Schema schema, OperationContext context, GetEffectiveRights.Asked asked,
            List<String> selected, EntryControls others) throws DirectoryException {
        OperationContext plain = context.withOptions(OperationOptions.NONE);
        String who = asked.authorizationId();
        boolean own = who == null || who.equalsIgnoreCase(context.identity().authorizationId());
        OperationContext theirs = own ? plain
                : plain.withIdentity(new AuthorizationIdentities(directory, schema).proxied(plain, compact(who)));
        List<String> names = new ArrayList<>(selected);
        names.addAll(asked.attributes());
        return new RightsOfEntries(directory, schema, theirs, names, others);
    }

    /** 389's own tools write a blank behind the colon. */
    private static String compact(String authorizationId) {
        return authorizationId.replaceFirst("^(?i)(dn|u):\\s+", "$1:");
    }

    @Override
    public List<ResponseControl> of(EntryCursor entry) throws DirectoryException {
        return others.of(entry);
    }

    @Override
    public List<Attribute> attributes(EntryCursor entry) throws DirectoryException {
        EffectiveRights rights = directory.rights(context, Dn.parse(schema, entry.dn()));
        Set<AttributeType> types = types(entry);
        return asked.stream().anyMatch(SUN::equalsIgnoreCase) ? sun(rights, types) : List.of(
                attribute("entryLevelRights", orNone(rights.ofEntry())),
                attribute("attributeLevelRights", types.isEmpty() ? "*:" + NOTHING : types.stream()
                        .map(type -> type.name() + ":" + orNone(rights.of(type))).collect(Collectors.joining(", "))));
    }

    private static String orNone(String letters) {
        return letters.isEmpty() ? NOTHING : letters;
    }

    /** Those that the request names, and with {@code *}, or if it names none, those that the entry has and the client may know of. */
    private Set<AttributeType> types(EntryCursor entry) {
        Set<AttributeType> types = new LinkedHashSet<>();
        for (String name : asked) {
            AttributeDescription description = schema.descriptionOrNull(name);
            if (description != null) {
                types.add(description.type());
            }
        }
        if (asked.isEmpty() || asked.contains("*") || asked.contains("+")) {
            EntryAttributes attributes = entry.attributes();
            AttributeCursor cursor = attributes.cursor(asked.contains("+"));
            while (cursor.next()) {
                add(entry, schema.descriptionOrNull(cursor.bytes(), cursor.nameOffset(), cursor.nameLength()), types);
            }
            for (LargeAttribute large : attributes.largeAttributes()) {
                add(entry, schema.descriptionOrNull(large.description()), types);
            }
        }
        return types;
    }

    private static void add(EntryCursor entry, AttributeDescription description, Set<AttributeType> types) {
        if (description != null && entry.access().mayRead(description.type())) {
            types.add(description.type());
        }
    }

    private static Attribute attribute(String description, String value) {
        return new Attribute(description, List.of(value.getBytes(StandardCharsets.UTF_8)));
    }

    private static List<Attribute> sun(EffectiveRights rights, Set<AttributeType> types) {
        List<Attribute> attributes = new ArrayList<>();
        String entry = rights.ofEntry();
        boolean writes = types.stream().anyMatch(type -> rights.of(type).contains("w"));
        attributes.add(attribute(SUN + ";entryLevel", flags("add:" + has(entry, "a"),
                "delete:" + has(entry, "d"), "read:" + has(entry, "v"), "write:" + (writes ? 1 : 0), "proxy:0")));
        for (AttributeType type : types) {
            String letters = rights.of(type);
            attributes.add(attribute(SUN + ";attributeLevel;" + type.name(), flags("search:" + has(letters, "s"),
                    "read:" + has(letters, "r"), "compare:" + has(letters, "c"), "write:" + has(letters, "w"),
                    "selfwrite_add:" + has(letters, "W"), "selfwrite_delete:" + has(letters, "O"), "proxy:0")));
        }
        return attributes;
    }

    private static int has(String letters, String letter) {
        return letters.contains(letter) ? 1 : 0;
    }

    private static String flags(String... flags) {
        return String.join(",", flags);
    }
}
