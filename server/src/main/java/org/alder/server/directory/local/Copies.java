package org.alder.server.directory.local;

import java.util.ArrayList;
import java.util.List;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.store.Snapshot;
import org.alder.server.directory.FollowedContexts;
import org.alder.server.directory.SearchRequest;
import org.alder.server.directory.naming.NamingContexts;
import org.alder.server.directory.naming.ReferralUrls;

/** Keeps partitions that are copies of another server's from being changed by clients, and from being read by who wants no copy. Thread safe. */
final class Copies {
    private final FollowedContexts followed;
    private final ReferralUrls urls;

    Copies(FollowedContexts followed, ReferralUrls urls) {
        this.followed = followed;
        this.urls = urls;
    }

    /** @throws DirectoryException referral (RFC 4511 4.1.10) or unwillingToPerform for a copy of what another server has */
    void requireChangeable(Partition partition, Dn dn) throws DirectoryException {
        FollowedContexts.Copy copy = followed.of(partition.suffix());
        if (copy != null) {
            throw refused(copy, dn, '"' + partition.suffix().text() + "\" is a copy here, and changes only where it is followed from, " + copy.provider());
        }
    }

    private DirectoryException refused(FollowedContexts.Copy copy, Dn dn, String message) {
        return copy.refers() ? DirectoryException.referral(message, urls.of(copy.provider(), dn))
                : new DirectoryException(ResultCode.UNWILLING_TO_PERFORM, message);
    }

    /**
     * RFC 6171 3: nothing is read of a copy, be it the base or something else in the scope.
     *
     * @throws DirectoryException referral or unwillingToPerform
     */
    void requireOriginal(NamingContexts contexts, SearchRequest request) throws DirectoryException {
        NamingContexts.Context home = contexts.of(request.base());
        FollowedContexts.Copy copy = home == null ? null : copy(home);
        if (copy != null) {
            throw refused(copy, request.base(), '"' + home.partition().suffix().text() + "\" is a copy here, and the request wants none (control"
                    + " 1.3.6.1.1.22): ask " + copy.provider());
        }
        List<NamingContexts.Context> read = new ArrayList<>(contexts.below(request.base(), request.scope()));
        for (NamingContexts.Context each : read) {
            if (copy(each) != null) {
                throw new DirectoryException(ResultCode.UNWILLING_TO_PERFORM, "below the base is \"" + each.partition().suffix().text()
                        + "\", a copy, and the request wants none (control 1.3.6.1.1.22): ask " + copy(each).provider() + " for that");
            }
        }
        if (home != null) {
            read.add(home);
        }
        boolean dereferenced = request.dereferencing().findingBase() || request.dereferencing().inSearching();
        if (dereferenced && contexts.all().stream().anyMatch(each -> copy(each) != null) && read.stream().anyMatch(Copies::hasAliases)) {
            throw new DirectoryException(ResultCode.UNWILLING_TO_PERFORM, "aliases may lead the search to a copy, and the request wants none"
                    + " (control 1.3.6.1.1.22): ask without dereferencing");
        }
    }

    private FollowedContexts.Copy copy(NamingContexts.Context context) {
        return followed.of(context.partition().suffix());
    }

    private static boolean hasAliases(NamingContexts.Context context) {
        try (Snapshot snapshot = context.partition().snapshot()) {
            return !context.partition().special(snapshot).aliases().isEmpty();
        }
    }
}
