package org.alder.server.directory.guard;

import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.server.directory.ChangeFeed;
import org.alder.server.directory.ChangeFeedFilter;
import org.alder.server.directory.ContentChange;

/** A feed that ends when the rights change with which it was begun: the client may have what he must not see any more. */
final class GuardedFeed extends ChangeFeedFilter {
    private final BooleanSupplier asBefore;
    private final UnaryOperator<DirectoryException> visible;

    /** @param asBefore whether the rights are the same now  @param visible makes of a failure what the client may be told of it */
    GuardedFeed(ChangeFeed inner, BooleanSupplier asBefore, UnaryOperator<DirectoryException> visible) {
        super(inner);
        this.asBefore = asBefore;
        this.visible = visible;
    }

    /** The rights are asked for after the change is taken: who has lost them before it was made is not told of it. */
    @Override
    public ContentChange next() throws DirectoryException {
        ContentChange change;
        try {
            change = super.next();
        } catch (DirectoryException e) {
            requireSame();
            throw visible.apply(e);
        }
        requireSame();
        return change;
    }

    private void requireSame() throws DirectoryException {
        if (!asBefore.getAsBoolean()) {
            throw new DirectoryException(ResultCode.SYNC_REFRESH_REQUIRED, "the access rights have changed: ask again");
        }
    }
}
