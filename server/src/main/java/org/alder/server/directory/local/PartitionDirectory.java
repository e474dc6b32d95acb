package org.alder.server.directory.local;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.dn.Rdn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.MustWaitException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.StoreException;
import org.alder.partition.filter.EntryAccess;
import org.alder.partition.filter.Filter;
import org.alder.partition.request.Modification;
import org.alder.partition.request.SearchScope;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.Snapshot;
import org.alder.partition.tree.EntryView;
import org.alder.partition.update.Renaming;
import org.alder.partition.update.ShardMove;
import org.alder.partition.update.UpdateOptions;
import org.alder.partition.update.Updates;
import org.alder.server.access.Right;
import org.alder.server.audit.AuditTrail;
import org.alder.server.directory.CapturedEntry;
import org.alder.server.directory.Change;
import org.alder.server.directory.ChangeFeed;
import org.alder.server.directory.ContentRefresh;
import org.alder.server.directory.ContentState;
import org.alder.server.directory.Directory;
import org.alder.server.directory.EffectiveRights;
import org.alder.server.directory.EntryCursor;
import org.alder.server.directory.EntryCursor.Step;
import org.alder.server.directory.FollowedContexts;
import org.alder.server.directory.OperationContext;
import org.alder.server.directory.OperationOptions;
import org.alder.server.directory.SearchRequest;
import org.alder.server.directory.UpdateTransaction;
import org.alder.server.directory.feed.ContentSearches;
import org.alder.server.directory.naming.NameResolver;
import org.alder.server.directory.naming.NamingContexts;
import org.alder.server.directory.naming.ReferralUrls;
import org.alder.server.directory.own.ConfigurationTree;
import org.alder.server.directory.own.Monitor;
import org.alder.server.directory.own.MonitoredConnections;
import org.alder.server.directory.own.OnlineSchema;
import org.alder.server.directory.own.RootDse;
import org.alder.server.directory.own.RunningConfiguration;
import org.alder.server.directory.own.SchemaUpdates;
import org.alder.server.directory.own.ServedPartitions;
import org.alder.server.directory.own.ServerEntry;
import org.alder.server.directory.own.Subschema;
import org.alder.server.directory.own.SubschemaSubentry;
import org.alder.server.directory.search.PartitionSearch;
import org.alder.server.resource.Counters;
import org.alder.server.resource.IndexUse;
import org.alder.server.resource.OpenSessions;

/**
 * The directory itself, without limits or access control: several partitions, each operation going to the one with the longest
 * suffix above its DN; the root DSE, the subschema subentry, the monitor and the configuration. A search goes on into the partitions below its base.
 * The partitions are the caller's.
 */
public final class PartitionDirectory implements Directory {
    private final Schema schema;
    private final Supplier<List<Partition>> partitions;
    private final ReferralUrls urls;
    private final Supplier<List<String>> superiorReferrals;
    private final IndexUse indexUse;
    private volatile Served served;
    private final Dn administrator;
    private final AttributeType userPassword;
    private final RootDse rootDse;
    private final SubschemaSubentry subschema;
    private final SchemaUpdates schemaUpdates;
    private final Monitor monitor;
    private final Copies copies;
    /** Null if it is not shown. */
    private final ConfigurationTree configuration;

    /** What follows from the partitions that there are. Each operation takes it once. */
    private record Served(List<Partition> partitions, NamingContexts contexts, NameResolver resolver, PartitionSearch searches,
            ContentSearches contents) {
    }

