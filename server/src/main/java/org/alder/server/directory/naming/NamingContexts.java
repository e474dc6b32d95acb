package org.alder.server.directory.naming;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.request.SearchScope;
import org.alder.partition.update.Updates;

/** The partitions of a server by the names they hold, and who is asked for all other names. Immutable, thread safe. */
public final class NamingContexts {
    /** A partition with what changes it. */
    public record Context(Partition partition, Updates updates) {
        public Context(Partition partition) {
            this(partition, new Updates(partition));
        }
    }

    private final List<Context> partitions;
    private final ReferralUrls urls;
    private final Supplier<List<String>> superiorReferrals;

    /** @param superiorReferrals LDAP URLs of the servers that know more names, as they are now; may be empty */
    public NamingContexts(List<Context> partitions, ReferralUrls urls, Supplier<List<String>> superiorReferrals) {
        this.partitions = List.copyOf(partitions);
        this.urls = urls;
        this.superiorReferrals = superiorReferrals;
    }

    /** In the order of the configuration. */
    public List<Context> all() {
        return partitions;
    }

    /** The one with the longest suffix above the DN, or null. */
    public Context of(Dn dn) {
        Context best = null;
        for (Context candidate : partitions) {
            Dn suffix = candidate.partition().suffix();
            if (dn.isDescendantOrSelf(suffix) && (best == null || suffix.size() > best.partition().suffix().size())) {
                best = candidate;
            }
        }
        return best;
    }

    /** Those that are not the base's own and lie in a search's scope, in the order of the configuration. */
    public List<Context> below(Dn base, SearchScope scope) {
        List<Context> below = List.of();
        for (Context candidate : partitions) {
            if (isBelow(candidate.partition, base, scope)) {
                below = below.isEmpty() ? new ArrayList<>(1) : below;
                below.add(candidate);
            }
        }
        return below;
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
        List<String> superior = superiorReferrals.get();
        return superior.isEmpty() ? new DirectoryException(ResultCode.NO_SUCH_OBJECT, message)
                : DirectoryException.referral(message + ": ask the superior server",
                        urls.of(superior, Dn.ROOT, dn, scope));
    }
}
