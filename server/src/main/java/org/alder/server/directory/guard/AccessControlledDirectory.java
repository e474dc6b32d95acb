package org.alder.server.directory.guard;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;
import org.alder.partition.dn.Dn;
import org.alder.partition.dn.Rdn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.Csn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.filter.AttributeAccess;
import org.alder.partition.filter.CandidateEntry;
import org.alder.partition.filter.EntryAccess;
import org.alder.partition.request.Modification;
import org.alder.partition.request.SearchScope;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.Schema;
import org.alder.server.auth.Identity;
import org.alder.server.directory.Change;
import org.alder.server.directory.ChangeFeed;
import org.alder.server.directory.ContentRefresh;
import org.alder.server.directory.Directory;
import org.alder.server.directory.DirectoryFilter;
import org.alder.server.directory.EntryCursor;
import org.alder.server.directory.OperationContext;
import org.alder.server.directory.SearchRequest;

/**
 * Asks an {@link AccessPolicy} before each operation, and tells the directory below what whoever asks may know, so that what he may
 * not is neither found, counted nor shown. Thread safe.
 */
public final class AccessControlledDirectory extends DirectoryFilter {
    private final Schema schema;
    private final AccessPolicy policy;

    public AccessControlledDirectory(Directory inner, Schema schema, AccessPolicy policy) {
        super(inner);
        this.schema = schema;
        this.policy = policy;
    }

    /** What an identity may know of entries. */
    private record Reader(AccessPolicy policy, Identity identity, AttributeAccess everywhere) implements EntryAccess {
        @Override
        public AttributeAccess of(CandidateEntry entry) {
            return policy.of(identity, entry).reading();
        }
    }

    @Override
    public EntryCursor search(OperationContext context, SearchRequest request) throws DirectoryException {
        return super.search(context.asserts() ? asserting(context, request.base()) : context, readable(context, request));
    }

    @Override
    public ChangeFeed follow(OperationContext context, SearchRequest request, boolean wholeContent) throws DirectoryException {
        return super.follow(asserting(context, request.base()), readable(context, request), wholeContent);
    }

    @Override
    public ContentRefresh refresh(OperationContext context, SearchRequest request, Csn since) throws DirectoryException {
        return super.refresh(asserting(context, request.base()), readable(context, request), since);
    }

    private SearchRequest readable(OperationContext context, SearchRequest request) throws DirectoryException {
        Identity identity = context.identity();
        boolean fromRoot = request.base().isRoot() && request.scope() != SearchScope.BASE;
        AttributeAccess everywhere = policy.everywhere(identity);
        if (!mayFind(identity, request.base()) || fromRoot && everywhere == AttributeAccess.NONE) {
            throw denied(identity, "search", request.base());
        }
        return request.withAccess(new Reader(policy, identity, everywhere));
    }

    /** As far as the name tells: what the content says is seen where the entry is found. */
    private boolean mayFind(Identity identity, Dn dn) {
        EntryRights rights = policy.byName(identity, dn);
        return rights == null || rights.mayFind();
    }

    /** Neither an assertion nor the entry that an update shows must tell what a search would not. */
    private OperationContext asserting(OperationContext context, Dn dn) throws DirectoryException {
        if (context.asserts() && !mayFind(context.identity(), dn)) {
            throw denied(context.identity(), "assert anything about", dn);
        }
        return context.withAccess(new Reader(policy, context.identity(), policy.everywhere(context.identity())));
    }

    @Override
    public CompletableFuture<Boolean> compare(OperationContext context, Dn dn, String text, byte[] value)
            throws DirectoryException {
        AttributeDescription description = schema.descriptionOrNull(text);
        Need need = new Need(context.identity(), "compare " + text + " of",
                rights -> rights.mayFind() && (description == null || rights.comparing().test(description.type())));
        return super.compare(checked(asserting(context, dn), dn, need), dn, text, value);
    }

    @Override
    public CompletableFuture<Change> add(OperationContext context, Dn dn, List<Attribute> attributes) {
        return update(context, dn, new Need(context.identity(), "add", context.options().relaxed()
                ? rights -> rights == EntryRights.ALL : EntryRights::placing), checked -> super.add(checked, dn, attributes));
    }

    @Override
    public CompletableFuture<Change> modify(OperationContext context, Dn dn, List<Modification> modifications) {
        return update(context, dn, new Need(context.identity(), "modify", context.options().relaxed()
                ? rights -> rights == EntryRights.ALL : rights -> mayModify(rights, modifications)),
                checked -> super.modify(checked, dn, modifications));
    }

    private boolean mayModify(EntryRights rights, List<Modification> modifications) {
        return rights == EntryRights.ALL || modifications.stream().allMatch(modification -> {
            AttributeDescription description = schema.descriptionOrNull(modification.description());
            return description != null && rights.writing().test(description.type());
        });
    }

    /** Whoever deletes what he has not seen has to have all rights. */
    @Override
    public CompletableFuture<Change> delete(OperationContext context, Dn dn) {
        return update(context, dn, new Need(context.identity(), "delete", context.options().subtree()
                ? rights -> rights == EntryRights.ALL : EntryRights::placing), checked -> super.delete(checked, dn));
    }

    @Override
    public CompletableFuture<Change> rename(OperationContext context, Dn dn, Rdn newRdn, boolean deleteOldRdn, Dn newSuperior) {
        return update(context, dn, new Need(context.identity(), "rename", EntryRights::placing),
                checked -> super.rename(checked, dn, newRdn, deleteOldRdn, newSuperior));
    }

    private CompletableFuture<Change> update(OperationContext context, Dn dn, Need need,
            Function<OperationContext, CompletableFuture<Change>> change) {
        try {
            return change.apply(checked(asserting(context, dn), dn, need));
        } catch (DirectoryException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** What an operation needs of the rights to the entry it is about. */
    private record Need(Identity identity, String verb, Predicate<EntryRights> rights) {
    }

    /** Decides by the name, if that is enough; else has the entry checked where the operation finds it. */
    private OperationContext checked(OperationContext context, Dn dn, Need need) throws DirectoryException {
        EntryRights rights = policy.byName(need.identity, dn);
        if (rights == null) {
            return context.withCheck(entry -> require(need, entry, dn));
        }
        if (!need.rights.test(rights)) {
            throw denied(need.identity, need.verb, dn);
        }
        return context;
    }

    /** An entry that he may not know of is not there for whoever asks. */
    private void require(Need need, CandidateEntry entry, Dn dn) throws DirectoryException {
        EntryRights rights = policy.of(need.identity, entry);
        if (!rights.mayFind()) {
            throw new DirectoryException(ResultCode.NO_SUCH_OBJECT, "there is no entry \"" + dn.text() + '"');
        } else if (!need.rights.test(rights)) {
            throw denied(need.identity, need.verb, dn);
        }
    }

    private static DirectoryException denied(Identity identity, String verb, Dn dn) {
        String who = identity.isAnonymous() ? "anonymous clients" : '"' + identity.dn().text() + '"';
        String advice = identity.isAnonymous() ? ": bind first" : "";
        return new DirectoryException(ResultCode.INSUFFICIENT_ACCESS_RIGHTS,
                who + " may not " + verb + " \"" + dn.text() + '"' + advice);
    }
}
