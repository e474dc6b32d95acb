package org.alder.server.follow;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.alder.partition.dn.Dn;

/** What administrators tell partitions that follow a server to do, once. Thread safe. */
public final class FollowOrders {
    /** What they may be told. */
    public enum Order {
        /** The next refresh may delete whatever was not named. */
        ALLOW_DELETIONS("allowDeletions"),
        /** Everything is asked for anew. */
        REFRESH("refresh");

        private final String text;

        Order(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }

        /** Null if it is none. */
        public static Order of(String text) {
            for (Order order : values()) {
                if (order.text.toLowerCase(Locale.ROOT).equals(text.toLowerCase(Locale.ROOT))) {
                    return order;
                }
            }
            return null;
        }
    }

    private final Map<Dn, Runnable> followers = new HashMap<>();
    private final Map<Dn, Order> orders = new HashMap<>();

    /** @return false if nobody follows for this suffix */
    public boolean give(Dn suffix, Order order) {
        Runnable follower;
        synchronized (this) {
            follower = followers.get(suffix);
            if (follower == null) {
                return false;
            }
            orders.put(suffix, order);
        }
        follower.run();
        return true;
    }

    /** @param told is run whenever there is an order; null for nobody any more */
    synchronized void follow(Dn suffix, Runnable told) {
        if (told == null) {
            followers.remove(suffix);
            orders.remove(suffix);
        } else {
            followers.put(suffix, told);
        }
    }

    /** Takes the order, if it is this one. */
    synchronized boolean take(Dn suffix, Order order) {
        return orders.remove(suffix, order);
    }
}
