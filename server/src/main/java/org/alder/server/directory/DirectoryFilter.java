package org.alder.server.directory;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.alder.partition.dn.Dn;
import org.alder.partition.dn.Rdn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.request.Modification;
import org.alder.server.access.Right;

/**
 * A directory that passes on another's answers, for decorators to change one aspect of it. What they change they ask the inner one
 * for themselves: a call here goes to all kinds of directories, which the virtual machine cannot put into the caller. Thread safe.
 */
public class DirectoryFilter implements Directory {
    protected final Directory inner;

    /** @param inner what is decorated */
    public DirectoryFilter(Directory inner) {
        this.inner = inner;
    }

    @Override
    public boolean may(OperationContext context, Right right, Dn dn) {
        return inner.may(context, right, dn);
    }

    @Override
    public String rules(OperationContext context) {
        return inner.rules(context);
    }

    @Override
    public EffectiveRights rights(OperationContext context, Dn dn) {
        return inner.rights(context, dn);
    }

    @Override
    public EntryCursor search(OperationContext context, SearchRequest request) throws DirectoryException {
        return inner.search(context, request);
    }

    @Override
    public ChangeFeed follow(OperationContext context, SearchRequest request, boolean wholeContent) throws DirectoryException {
        return inner.follow(context, request, wholeContent);
    }

    @Override
    public ContentRefresh refresh(OperationContext context, SearchRequest request, ContentState since) throws DirectoryException {
        return inner.refresh(context, request, since);
    }

    @Override
    public CompletableFuture<Boolean> compare(OperationContext context, Dn dn, String description, byte[] value)
            throws DirectoryException {
        return inner.compare(context, dn, description, value);
    }

    @Override
    public CompletableFuture<Change> add(OperationContext context, Dn dn, List<Attribute> attributes) {
        return inner.add(context, dn, attributes);
    }

    @Override
    public CompletableFuture<Change> modify(OperationContext context, Dn dn, List<Modification> modifications) {
        return inner.modify(context, dn, modifications);
    }

    @Override
    public CompletableFuture<Change> delete(OperationContext context, Dn dn) {
        return inner.delete(context, dn);
    }

    @Override
    public CompletableFuture<Change> rename(OperationContext context, Dn dn, Rdn newRdn, boolean deleteOldRdn, Dn newSuperior) {
        return inner.rename(context, dn, newRdn, deleteOldRdn, newSuperior);
    }

    @Override
    public UpdateTransaction begin() {
        return inner.begin();
    }
}