    /**
     * @param partitions those there are now: the same list as long as they are the same
     * @param administrator whose password is not in the directory
     * @param superiorReferrals LDAP URLs of the servers that are asked for names under no suffix of this one, as they are now; may be empty
     * @param onlineSchema where definitions that clients add are kept; null if they cannot
     * @param configuration what the tree of the configuration shows; null if there is none
     * @param counters what the monitor shows beside the partitions
     * @param sessions the connections that it shows
     * @param followed which of the partitions only other servers can change
     */
    public PartitionDirectory(Schema schema, Supplier<List<Partition>> partitions, Dn administrator, RootDse rootDse,
                              Supplier<List<String>> superiorReferrals, OnlineSchema onlineSchema, RunningConfiguration configuration, Counters counters,
                              OpenSessions sessions, FollowedContexts followed) {
        this.schema = schema;
        this.partitions = partitions;
        this.urls = new ReferralUrls(schema);
        this.superiorReferrals = superiorReferrals;
        this.indexUse = counters.indexUse();
        this.served = served(partitions.get());
        this.administrator = administrator;
        this.userPassword = schema.attributeType("userPassword");
        this.rootDse = rootDse;
        this.subschema = new SubschemaSubentry(schema);
        this.schemaUpdates = new SchemaUpdates(schema, partitions, onlineSchema);
        this.monitor = new Monitor(schema, partitions, counters, sessions, followed);
        this.copies = new Copies(followed, urls);
        this.configuration = configuration == null ? null : new ConfigurationTree(schema, configuration);
    }

    private Served served(List<Partition> now) {
        NamingContexts contexts = new NamingContexts(now, urls, superiorReferrals);
        NameResolver resolver = new NameResolver(schema, contexts, urls);
        PartitionSearch searches = new PartitionSearch(contexts, resolver, indexUse);
        return new Served(now, contexts, resolver, searches, new ContentSearches(contexts, searches));
    }

    private Served served() {
        List<Partition> now = partitions.get();
        Served known = served;
        if (known.partitions != now) {
            known = served(now);
            served = known;
        }
        return known;
    }

    /** There are no rules here. */
    @Override
    public boolean may(OperationContext context, Right right, Dn dn) {
        return true;
    }

    @Override
    public String rules(OperationContext context) {
        return "";
    }

    @Override
    public EffectiveRights rights(OperationContext context, Dn dn) {
        return EffectiveRights.ALL;
    }

    @Override
    public EntryCursor search(OperationContext context, SearchRequest request) throws DirectoryException {
        requireReadable(context, request);
        return find(context, request);
    }

    @Override
    public ChangeFeed follow(OperationContext context, SearchRequest request, boolean wholeContent) throws DirectoryException {
        requireReadable(context, request);
        return served().contents.follow(request, wholeContent);
    }

    @Override
    public ContentRefresh refresh(OperationContext context, SearchRequest request, ContentState since) throws DirectoryException {
        requireReadable(context, request);
        return served().contents.refresh(request, since);
    }

    private void requireReadable(OperationContext context, SearchRequest request) throws DirectoryException {
        if (context.options().original()) {
            copies.requireOriginal(served().contexts, request);
        }
        requireAsserted(context, request.base());
    }

    private EntryCursor find(OperationContext context, SearchRequest request) throws DirectoryException {
        Served now = served();
        NamingContexts.Context home = now.contexts.of(request.base());
        if (home != null) {
            return now.searches.open(request, home);
        }
        ServerEntry own = serverEntry(context, request.base());
        if (own != null && (!request.base().isRoot() || request.scope() == SearchScope.BASE)) {
            return own.search(request);
        }
        if (Monitor.contains(request.base())) {
            return monitor.search(request);
        }
        return isConfiguration(request.base()) ? configuration.search(context.identity(), request) : now.searches.open(request, null);
    }

    private boolean isConfiguration(Dn dn) {
        return configuration != null && ConfigurationTree.contains(dn);
    }

    private ServerEntry serverEntry(OperationContext context, Dn dn) {
        return dn.isRoot() ? rootDse(context) : Subschema.isSubschema(dn) ? subschema.entry() : null;
    }

    private ServerEntry rootDse(OperationContext context) {
        return ServedPartitions.read(partitions, all -> rootDse(context, all));
    }

