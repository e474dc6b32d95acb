package org.alder.server.directory.guard;

import java.util.function.Predicate;
import org.alder.partition.dn.Dn;
import org.alder.partition.filter.AttributeAccess;
import org.alder.partition.filter.CandidateEntry;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.server.auth.Identity;
import org.alder.server.directory.own.Monitor;
import org.alder.server.directory.own.Subschema;

/**
 * Everybody reads the root DSE and the schema; who has authenticated reads all entries of the partitions, and changes and compares
 * his own password; the administrator does everything; secrets ({@link AttributeType#isSecret}) and the monitor are shown to nobody
 * else. Thread safe.
 */
public final class StandardAccess implements AccessPolicy {
    private final Schema schema;
    private final boolean anonymousRead;
    private final EntryRights ownEntry;

    /** @param anonymousRead whether anonymous clients read what authenticated ones do */
    public StandardAccess(Schema schema, boolean anonymousRead) {
        this.schema = schema;
        this.anonymousRead = anonymousRead;
        AttributeType userPassword = schema.attributeType("userPassword");
        Predicate<AttributeType> password = type -> type.isSubtypeOf(userPassword);
        this.ownEntry = new EntryRights(EntryRights.READING.reading(), EntryRights.READING.comparing().or(password), password,
                false);
    }

    @Override
    public AttributeAccess everywhere(Identity identity) {
        if (identity.administrator()) {
            return AttributeAccess.ALL;
        }
        return anonymousRead || !identity.isAnonymous() ? AttributeAccess.ALL_BUT_SECRETS : AttributeAccess.NONE;
    }

    @Override
    public EntryRights byName(Identity identity, Dn dn) {
        if (identity.administrator()) {
            return EntryRights.ALL;
        } else if (Monitor.contains(dn)) {
            return EntryRights.NONE;
        } else if (!identity.isAnonymous() && identity.dn().equals(dn)) {
            return ownEntry;
        }
        boolean reads = anonymousRead || !identity.isAnonymous() || dn.isRoot() || Subschema.isSubschema(dn);
        return reads ? EntryRights.READING : EntryRights.NONE;
    }

    @Override
    public EntryRights of(Identity identity, CandidateEntry entry) {
        return identity.administrator() ? EntryRights.ALL : byName(identity, Dn.stored(schema, entry.dn()));
    }
}
