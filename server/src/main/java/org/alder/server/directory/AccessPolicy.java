package org.alder.server.directory;

import java.util.List;
import org.alder.partition.dn.Dn;
import org.alder.partition.filter.EntryAccess;
import org.alder.partition.query.SearchScope;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.partition.update.Modification;
import org.alder.server.auth.Identity;

/**
 * Who may do what: everybody reads the root DSE and the schema; who has authenticated reads all entries of the partitions and
 * changes his own password; the administrator does everything; secrets ({@link AttributeType#isSecret}) and the monitor are shown
 * to nobody else. Pure functions. Thread safe.
 */
public final class AccessPolicy {
    private final Schema schema;
    private final boolean anonymousRead;
    private final AttributeType userPassword;

    /** @param anonymousRead whether anonymous clients read what authenticated ones do */
    public AccessPolicy(Schema schema, boolean anonymousRead) {
        this.schema = schema;
        this.anonymousRead = anonymousRead;
        this.userPassword = schema.attributeType("userPassword");
    }

    public boolean maySearch(Identity identity, Dn base, SearchScope scope) {
        if (Monitor.contains(base)) {
            return identity.administrator();
        }
        return mayReadEntries(identity) || base.isRoot() && scope == SearchScope.BASE || Subschema.isSubschema(base);
    }

    public boolean mayReadEntry(Identity identity, Dn dn) {
        if (Monitor.contains(dn)) {
            return identity.administrator();
        }
        return mayReadEntries(identity) || dn.isRoot() || Subschema.isSubschema(dn);
    }

    private boolean mayReadEntries(Identity identity) {
        return anonymousRead || !identity.isAnonymous();
    }

    /** What the identity may know of entries that it may read. */
    public EntryAccess access(Identity identity) {
        return identity.administrator() ? EntryAccess.ALL : EntryAccess.ALL_BUT_SECRETS;
    }

    /** Adding, deleting and renaming. */
    public boolean mayChangeEntries(Identity identity) {
        return identity.administrator();
    }

    /** Giving a new entry the attributes that the server maintains. */
    public boolean mayRelaxRules(Identity identity) {
        return identity.administrator();
    }

    public boolean mayModify(Identity identity, Dn dn, List<Modification> modifications) {
        return identity.administrator() || isOwn(identity, dn)
                && modifications.stream().allMatch(modification -> isPassword(modification.description()));
    }

    /** Of what may not be read, everybody may ask whether a password is his own. */
    public boolean mayCompare(Identity identity, Dn dn, String text) {
        AttributeDescription description = schema.descriptionOrNull(text);
        return identity.administrator() || description == null || !description.type().isSecret()
                || isOwn(identity, dn) && description.type() == userPassword;
    }

    private static boolean isOwn(Identity identity, Dn dn) {
        return !identity.isAnonymous() && identity.dn().equals(dn);
    }

    private boolean isPassword(String text) {
        AttributeDescription description = schema.descriptionOrNull(text);
        return description != null && description.type().isSubtypeOf(userPassword);
    }
}