    private ServerEntry rootDse(OperationContext context, List<Partition> all) {
        long lastUsn = 0;
        for (Partition each : all) {
            lastUsn = Math.max(lastUsn, each.store().sequence());
        }
        List<Dn> suffixes = all.stream().map(Partition::suffix).distinct().toList();
        return new ServerEntry(schema, rootDse.entry(suffixes, configuration == null ? null : ConfigurationTree.DN, lastUsn,
                context.client() == null ? List.of() : context.client().saslMechanisms()));
    }

    @Override
    public CompletableFuture<Boolean> compare(OperationContext context, Dn dn, String description, byte[] value)
            throws DirectoryException {
        AttributeDescription attribute = schema.description(description);
        Filter assertion = new Filter.Equality(description, value);
        requireComparable(attribute, value);
        requireHere(context, dn);
        requireReadable(context, SearchRequest.ofEntry(dn));
        if (context.check() != null) {
            requireChecked(context, dn);
        }
        EntryAccess access = new ComparedEntry(context.access());
        if (isTrue(context, dn, assertion, access)) {
            return CompletableFuture.completedFuture(true);
        }
        if (!isTrue(context, dn, new Filter.Present(description), access)) {
            throw new DirectoryException(ResultCode.NO_SUCH_ATTRIBUTE,
                    "the entry \"" + dn.text() + "\" has no attribute " + description);
        }
        return CompletableFuture.completedFuture(false);
    }

    /** Whether the DN is of the server's own entries, which are in no partition. */
    private boolean isOwn(Dn dn) {
        return dn.isRoot() || Subschema.isSubschema(dn) || Monitor.contains(dn) || isConfiguration(dn);
    }

    /**
     * The partition of the entry, null for one of the server's own.
     *
     * @throws DirectoryException referral or noSuchObject for an entry that other servers hold
     */
    private NamingContexts.Context requireHere(OperationContext context, Dn dn) throws DirectoryException {
        Served now = served();
        NamingContexts.Context target = now.contexts.of(dn);
        if (target == null && !isOwn(dn)) {
            throw now.contexts.outside(dn, null);
        }
        if (!context.manageDsaIt()) {
            now.resolver.requireHere(dn, context.access());
        }
        return target;
    }

    private void requireChecked(OperationContext context, Dn dn) throws DirectoryException {
        CheckedAccess access = new CheckedAccess(context.check());
        try {
            isTrue(context, dn, new Filter.And(List.of()), access);
        } finally {
            // What the check says of the entry comes before that it is as if there were none.
            access.requirePassed();
        }
    }

    private static void requireComparable(AttributeDescription attribute, byte[] value) throws DirectoryException {
        if (attribute.type().equality() == null) {
            throw new DirectoryException(ResultCode.INAPPROPRIATE_MATCHING,
                    "attribute " + attribute.text() + " has no equality matching rule");
        }
        attribute.type().equality().normalizeAssertion(value);
    }

    /** RFC 4528, for what reads; what writes checks inside its transaction. */
    private void requireAsserted(OperationContext context, Dn dn) throws DirectoryException {
        if (context.asserts() && !isTrue(context, dn, context.options().assertion(), context.access())) {
            throw ObservedUpdate.failed(dn.text());
        }
    }

    private boolean isTrue(OperationContext context, Dn dn, Filter filter, EntryAccess access) throws DirectoryException {
        try (EntryCursor cursor = find(context, SearchRequest.ofEntry(dn, filter).withAccess(access)
                .withPatience(context.patience()))) {
            return cursor.step(Integer.MAX_VALUE) == Step.MATCH;
        }
    }

    @Override
    public CompletableFuture<Change> add(OperationContext context, Dn dn, List<Attribute> attributes) {
        if (isConfiguration(dn)) {
            return configuration.add(context, dn, attributes);
        }
        return update(context, dn, (updates, options) -> updates.add(dn, attributes, context.updateOrigin(), options));
    }

