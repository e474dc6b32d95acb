package org.alder.server.assembly;

import java.util.List;
import java.util.Objects;
import org.alder.partition.Partition;
import org.alder.partition.derived.Memberships;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.Snapshot;
import org.alder.server.auth.Administrator;
import org.alder.server.config.ConfigurationException;
import org.alder.server.config.Key;
import org.alder.server.config.PartitionConfiguration;
import org.alder.server.config.PartitionKeys;
import org.alder.server.config.ServerConfiguration;
import org.alder.server.config.ServerKeys;

/** Who administers a server, from its configuration. Stateless. */
public final class AdministratorAssembly {
    private AdministratorAssembly() {
    }

    /** The administrator's name; entries that are loaded without saying who made them were made by this one. */
    public static Dn dn(ServerConfiguration configuration, Schema schema) throws ConfigurationException {
        return dn(configuration, schema, ServerKeys.ADMINISTRATOR_DN);
    }

    private static Dn dn(ServerConfiguration configuration, Schema schema, Key<String> key) throws ConfigurationException {
        try {
            return Dn.parse(schema, configuration.get(key));
        } catch (DirectoryException e) {
            throw configuration.settings().fault(key, e.getMessage());
        }
    }

    /**
     * @param password null if nobody is to log in as the one of the configuration
     * @throws ConfigurationException naming file, line and key, if there could be no other administrators, or none at all
     */
    static Administrator administrator(ServerConfiguration configuration, Schema schema, List<Partition> partitions, byte[] password)
            throws ConfigurationException {
        Dn dn = dn(configuration, schema);
        Administrator administrator = password == null ? Administrator.turnedOff(dn) : new Administrator(dn, password);
        if (configuration.get(ServerKeys.ADMINISTRATORS) == null) {
            return administrator;
        }
        Dn group = dn(configuration, schema, ServerKeys.ADMINISTRATORS);
        Partition home = partitions.stream().filter(each -> group.isDescendantOrSelf(each.suffix())).findFirst().orElse(null);
        if (home == null) {
            throw configuration.settings().fault(ServerKeys.ADMINISTRATORS, "\"" + group.text()
                    + "\" is under no suffix of this configuration");
        }
        Memberships memberships = home.membershipsBy(membersOf(configuration, schema, home));
        if (!memberships.isPossible()) {
            throw configuration.settings().fault(ServerKeys.ADMINISTRATORS, "the partition of \"" + group.text()
                    + "\" has no groups: expected an attribute of its key memberOf with an index of the kind eq");
        } else if (administrator.isTurnedOff() && !namesSomebody(home, memberships, group)) {
            throw configuration.settings().fault(ServerKeys.ADMINISTRATOR_PASSWORD, "none, and the group \"" + group.text()
                    + "\" names nobody: nobody could administer the server");
        }
        return administrator.withGroup(group);
    }

    /** The attributes that name members by the configuration, which need not be those by which the open partition goes now. */
    private static List<AttributeType> membersOf(ServerConfiguration configuration, Schema schema, Partition home) throws ConfigurationException {
        for (PartitionConfiguration each : configuration.partitions()) {
            if (PartitionFolder.suffix(schema, each).equals(home.suffix())) {
                return each.get(PartitionKeys.MEMBER_OF).stream().map(schema::attributeType).filter(Objects::nonNull).toList();
            }
        }
        return home.rules().memberOf();
    }

    private static boolean namesSomebody(Partition home, Memberships memberships, Dn group) {
        try (Snapshot snapshot = home.snapshot()) {
            return memberships.namesBelow(snapshot, group, Dn.ROOT);
        }
    }
}
