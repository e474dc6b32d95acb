package org.alder.server.directory.guard;

import java.util.function.BooleanSupplier;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.server.directory.ChangeFeed;
import org.alder.server.directory.ChangeFeedFilter;
import org.alder.server.directory.ContentChange;

/** A feed that ends when the rights change with which it was begun: the client may have what he must not see any more. */
final class GuardedFeed extends ChangeFeedFilter {
    private final BooleanSupplier asBefore;

    GuardedFeed(ChangeFeed inner, BooleanSupplier asBefore) {
        super(inner);
        this.asBefore = asBefore;
    }

    @Override
    public ContentChange next() throws DirectoryException {
        if (!asBefore.getAsBoolean()) {
            throw new DirectoryException(ResultCode.SYNC_REFRESH_REQUIRED, "the access rights have changed: ask again");
        }
        return super.next();
    }
}
