package org.alder.server.directory;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.alder.partition.dn.Dn;
import org.alder.partition.dn.Rdn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.error.DirectoryException;
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
        if (!policy.maySearch(identity, request.base(), request.scope())) {
            throw denied(identity, "search", request.base());
        }
        AttributeAccess access = policy.attributeAccess(identity);
        EntryCursor cursor = inner.search(context, request.withFilter(policy.readable(identity, request.filter())));
        return access == AttributeAccess.ALL ? cursor : new EntryCursorFilter(cursor) {
            @Override
            public AttributeAccess access() {
                return access;
            }
        };
    }

    @Override
    public boolean compare(OperationContext context, Dn dn, String description, byte[] value) throws DirectoryException {
        Identity identity = context.identity();
        if (!policy.mayReadEntry(identity, dn) || !policy.mayCompare(identity, description)) {
            throw denied(identity, "compare " + description + " of", dn);
        }
        return inner.compare(context, dn, description, value);
    }

    @Override
    public CompletableFuture<Void> add(OperationContext context, Dn dn, List<Attribute> attributes) {
        return policy.mayChangeEntries(context.identity()) ? inner.add(context, dn, attributes) : refused(context, "add", dn);
    }

    @Override
    public CompletableFuture<Void> modify(OperationContext context, Dn dn, List<Modification> modifications) {
        return policy.mayModify(context.identity(), dn, modifications)
                ? inner.modify(context, dn, modifications) : refused(context, "modify", dn);
    }

    @Override
    public CompletableFuture<Void> delete(OperationContext context, Dn dn) {
        return policy.mayChangeEntries(context.identity()) ? inner.delete(context, dn) : refused(context, "delete", dn);
    }

    @Override
    public CompletableFuture<Void> rename(OperationContext context, Dn dn, Rdn newRdn, boolean deleteOldRdn, Dn newSuperior) {
        return policy.mayChangeEntries(context.identity())
                ? inner.rename(context, dn, newRdn, deleteOldRdn, newSuperior) : refused(context, "rename", dn);
    }

    private static CompletableFuture<Void> refused(OperationContext context, String verb, Dn dn) {
        return CompletableFuture.failedFuture(denied(context.identity(), verb, dn));
    }

    private static DirectoryException denied(Identity identity, String verb, Dn dn) {
        String who = identity.isAnonymous() ? "anonymous clients" : '"' + identity.dn().text() + '"';
        String advice = identity.isAnonymous() ? ": bind first" : "";
        return new DirectoryException(ResultCodeEnum.INSUFFICIENT_ACCESS_RIGHTS,
                who + " may not " + verb + " \"" + dn.text() + '"' + advice);
    }
}
