package org.alder.server.directory.naming;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.request.SearchScope;
import org.alder.partition.tree.Shard;
import org.alder.partition.update.Updates;
import org.alder.partition.update.copy.SuffixCopies;

/** The partitions of a server by the names they hold, and who is asked for all other names. Immutable, thread safe. */
public final class NamingContexts {
    /**
     * A partition with what changes it.
     *
     * @param copies of the suffix entry of shard 0 in the other shards; null for all other partitions
     */
    public record Context(Partition partition, Updates updates, SuffixCopies copies) {
        public Context(Partition partition) {
            this(partition, null);
        }

        private Context(Partition partition, SuffixCopies copies) {
            this(partition, new Updates(partition), copies);
        }
    }

    /** All partitions with one suffix. @param shards in the order of their numbers; one where all entries are in one partition */
    private record Named(Dn suffix, List<Context> shards) {
        Context of(Dn dn) {
            return shards.size() == 1 ? shards.get(0) : shards.get(Shard.numberOf(suffix, dn, shards.size()));
        }
    }

    private final List<Context> partitions;
    private final List<Named> bySuffix;
    private final ReferralUrls urls;
    private final Supplier<List<String>> superiorReferrals;

    /** @param superiorReferrals LDAP URLs of the servers that know more names, as they are now; may be empty */
    public NamingContexts(List<Partition> partitions, ReferralUrls urls, Supplier<List<String>> superiorReferrals) {
        Map<Dn, List<Partition>> named = new LinkedHashMap<>();
        partitions.forEach(each -> named.computeIfAbsent(each.suffix(), none -> new ArrayList<>(1)).add(each));
        this.bySuffix = named.entrySet().stream().map(each -> new Named(each.getKey(), contexts(each.getValue()))).toList();
        this.partitions = bySuffix.stream().flatMap(each -> each.shards.stream()).toList();
        this.urls = urls;
        this.superiorReferrals = superiorReferrals;
    }

    private static List<Context> contexts(List<Partition> shards) {
        SuffixCopies copies = shards.size() == 1 ? null : new SuffixCopies(shards);
        return shards.stream().map(each -> new Context(each, each.shard().hasCopyOfSuffix() ? null : copies)).toList();
    }

    /** In the order of the configuration, and of the numbers of shards. */
    public List<Context> all() {
        return partitions;
    }

    /** The one with the longest suffix above the DN, and of its shards the one that holds the DN; or null. */
    public Context of(Dn dn) {
        Named best = null;
        for (Named candidate : bySuffix) {
            if (dn.isDescendantOrSelf(candidate.suffix) && (best == null || candidate.suffix.size() > best.suffix.size())) {
                best = candidate;
            }
        }
        return best == null ? null : best.of(dn);
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
     * Whether a partition that is not the base's own lies in a search's scope. The topmost suffixes are the root's children. A search
     * from the suffix of shards has entries of all of them in its scope.
     */
    public boolean isBelow(Partition partition, Dn base, SearchScope scope) {
        Dn suffix = partition.suffix();
        if (partition.shard().hasCopyOfSuffix() && (scope == SearchScope.ONE_LEVEL || suffix.equals(base))) {
            return scope != SearchScope.BASE && suffix.equals(base);
        }
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
        String suffixes = String.join("\", \"", bySuffix.stream().map(each -> each.suffix.text()).toList());
        String message = "\"" + dn.text() + "\" is under no suffix of this server (\"" + suffixes + "\")";
        List<String> superior = superiorReferrals.get();
        return superior.isEmpty() ? new DirectoryException(ResultCode.NO_SUCH_OBJECT, message)
                : DirectoryException.referral(message + ": ask the superior server",
                        urls.of(superior, Dn.ROOT, dn, scope));
    }
}
