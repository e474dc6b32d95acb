package org.alder.server.directory.guard;

import org.alder.server.directory.ChangeFeed;
import org.alder.server.directory.ChangeFeedFilter;

/** A feed that counts while it is open. */
final class CountedFeed extends ChangeFeedFilter {
    private final FollowedCount.Place place;

    CountedFeed(ChangeFeed inner, FollowedCount.Place place) {
        super(inner);
        this.place = place;
    }

    @Override
    public void close() {
        super.close();
        place.close();
    }
}
