package org.alder.server.directory.naming;

import java.util.ArrayList;
import java.util.List;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.filter.AttributeAccess;
import org.alder.partition.filter.EntryAccess;
import org.alder.partition.filter.ValueTest;
import org.alder.partition.request.SearchScope;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;
import org.alder.partition.text.Utf8;
import org.alder.partition.tree.EntryView;
import org.alder.partition.tree.SpecialEntries;

/**
 * Finds out what a name means where aliases (RFC 4512 2.6) and referral objects (RFC 3296) stand on the way to it. Costs next to
 * nothing in partitions without any. Immutable, thread safe.
 */
public final class NameResolver {
    /** Longer chains are taken for loops. */
    private static final int MOST_ALIASES = 32;

    private final Schema schema;
    private final NamingContexts contexts;
    private final ReferralUrls urls;
    private final AttributeType aliasedObjectName;
    private final AttributeType ref;

    public NameResolver(Schema schema, NamingContexts contexts, ReferralUrls urls) {
        this.schema = schema;
        this.contexts = contexts;
        this.urls = urls;
        this.aliasedObjectName = schema.attributeType("aliasedObjectName");
        this.ref = schema.attributeType("ref");
    }

    /** An alias on the way to a name. */
    private record Alias(Dn dn, Dn target) {
    }

    /**
     * @throws DirectoryException referral if this server knows that another one holds the entry, whether or not this name exists
     */
    public void requireHere(Dn dn, EntryAccess access) throws DirectoryException {
        undereferenced(dn, false, null, access);
    }

    /** The name itself. @throws DirectoryException referral unless manageDsaIt, as {@link #dereference} does */
    public Dn undereferenced(Dn name, boolean manageDsaIt, SearchScope scope, EntryAccess access) throws DirectoryException {
        look(name, false, manageDsaIt, scope, access);
        return name;
    }

    /** Whether there is a referral object with this name. */
    public boolean isReferral(Dn dn) {
        NamingContexts.Context home = contexts.of(dn);
        if (home == null) {
            return false;
        }
        try (Snapshot snapshot = home.partition().snapshot()) {
            SpecialEntries special = home.partition().special(snapshot);
            return !special.referrals().isEmpty() && special.referrals().contains(home.partition().resolve(snapshot, dn));
        }
    }

    /**
     * The name with the aliases in it replaced by what they stand for. There need not be an entry with that name.
     *
     * @param scope that of the search whose base it is
     * @throws DirectoryException aliasProblem if an alias stands for an entry that is not there; aliasDereferencingProblem for
     *     aliases that stand for each other; referral unless manageDsaIt
     */
    public Dn dereference(Dn name, boolean manageDsaIt, SearchScope scope, EntryAccess access) throws DirectoryException {
        Dn dn = name;
        Dn aliased = null;
        int passed = 0;
        for (Alias alias = look(dn, true, manageDsaIt, scope, access); alias != null;
                alias = look(dn, true, manageDsaIt, scope, access)) {
            if (++passed > MOST_ALIASES) {
                throw new DirectoryException(ResultCode.ALIAS_DEREFERENCING_PROBLEM, "the aliases in \"" + name.text()
                        + "\" lead from one to the next more than " + MOST_ALIASES + " times: they are taken for a loop");
            }
            aliased = aliased != null && aliased.isDescendantOrSelf(alias.dn) ? aliased.rebase(alias.dn, alias.target)
                    : alias.target;
            dn = dn.rebase(alias.dn, alias.target);
        }
        if (aliased != null) {
            requireExisting(aliased, name, access);
        }
        return dn;
    }

    /** As {@link #dereference}, for an alias in a search's scope. @throws DirectoryException also if there is no such entry */
    Dn existing(Dn target, EntryAccess access) throws DirectoryException {
        Dn dn = dereference(target, true, null, access);
        requireExisting(dn, target, access);
        return dn;
    }

    private void requireExisting(Dn aliased, Dn name, EntryAccess access) throws DirectoryException {
        NamingContexts.Context home = contexts.of(aliased);
        String matched = "";
        if (home != null) {
            try (Snapshot snapshot = home.partition().snapshot()) {
                if (home.partition().resolve(snapshot, aliased) != HierarchyKeys.NO_PARENT
                        && !home.partition().isHidden(snapshot, aliased, access)) {
                    return;
                }
                matched = home.partition().matchedDn(snapshot, aliased);
            }
        }
        throw new DirectoryException(ResultCode.ALIAS_PROBLEM, "an alias in \"" + name.text() + "\" stands for \""
                + aliased.text() + "\", which does not exist", matched);
    }

