package org.alder.server.directory.naming;

import java.util.List;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.query.SearchScope;

/** The partitions of a server by the names they hold, and who is asked for all other names. Immutable, thread safe. */
public final class NamingContexts {
    private final List<PartitionUpdates> partitions;
    private final ReferralUrls urls;
    private final List<String> superiorReferrals;

    /** @param superiorReferrals LDAP URLs of the servers that know more names; may be empty */
    public NamingContexts(List<PartitionUpdates> partitions, ReferralUrls urls, List<String> superiorReferrals) {
        this.partitions = List.copyOf(partitions);
        this.urls = urls;
        this.superiorReferrals = List.copyOf(superiorReferrals);
    }

    /** In the order of the configuration. */
    public List<PartitionUpdates> all() {
        return partitions;
    }

    /** The one with the longest suffix above the DN, or null. */
    public PartitionUpdates of(Dn dn) {
        PartitionUpdates best = null;
        for (PartitionUpdates candidate : partitions) {
            Dn suffix = candidate.partition().suffix();
            if (dn.isDescendantOrSelf(suffix) && (best == null || suffix.size() > best.partition().suffix().size())) {
                best = candidate;
            }
        }
        return best;
    }

    /**
     * Whether a partition that is not the base's own lies in a search's scope. The topmost suffixes are the root's children.
     */
    public boolean isBelow(Partition partition, Dn base, SearchScope scope) {
        Dn suffix = partition.suffix();
        if (suffix.size() <= base.size() || !suffix.isDescendantOrSelf(base)) {
            return false;
        }
        return switch (scope) {
            case BASE -> false;
            case ONE_LEVEL -> base.isRoot() ? of(suffix.parent()) == null : suffix.size() == base.size() + 1;
            case SUBTREE, CHILDREN -> true;
        };
    }

    /** The result for a name that is under no suffix: referral if there is a superior server, else noSuchObject. */
    public DirectoryException outside(Dn dn, SearchScope scope) {
        String suffixes = String.join("\", \"", partitions.stream().map(each -> each.partition().suffix().text()).toList());
        String message = "\"" + dn.text() + "\" is under no suffix of this server (\"" + suffixes + "\")";
        return superiorReferrals.isEmpty() ? new DirectoryException(ResultCode.NO_SUCH_OBJECT, message)
                : DirectoryException.referral(message + ": ask the superior server",
                        urls.of(superiorReferrals, Dn.ROOT, dn, scope));
    }
}
