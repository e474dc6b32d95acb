package org.alder.server.cli.data;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.alder.ldif.LdifAttribute;
import org.alder.ldif.bulk.Export;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.ObjectClass;
import org.alder.partition.schema.Schema;
import org.alder.partition.text.Utf8;

/**
 * What an export for another server leaves out, because that server has no such definitions and refuses what it does not know:
 * attributes and auxiliary classes that are Alder's own, and for some servers operational attributes that they do not have or make
 * anew. One thread.
 */
final class ExportTarget implements Export.Form {
    /** Of definitions that are Alder's own. */
    private static final String OWN_ARC = "2.25.278641466010882381359084238697260762259.";
    /** Operational attributes of RFC 4512 3.4 and RFC 3296, which every server has, and those of 389's own that say something of an entry. */
    private static final List<String> OF_389 = List.of("creatorsName", "createTimestamp", "modifiersName", "modifyTimestamp", "ref", "aci", "nsAccountLock",
            "nsRoleDN", "nsSizeLimit", "nsTimeLimit", "nsLookThroughLimit", "nsIdleTimeout", "passwordExpirationTime");
    private static final String OBJECT_CLASS = "objectClass";

    private final Schema schema;
    private final Server server;
    private final Map<String, Boolean> kept = new HashMap<>();
    private long leftOut;

    /** Whose loader the LDIF is for. */
    enum Server {
        /** OpenLDAP's slapadd: it takes the operational attributes of its own replication, but no version line. */
        SLAPADD,
        /** 389 Directory Server's ldif2db: it makes its own unique IDs and change numbers. */
        LDIF2DB
    }

    ExportTarget(Schema schema, Server server) {
        this.schema = schema;
        this.server = server;
    }

    @Override
    public boolean has(String description) {
        boolean has = kept.computeIfAbsent(description, this::isKnownThere);
        leftOut += has ? 0 : 1;
        return has;
    }

    private boolean isKnownThere(String text) {
        AttributeDescription description = schema.descriptionOrNull(text);
        if (description == null || description.type().oid().startsWith(OWN_ARC)) {
            return description == null;
        }
        return server == Server.SLAPADD || !description.type().isOperational()
                || OF_389.stream().anyMatch(description.type().name()::equalsIgnoreCase);
    }

    @Override
    public boolean has(LdifAttribute line) {
        if (!has(line.description())) {
            return false;
        } else if (isPlaceholder(line)) {
            leftOut++;
            return false;
        } else if (!line.description().equalsIgnoreCase(OBJECT_CLASS)) {
            return true;
        }
        String name = Utf8.decodeOrNull(line.value());
        ObjectClass objectClass = name == null ? null : schema.objectClass(name);
        boolean own = objectClass != null && objectClass.oid().startsWith(OWN_ARC);
        leftOut += own ? 1 : 0;
        return !own;
    }

    /** The member of a group that has none, an empty DN: 389 skips entries with it, and has groups without members. */
    private boolean isPlaceholder(LdifAttribute line) {
        AttributeDescription description = line.value().length > 0 || server != Server.LDIF2DB ? null : schema.descriptionOrNull(line.description());
        return description != null && description.type().holdsNames();
    }

    /** Values that the other server would refuse. */
    long leftOut() {
        return leftOut;
    }
}