    /**
     * Goes down to the name's entry.
     *
     * @return the first alias on the way; null if there is none, or aliases are not asked for
     */
    private Alias look(Dn dn, boolean dereference, boolean manageDsaIt, SearchScope scope, EntryAccess access)
            throws DirectoryException {
        NamingContexts.Context home = contexts.of(dn);
        if (home == null) {
            return null;
        }
        Partition partition = home.partition();
        try (Snapshot snapshot = partition.snapshot()) {
            SpecialEntries special = partition.special(snapshot);
            if (special.isEmpty()) {
                return null;
            }
            List<Long> path = partition.tree().path(snapshot, dn);
            for (int i = 0; i < path.size(); i++) {
                long id = path.get(i);
                Dn passed = special.referrals().contains(id) || special.aliases().contains(id)
                        ? dn.ancestor(partition.suffix().size() + i) : null;
                boolean leads = !manageDsaIt && special.referrals().contains(id)
                        && !values(snapshot.entry(id), ref, AttributeAccess.ALL).isEmpty();
                if (leads) {
                    throw DirectoryException.referral("another server holds \"" + dn.text() + '"',
                            urls.of(known(partition, snapshot, id, ref, access, dn), passed, dn, scope));
                }
                if (dereference && special.aliases().contains(id)) {
                    return new Alias(passed, target(known(partition, snapshot, id, aliasedObjectName, access, dn)));
                }
            }
            return null;
        }
    }

    /**
     * Where an entry leads, as far as whoever asks may read it: what he must not know leads him nowhere.
     *
     * @param dn the name he asks for  @param by what leads on
     */
    private List<String> known(Partition partition, Snapshot snapshot, long id, AttributeType by, EntryAccess access, Dn dn)
            throws DirectoryException {
        AttributeAccess rights = rights(partition, snapshot, id, access);
        if (rights == AttributeAccess.NONE) {
            throw DirectoryException.noSuchObject(dn.text(), partition.matchedDn(snapshot, dn));
        }
        List<String> values = values(snapshot.entry(id), by, rights);
        if (values.isEmpty() && (!rights.mayRead(by) || rights.readable(by) != null)) {
            throw new DirectoryException(ResultCode.INSUFFICIENT_ACCESS_RIGHTS,
                    "where \"" + partition.dnOf(snapshot, id) + "\" leads may not be read");
        }
        return values;
    }

    private static AttributeAccess rights(Partition partition, Snapshot snapshot, long id, EntryAccess access) {
        return access.everywhere() != null ? access.everywhere()
                : access.of(partition.candidate(snapshot, new EntryView(id, snapshot.entry(id), partition.dnOf(snapshot, id))));
    }

    /** What an alias entry stands for. @throws DirectoryException aliasProblem if it holds no DN, or none that may be read */
    Dn target(Partition partition, Snapshot snapshot, long alias, EntryAccess access) throws DirectoryException {
        return target(values(snapshot.entry(alias), aliasedObjectName, rights(partition, snapshot, alias, access)));
    }

    private Dn target(List<String> values) throws DirectoryException {
        if (values.isEmpty()) {
            throw new DirectoryException(ResultCode.ALIAS_PROBLEM, "an alias has no aliasedObjectName");
        }
        return Dn.parse(schema, values.get(0));
    }

    /** The URLs by which a search goes on at a referral object in its scope (RFC 3296 5.4), if who asks may know them. */
    List<String> continuation(Partition partition, Snapshot snapshot, long referral, SearchScope scope, EntryAccess access)
            throws DirectoryException {
        List<String> refs = values(snapshot.entry(referral), ref, rights(partition, snapshot, referral, access));
        if (refs.isEmpty()) {
            return refs;
        }
        Dn dn = Dn.parse(schema, partition.dnOf(snapshot, referral));
        SearchScope there = scope == SearchScope.ONE_LEVEL ? SearchScope.BASE : SearchScope.SUBTREE;
        return urls.of(refs, dn, dn, there);
    }

    /** Those that may be read. */
    private List<String> values(EntryRecord entry, AttributeType type, AttributeAccess rights) {
        List<String> values = new ArrayList<>();
        if (!rights.mayRead(type)) {
            return values;
        }
        ValueTest readable = rights.readable(type);
        List<Attribute> attributes = new ArrayList<>(entry.userAttributes());
        attributes.addAll(entry.operationalAttributes());
        for (Attribute attribute : attributes) {
            AttributeDescription description = schema.descriptionOrNull(attribute.description());
            if (description != null && description.type() == type) {
                attribute.values().stream().filter(value -> readable == null || readable.matches(value, 0, value.length))
                        .forEach(value -> values.add(Utf8.stored(value)));
            }
        }
        return values;
    }
}
