package org.alder.server.directory.own;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.alder.partition.dn.Ava;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.schema.Schema;
import org.alder.partition.schema.definition.DefinitionKind;
import org.alder.partition.text.Utf8;
import org.alder.partition.tree.EntryView;

/**
 * The subschema subentry (RFC 4512 4.2): the schema as clients read it. Its DN is {@link Schema#SUBSCHEMA_DN};
 * {@code cn=Subschema}, which other servers use, finds it too.
 */
public final class Subschema {
    static final DateTimeFormatter GENERALIZED_TIME =
            DateTimeFormatter.ofPattern("uuuuMMddHHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private Subschema() {
    }

    public static boolean isSubschema(Dn dn) {
        if (dn.size() != 1 || dn.rdn().avas().size() != 1) {
            return false;
        }
        Ava ava = dn.rdn().avas().get(0);
        String value = Utf8.shown(ava.value()).toLowerCase(Locale.ROOT);
        return ava.type().name().equalsIgnoreCase("cn") && (value.equals("schema") || value.equals("subschema"));
    }

    /** @param changed what clients decide by whether to read it again */
    static EntryView entry(Schema schema, Instant loaded, Instant changed) {
        List<Attribute> user = List.of(
                text("objectClass", List.of("top", "subentry", "subschema", "extensibleObject")),
                text("cn", List.of("schema")));
        List<Attribute> operational = new ArrayList<>();
        operational.add(text("subtreeSpecification", List.of("{}")));
        operational.add(text("structuralObjectClass", List.of("subentry")));
        operational.add(text("createTimestamp", List.of(GENERALIZED_TIME.format(loaded))));
        operational.add(text("modifyTimestamp", List.of(GENERALIZED_TIME.format(changed))));
        for (DefinitionKind kind : DefinitionKind.values()) {
            List<String> definitions = schema.definitions(kind);
            if (!definitions.isEmpty()) {
                operational.add(text(kind.attribute(), definitions));
            }
        }
        byte[] rdn = Schema.SUBSCHEMA_DN.getBytes(StandardCharsets.UTF_8);
        return new EntryView(1, EntryRecord.of(0, rdn, user, operational), Schema.SUBSCHEMA_DN);
    }

    static Attribute text(String description, List<String> values) {
        return new Attribute(description, values.stream().map(value -> value.getBytes(StandardCharsets.UTF_8)).toList());
    }
}
