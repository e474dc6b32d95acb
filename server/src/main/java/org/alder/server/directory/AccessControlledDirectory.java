package org.alder.server.directory;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.alder.partition.dn.Dn;
import org.alder.partition.dn.Rdn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.store.Csn;
import org.alder.partition.update.Modification;
import org.alder.server.auth.Identity;
import org.apache.directory.api.ldap.model.message.ResultCodeEnum;

/** Asks an {@link AccessPolicy} before each operation, and hides what may not be read from filters and results. */
public final class AccessControlledDirectory extends DirectoryFilter {
    private final AccessPolicy policy;

    public AccessControlledDirectory(Directory inner, AccessPolicy policy) {
        super(inner);
        this.policy = policy;
    }

    @Override
    public EntryCursor search(OperationContext context, SearchRequest request) throws DirectoryException {
        requireSearch(context.identity(), request);
        return super.search(asserting(context, request.base()), readable(context, request));
    }

    @Override
    public ChangeFeed follow(OperationContext context, SearchRequest request, boolean wholeContent) throws DirectoryException {
        requireSearch(context.identity(), request);
        return super.follow(context, readable(context, request), wholeContent);
    }

    @Override
    public ContentRefresh refresh(OperationContext context, SearchRequest request, Csn since) throws DirectoryException {
        requireSearch(context.identity(), request);
        return super.refresh(asserting(context, request.base()), readable(context, request), since);
    }

    private SearchRequest readable(OperationContext context, SearchRequest request) {
        return request.withAccess(policy.access(context.identity()));
    }

    private void requireSearch(Identity identity, SearchRequest request) throws DirectoryException {
        if (!policy.maySearch(identity, request.base(), request.scope())) {
            throw denied(identity, "search", request.base());
        }
    }

    @Override
    public boolean compare(OperationContext context, Dn dn, String description, byte[] value) throws DirectoryException {
        Identity identity = context.identity();
        if (!policy.mayReadEntry(identity, dn) || !policy.mayCompare(identity, dn, description)) {
            throw denied(identity, "compare " + description + " of", dn);
        }
        return super.compare(asserting(context, dn), dn, description, value);
    }

    @Override
    public CompletableFuture<Change> add(OperationContext context, Dn dn, List<Attribute> attributes) {
        boolean allowed = policy.mayChangeEntries(context.identity())
                && (!context.options().relaxed() || policy.mayRelaxRules(context.identity()));
        return update(context, "add", dn, allowed, asserting -> super.add(asserting, dn, attributes));
    }

    @Override
    public CompletableFuture<Change> modify(OperationContext context, Dn dn, List<Modification> modifications) {
        boolean allowed = policy.mayModify(context.identity(), dn, modifications)
                && (!context.options().relaxed() || policy.mayRelaxRules(context.identity()));
        return update(context, "modify", dn, allowed,
                asserting -> super.modify(asserting, dn, modifications));
    }

    @Override
    public CompletableFuture<Change> delete(OperationContext context, Dn dn) {
        return update(context, "delete", dn, policy.mayChangeEntries(context.identity()),
                asserting -> super.delete(asserting, dn));
    }

    @Override
    public CompletableFuture<Change> rename(OperationContext context, Dn dn, Rdn newRdn, boolean deleteOldRdn, Dn newSuperior) {
        return update(context, "rename", dn, policy.mayChangeEntries(context.identity()),
                asserting -> super.rename(asserting, dn, newRdn, deleteOldRdn, newSuperior));
    }

    private CompletableFuture<Change> update(OperationContext context, String verb, Dn dn, boolean allowed,
            Function<OperationContext, CompletableFuture<Change>> change) {
        if (!allowed) {
            return CompletableFuture.failedFuture(denied(context.identity(), verb, dn));
        }
        OperationContext asserting;
        try {
            asserting = asserting(context, dn);
        } catch (DirectoryException e) {
            return CompletableFuture.failedFuture(e);
        }
        return change.apply(asserting);
    }

    /** Neither an assertion nor the entry that an update shows must tell what a search would not. */
    private OperationContext asserting(OperationContext context, Dn dn) throws DirectoryException {
        if (context.options().assertion() != null && !policy.mayReadEntry(context.identity(), dn)) {
            throw denied(context.identity(), "assert anything about", dn);
        }
        return context.withAccess(policy.access(context.identity()));
    }

    private static DirectoryException denied(Identity identity, String verb, Dn dn) {
        String who = identity.isAnonymous() ? "anonymous clients" : '"' + identity.dn().text() + '"';
        String advice = identity.isAnonymous() ? ": bind first" : "";
        return new DirectoryException(ResultCodeEnum.INSUFFICIENT_ACCESS_RIGHTS,
                who + " may not " + verb + " \"" + dn.text() + '"' + advice);
    }
}
