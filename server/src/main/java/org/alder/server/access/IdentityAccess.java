package org.alder.server.access;

import org.alder.partition.dn.Dn;
import org.alder.partition.filter.AttributeAccess;
import org.alder.partition.filter.CandidateEntry;
import org.alder.partition.filter.EntryAccess;
import org.alder.partition.schema.Schema;
import org.alder.server.auth.Identity;

/**
 * What one identity may do, over one kind of connection. It is right as long as {@link AccessPolicy#of} gives the same object.
 * Thread safe.
 */
public final class IdentityAccess implements EntryAccess {
    private final Asker who;
    /** Null for the administrator. */
    private final IdentityRules rules;
    /** What was asked last: clients mostly search from the same base. */
    private volatile Named last;

    /** What a name tells. */
    private record Named(Dn dn, EntryRights rights, Boolean found) {
    }

    IdentityAccess(Schema schema, Identity identity, IdentityRules rules) {
        this.who = new Asker(schema, identity.dn());
        this.rules = rules;
    }

    @Override
    public AttributeAccess everywhere() {
        return rules == null ? AttributeAccess.ALL : rules.everywhere();
    }

    @Override
    public AttributeAccess of(CandidateEntry entry) {
        return rules == null ? AttributeAccess.ALL : rules.reading(who, rules.name(entry, null));
    }

    /** The rights to this entry, which is as it is for somebody who may know everything. */
    public EntryRights rights(CandidateEntry entry) {
        return rules == null ? EntryRights.ALL : rules.of(who, rules.name(entry, null));
    }

    /** The same of an entry whose DN is known. */
    public EntryRights rights(Dn dn, CandidateEntry entry) {
        return rules == null ? EntryRights.ALL : rules.of(who, rules.name(entry, dn));
    }

    /** The rights to the entry of this name, whatever is in it; null if they depend on its content. */
    public EntryRights byName(Dn dn) {
        return rules == null ? EntryRights.ALL : named(dn).rights;
    }

    @Override
    public Boolean mayFind(Dn dn) {
        return rules == null ? Boolean.TRUE : named(dn).found;
    }

    private Named named(Dn dn) {
        Named known = last;
        if (known == null || !known.dn.equals(dn)) {
            EntryName name = new EntryName(dn);
            known = new Named(dn, rules.of(who, name), rules.mayFind(who, name));
            last = known;
        }
        return known;
    }

    /** Names the rules: those who have the same rules have the same name, also after a restart. */
    public String name() {
        return rules == null ? "" : rules.name();
    }

    /** Whether nothing has changed for whom this is, since the other was made. */
    public boolean isSame(IdentityAccess other) {
        return other.hasRules(rules);
    }

    /** Whether the rules are the same, whoever asks. */
    boolean hasRules(IdentityRules others) {
        return rules == others;
    }
}