    @Override
    public CompletableFuture<Change> modify(OperationContext context, Dn dn, List<Modification> modifications) {
        if (dn.equals(administrator) && modifications.stream().anyMatch(this::setsPassword)) {
            return CompletableFuture.failedFuture(new DirectoryException(ResultCode.UNWILLING_TO_PERFORM,
                    "\"" + dn.text() + "\" is the administrator, whose password is no part of the directory: the server reads it"
                            + " when it starts, from DATA/admin.password unless it is told another file"));
        }
        if (Subschema.isSubschema(dn)) {
            return modifySchema(context, dn, modifications);
        } else if (dn.size() <= ConfigurationTree.DEPTH && isConfiguration(dn)) {
            return changeConfiguration(context, dn, () -> configuration.modify(context, dn, modifications));
        }
        return update(context, dn, (updates, options) -> updates.modify(dn, modifications, context.updateOrigin(), options));
    }

    private boolean setsPassword(Modification modification) {
        return modification.kind() != Modification.Kind.DELETE && !modification.values().isEmpty()
                && isPassword(modification.description());
    }

    private boolean isPassword(String text) {
        AttributeDescription description = schema.descriptionOrNull(text);
        return description != null && description.type() == userPassword;
    }

    private CompletableFuture<Change> changeConfiguration(OperationContext context, Dn dn, Supplier<CompletableFuture<Change>> change) {
        try {
            requireAsserted(context, dn);
        } catch (DirectoryException e) {
            return CompletableFuture.failedFuture(e);
        }
        return change.get();
    }

    private CompletableFuture<Change> modifySchema(OperationContext context, Dn dn, List<Modification> modifications) {
        OperationOptions options = context.options();
        try {
            if (context.check() != null) {
                requireChecked(context, dn);
            }
            requireAsserted(context, dn);
        } catch (DirectoryException e) {
            return CompletableFuture.failedFuture(e);
        }
        CapturedEntry before = options.showBefore() ? subschema.entry().captured() : null;
        return schemaUpdates.modify(modifications, options.dryRun()).thenApply(done -> {
            if (!options.dryRun()) {
                context.audit().tell(AuditTrail.Kind.CONFIGURATION, "schemaChanged", dn.text(), Modification.shown(modifications));
            }
            return new Change(before, options.showAfter() ? subschema.entry().captured() : null);
        });
    }

    @Override
    public CompletableFuture<Change> delete(OperationContext context, Dn dn) {
        if (MonitoredConnections.contains(dn)) {
            return monitor.connections().delete(context, dn);
        } else if (isConfiguration(dn)) {
            return changeConfiguration(context, dn, () -> configuration.delete(context, dn));
        }
        return update(context, dn, (updates, options) -> updates.delete(dn, context.updateOrigin(), options));
    }

    @Override
    public CompletableFuture<Change> rename(OperationContext context, Dn dn, Rdn newRdn, boolean deleteOldRdn, Dn newSuperior) {
        try {
            requireOwnName(context, dn, newRdn, newSuperior);
        } catch (DirectoryException e) {
            return CompletableFuture.failedFuture(e);
        }
        NamingContexts contexts = served().contexts;
        NamingContexts.Context from = contexts.of(dn);
        if (newSuperior != null && from != contexts.of(newSuperior) && !areShards(from, contexts.of(newSuperior))) {
            return CompletableFuture.failedFuture(new DirectoryException(ResultCode.AFFECTS_MULTIPLE_DSAS,
                    "\"" + dn.text() + "\" cannot move to \"" + newSuperior.text() + "\": it is not in the same partition"));
        }
        Renaming renaming = new Renaming(dn, newRdn, deleteOldRdn, newSuperior, context.updateOrigin());
        NamingContexts.Context to = dn.isRoot() ? from : contexts.of(renaming.newName());
        return from != to && areShards(from, to) && context.transaction() == null ? move(context, from, to, renaming) : update(context, dn, (updates, options) ->
                updates.rename(dn, newRdn, deleteOldRdn, newSuperior, context.updateOrigin(), options));
    }

