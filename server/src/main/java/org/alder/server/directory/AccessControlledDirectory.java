package org.alder.server.directory;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.alder.partition.dn.Dn;
import org.alder.partition.dn.Rdn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.filter.Filter;
import org.alder.partition.store.Csn;
import org.alder.partition.update.Modification;
import org.alder.server.auth.Identity;
import org.apache.directory.api.ldap.model.message.ResultCodeEnum;

/** Asks an {@link AccessPolicy} before each operation, and hides what may not be read from filters and results. */
public final class AccessControlledDirectory implements Directory {
    private final Directory inner;
    private final AccessPolicy policy;

    public AccessControlledDirectory(Directory inner, AccessPolicy policy) {
        this.inner = inner;
        this.policy = policy;
    }

    @Override
    public CompletableFuture<Identity> bind(OperationContext context, Dn dn, byte[] password) {
        return inner.bind(context, dn, password);
    }

    @Override
    public EntryCursor search(OperationContext context, SearchRequest request) throws DirectoryException {
        Identity identity = context.identity();
        requireSearch(identity, request);
        EntryCursor cursor = inner.search(asserting(context, request.base()), readable(identity, request));
        return readable(cursor, policy.attributeAccess(identity));
    }

    private static EntryCursor readable(EntryCursor cursor, AttributeAccess access) {
        return access == AttributeAccess.ALL ? cursor : new EntryCursorFilter(cursor) {
            @Override
            public AttributeAccess access() {
                return access;
            }
        };
    }

    @Override
    public ChangeFeed follow(OperationContext context, SearchRequest request, boolean wholeContent) throws DirectoryException {
        requireSearch(context.identity(), request);
        AttributeAccess access = policy.attributeAccess(context.identity());
        ChangeFeed feed = inner.follow(context, readable(context.identity(), request), wholeContent);
        return access == AttributeAccess.ALL ? feed : new ChangeFeedFilter(feed) {
            @Override
            public ContentChange next() throws DirectoryException {
                ContentChange change = super.next();
                return change == null ? null : change.withEntry(readable(change.entry(), access));
            }
        };
    }

    @Override
    public ContentRefresh refresh(OperationContext context, SearchRequest request, Csn since) throws DirectoryException {
        requireSearch(context.identity(), request);
        AttributeAccess access = policy.attributeAccess(context.identity());
        return inner.refresh(asserting(context, request.base()), readable(context.identity(), request), since)
                .withEntries(cursor -> readable(cursor, access));
    }

    private SearchRequest readable(Identity identity, SearchRequest request) {
        SearchRequest readable = request.withFilter(policy.readable(identity, request.filter()));
        AttributeAccess access = policy.attributeAccess(identity);
        return request.list() == null || access == AttributeAccess.ALL ? readable
                : readable.withList(request.list().readableBy(access::mayRead));
    }

    private void requireSearch(Identity identity, SearchRequest request) throws DirectoryException {
        if (!policy.maySearch(identity, request.base(), request.scope())) {
            throw denied(identity, "search", request.base());
        }
    }

    @Override
    public boolean compare(OperationContext context, Dn dn, String description, byte[] value) throws DirectoryException {
        Identity identity = context.identity();
        if (!policy.mayReadEntry(identity, dn) || !policy.mayCompare(identity, description)) {
            throw denied(identity, "compare " + description + " of", dn);
        }
        return inner.compare(asserting(context, dn), dn, description, value);
    }

    @Override
    public CompletableFuture<Change> add(OperationContext context, Dn dn, List<Attribute> attributes) {
        boolean allowed = policy.mayChangeEntries(context.identity())
                && (!context.options().relaxed() || policy.mayRelaxRules(context.identity()));
        return update(context, "add", dn, allowed, asserting -> inner.add(asserting, dn, attributes));
    }

    @Override
    public CompletableFuture<Change> modify(OperationContext context, Dn dn, List<Modification> modifications) {
        return update(context, "modify", dn, policy.mayModify(context.identity(), dn, modifications),
                asserting -> inner.modify(asserting, dn, modifications));
    }

    @Override
    public CompletableFuture<Change> delete(OperationContext context, Dn dn) {
        return update(context, "delete", dn, policy.mayChangeEntries(context.identity()),
                asserting -> inner.delete(asserting, dn));
    }

    @Override
    public CompletableFuture<Change> rename(OperationContext context, Dn dn, Rdn newRdn, boolean deleteOldRdn, Dn newSuperior) {
        return update(context, "rename", dn, policy.mayChangeEntries(context.identity()),
                asserting -> inner.rename(asserting, dn, newRdn, deleteOldRdn, newSuperior));
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
        AttributeAccess access = policy.attributeAccess(context.identity());
        CompletableFuture<Change> done = change.apply(asserting);
        return access == AttributeAccess.ALL ? done : done.thenApply(seen -> seen.readableBy(access));
    }

    /** An assertion must not tell what a search would not. */
    private OperationContext asserting(OperationContext context, Dn dn) throws DirectoryException {
        Filter assertion = context.options().assertion();
        if (assertion == null) {
            return context;
        }
        if (!policy.mayReadEntry(context.identity(), dn)) {
            throw denied(context.identity(), "assert anything about", dn);
        }
        return context.withOptions(context.options().withAssertion(policy.readable(context.identity(), assertion)));
    }

    private static DirectoryException denied(Identity identity, String verb, Dn dn) {
        String who = identity.isAnonymous() ? "anonymous clients" : '"' + identity.dn().text() + '"';
        String advice = identity.isAnonymous() ? ": bind first" : "";
        return new DirectoryException(ResultCodeEnum.INSUFFICIENT_ACCESS_RIGHTS,
                who + " may not " + verb + " \"" + dn.text() + '"' + advice);
    }
}
