package org.alder.server.assembly;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.filter.FilterParser;
import org.alder.partition.schema.Schema;
import org.alder.server.config.ConfigurationException;
import org.alder.server.config.PartitionConfiguration;
import org.alder.server.config.PartitionConfiguration.FollowTls;
import org.alder.server.config.PartitionConfiguration.FollowUpdates;
import org.alder.server.config.PartitionKeys;
import org.alder.server.config.SecretReference;
import org.alder.server.config.ServerConfiguration;
import org.alder.server.follow.FollowSettings;

/** Which partitions follow other servers, from the configuration. Stateless. */
final class FollowAssembly {
    private static final String ALL_ENTRIES = "(objectClass=*)";

    private FollowAssembly() {
    }

    /** @throws ConfigurationException naming file, line and key, if a value cannot be used */
    static List<FollowSettings> settings(ServerConfiguration configuration, Schema schema) throws ConfigurationException {
        List<FollowSettings> follows = new ArrayList<>();
        for (PartitionConfiguration partition : configuration.partitions()) {
            if (partition.get(PartitionKeys.FOLLOW_PROVIDER) != null) {
                follows.add(settings(partition, schema));
            }
        }
        return follows;
    }

    private static FollowSettings settings(PartitionConfiguration partition, Schema schema) throws ConfigurationException {
        Dn suffix;
        try {
            suffix = Dn.parse(schema, partition.suffix());
        } catch (DirectoryException e) {
            throw partition.settings().fault(PartitionKeys.SUFFIX, e.getMessage());
        }
        String filter = partition.get(PartitionKeys.FOLLOW_FILTER);
        try {
            FilterParser.parse(filter);
        } catch (DirectoryException e) {
            throw partition.settings().fault(PartitionKeys.FOLLOW_FILTER, e.getMessage());
        }
        String log = partition.get(PartitionKeys.FOLLOW_LOG);
        if (log != null && !filter.equals(ALL_ENTRIES)) {
            throw partition.settings().fault(PartitionKeys.FOLLOW_LOG, "a log of changes does not say which entries match " + filter + ": expected no followFilter");
        }
        String authority = partition.get(PartitionKeys.FOLLOW_AUTHORITY_FILE);
        return new FollowSettings(suffix, partition.get(PartitionKeys.FOLLOW_PROVIDER).replaceAll("/$", ""), login(partition), filter, log,
                partition.get(PartitionKeys.FOLLOW_TLS) == FollowTls.NONE, authority == null ? null : partition.settings().path(authority),
                partition.get(PartitionKeys.FOLLOW_DELETED_PERCENT), partition.get(PartitionKeys.FOLLOW_RETRY_SECONDS),
                partition.get(PartitionKeys.FOLLOW_UPDATES) == FollowUpdates.REFER);
    }

    /** Null for nobody. */
    private static FollowSettings.Login login(PartitionConfiguration partition) {
        String dn = partition.get(PartitionKeys.FOLLOW_BIND_DN);
        if (dn == null) {
            return null;
        }
        SecretReference password = partition.get(PartitionKeys.FOLLOW_PASSWORD_FILE);
        boolean isFile = password.kind() == SecretReference.Kind.FILE;
        Path file = isFile ? partition.settings().path(password.name()) : null;
        return new FollowSettings.Login(dn, file, isFile ? null : password.name());
    }
}