    /** Whether they are of the same naming context. */
    private static boolean areShards(NamingContexts.Context one, NamingContexts.Context other) {
        return one != null && other != null && one.partition().suffix().equals(other.partition().suffix());
    }

    private CompletableFuture<Change> move(OperationContext context, NamingContexts.Context from, NamingContexts.Context to, Renaming renaming) {
        try {
            copies.requireChangeable(from.partition(), renaming.dn());
            ObservedUpdate before = new ObservedUpdate(from, context, null);
            ObservedUpdate after = new ObservedUpdate(to, context, null);
            return ShardMove.run(new ShardMove.Side(from.partition(), from.updates(), before.updateOptions()),
                    new ShardMove.Side(to.partition(), to.updates(), after.updateOptions()), renaming)
                    .thenApply(none -> new Change(before.change().before(), after.change().after()));
        } catch (MustWaitException e) {
            throw e;
        } catch (DirectoryException | StoreException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** RFC 3296 5.6.2. @throws DirectoryException affectsMultipleDSAs if another server holds the new name or one above it */
    private void requireOwnName(OperationContext context, Dn dn, Rdn newRdn, Dn newSuperior) throws DirectoryException {
        requireHere(context, dn);
        if (context.manageDsaIt() || dn.isRoot()) {
            return;
        }
        Dn superior = newSuperior == null ? dn.parent() : newSuperior;
        NameResolver resolver = served().resolver;
        boolean elsewhere = resolver.isReferral(superior.child(newRdn));
        for (Dn above = superior; !elsewhere && !above.isRoot(); above = above.parent()) {
            elsewhere = resolver.isReferral(above);
        }
        if (elsewhere) {
            throw new DirectoryException(ResultCode.AFFECTS_MULTIPLE_DSAS,
                    "another server holds \"" + superior.child(newRdn).text() + '"');
        }
    }

    private CompletableFuture<Change> update(OperationContext context, Dn dn,
            BiFunction<Updates, UpdateOptions, CompletableFuture<EntryView>> change) {
        try {
            NamingContexts.Context target = requireHere(context, dn);
            if (target == null) {
                throw new DirectoryException(ResultCode.UNWILLING_TO_PERFORM,
                        "\"" + dn.text() + "\" belongs to the server and cannot be changed by clients");
            }
            copies.requireChangeable(target.partition(), dn);
            if (target.copies() == null || !dn.equals(target.partition().suffix())) {
                return update(context, target, change);
            }
            if (context.transaction() != null) {
                throw new DirectoryException(ResultCode.AFFECTS_MULTIPLE_DSAS, "\"" + dn.text() + "\" is the suffix of a partition that is"
                        + " distributed over shards, which all have it: expected a change of it alone, in no transaction");
            }
            return update(context, target, change).thenCompose(made -> target.copies().renew().thenApply(none -> made));
        } catch (MustWaitException e) {
            throw e;
        } catch (DirectoryException | StoreException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static CompletableFuture<Change> update(OperationContext context, NamingContexts.Context target,
            BiFunction<Updates, UpdateOptions, CompletableFuture<EntryView>> change) throws DirectoryException {
        PartitionTransaction transaction = (PartitionTransaction) context.transaction();
        Updates updates = transaction == null ? target.updates() : transaction.of(target);
        if (context.options() == OperationOptions.NONE && context.check() == null) {
            return change.apply(updates, UpdateOptions.NONE.withNotes(context.notes())).thenApply(entry -> Change.UNSEEN);
        }
        ObservedUpdate observed = new ObservedUpdate(target, context, transaction);
        return change.apply(updates, observed.updateOptions()).thenApply(entry -> observed.change());
    }

    /** Only transactions that were begun here reach the updates. */
    @Override
    public UpdateTransaction begin() {
        return new PartitionTransaction();
    }
}
