package org.alder.server.directory.guard;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.alder.partition.dn.Dn;
import org.alder.partition.dn.Rdn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.MustWaitException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.StoreException;
import org.alder.partition.request.Modification;
import org.alder.server.auth.Identity;
import org.alder.server.directory.Administrators;
import org.alder.server.directory.Change;
import org.alder.server.directory.ChangeFeed;
import org.alder.server.directory.ChangeFeedFilter;
import org.alder.server.directory.ContentChange;
import org.alder.server.directory.ContentRefresh;
import org.alder.server.directory.ContentState;
import org.alder.server.directory.Directory;
import org.alder.server.directory.DirectoryFilter;
import org.alder.server.directory.OperationContext;
import org.alder.server.directory.SearchRequest;

/**
 * Keeps those who are no administrators from becoming one, whatever else they may do: they change neither the group of the
 * administrators nor the entry of a member, but for their own, and put no entry in the place of either. Searches that go on with
 * changes end when whoever asks is no administrator any more. Thread safe.
 */
public final class AdministratorsDirectory extends DirectoryFilter {
    private final Administrators administrators;

    public AdministratorsDirectory(Directory inner, Administrators administrators) {
        super(inner);
        this.administrators = administrators;
    }

    @Override
    public CompletableFuture<Change> add(OperationContext context, Dn dn, List<Attribute> attributes) {
        return guarded(context, dn, false, null, () -> inner.add(context, dn, attributes));
    }

    @Override
    public CompletableFuture<Change> modify(OperationContext context, Dn dn, List<Modification> modifications) {
        return context.identity().dn().equals(dn) && !dn.equals(administrators.configured().group())
                ? inner.modify(context, dn, modifications)
                : guarded(context, dn, false, null, () -> inner.modify(context, dn, modifications));
    }

    @Override
    public CompletableFuture<Change> delete(OperationContext context, Dn dn) {
        return guarded(context, dn, context.options().subtree(), null, () -> inner.delete(context, dn));
    }

    @Override
    public CompletableFuture<Change> rename(OperationContext context, Dn dn, Rdn newRdn, boolean deleteOldRdn, Dn newSuperior) {
        Dn superior = newSuperior != null || dn.isRoot() ? newSuperior : dn.parent();
        return guarded(context, dn, true, superior == null ? null : superior.child(newRdn),
                () -> inner.rename(context, dn, newRdn, deleteOldRdn, newSuperior));
    }

    /** @param newDn where the entry goes with all below it; null if it stays */
    private CompletableFuture<Change> guarded(OperationContext context, Dn dn, boolean withBelow, Dn newDn,
            Supplier<CompletableFuture<Change>> change) {
        if (context.identity().administrator()) {
            return change.get();
        }
        try {
            if (administrators.isSensitive(dn, withBelow) || newDn != null && administrators.isSensitive(newDn, true)) {
                throw new DirectoryException(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, "\"" + dn.text()
                        + "\" may be changed by administrators only: it could make somebody an administrator");
            }
        } catch (MustWaitException e) {
            throw e;
        } catch (DirectoryException | StoreException e) {
            return CompletableFuture.failedFuture(e);
        }
        return change.get();
    }

    @Override
    public ChangeFeed follow(OperationContext context, SearchRequest request, boolean wholeContent) throws DirectoryException {
        ChangeFeed feed = inner.follow(context, request, wholeContent);
        return context.identity().administrator() ? new StillAdministrator(feed, context.identity()) : feed;
    }

    @Override
    public ContentRefresh refresh(OperationContext context, SearchRequest request, ContentState since) throws DirectoryException {
        Identity identity = context.identity();
        if (identity.administrator() && !administrators.standing(identity, null).now().administrator()) {
            throw noMore(identity);
        }
        return inner.refresh(context, request, since);
    }

    private static DirectoryException noMore(Identity identity) {
        return new DirectoryException(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, "\"" + identity.dn().text()
                + "\" is no administrator any more: ask again for what others may see");
    }

    private final class StillAdministrator extends ChangeFeedFilter {
        private final Identity identity;
        private Administrators.Standing standing;

        StillAdministrator(ChangeFeed inner, Identity identity) {
            super(inner);
            this.identity = identity;
        }

        @Override
        public ContentChange next() throws DirectoryException {
            ContentChange change = super.next();
            standing = administrators.standing(identity, standing);
            if (!standing.now().administrator()) {
                throw noMore(identity);
            }
            return change;
        }
    }
}
