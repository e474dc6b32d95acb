package org.alder.server.directory.guard;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntSupplier;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.server.auth.Identity;

/**
 * How many searches are told changes, in all and of each identity: each looks at every commit. Nobody but the administrator gets so
 * many that none are left for others. Thread safe.
 */
final class FollowedCount {
    private final IntSupplier mostNow;
    private final IntSupplier mostOfOneNow;
    private final Map<Dn, Integer> ofIdentity = new HashMap<>();
    private int all;

    /** Both are asked whenever there is one more. */
    FollowedCount(IntSupplier most, IntSupplier mostOfOne) {
        this.mostNow = most;
        this.mostOfOneNow = mostOfOne;
    }

    /** What one search has; closing it twice does no harm. */
    @FunctionalInterface
    interface Place extends AutoCloseable {
        @Override
        void close();
    }

    /** @throws DirectoryException adminLimitExceeded if all, or as many as the identity may have, are taken */
    synchronized Place take(Identity identity) throws DirectoryException {
        int most = mostNow.getAsInt();
        int mostOfOne = mostOfOneNow.getAsInt();
        int same = ofIdentity.getOrDefault(identity.dn(), 0);
        if (all >= most) {
            throw refusal(most + " searches are", "maxFollowedSearches");
        } else if (same >= mostOfOne && !identity.administrator()) {
            throw refusal(mostOfOne + " searches of " + (identity.isAnonymous() ? "anonymous clients" : '"' + identity.dn().text()
                    + '"') + " are", "maxFollowedSearchesPerIdentity");
        }
        all++;
        ofIdentity.put(identity.dn(), same + 1);
        AtomicBoolean closed = new AtomicBoolean();
        return () -> {
            if (closed.compareAndSet(false, true)) {
                give(identity.dn());
            }
        };
    }

    private static DirectoryException refusal(String who, String key) {
        return new DirectoryException(ResultCode.ADMIN_LIMIT_EXCEEDED, who + " told changes already, as many as may be (" + key + ")");
    }

    private synchronized void give(Dn identity) {
        all--;
        ofIdentity.computeIfPresent(identity, (dn, count) -> count == 1 ? null : count - 1);
    }
}
