package org.alder.server.follow;

import java.util.List;

/**
 * Which partitions of a server follow others. Immutable, but for the orders.
 *
 * @param settings one for each such partition
 * @param orders   what administrators tell them
 */
public record Follows(List<FollowSettings> settings, FollowOrders orders) {
    /** Of a server all of whose partitions are its own. */
    public static final Follows NONE = new Follows(List.of(), new FollowOrders());

    public Follows {
        settings = List.copyOf(settings);
    }
}
