package org.alder.server.follow;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.StoreException;
import org.alder.partition.update.copy.CopiedEntries;
import org.alder.server.directory.FollowedContexts;
import org.alder.server.directory.own.SchemaUpdates;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The partitions of a server that follow others, which may change while it runs. Thread safe; one change at a time. */
public final class Followers implements FollowedContexts, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Followers.class);

    private final ProviderSchema.Taking schema;
    private final FollowOrders orders;
    private volatile Map<Dn, Follower> followers = Map.of();
    private boolean closed;

    /** @param schema takes definitions that a followed server has and this one has not */
    public Followers(SchemaUpdates schema, FollowOrders orders) {
        this.schema = definitions -> schema.modify(definitions, false);
        this.orders = orders;
    }

    /**
     * From now on these follow, and no others: of those it is forgotten up to where they are copies. What clients change in them the servers that they followed do not
     * know, so that these cannot say later what to change back.
     */
    public synchronized void take(List<FollowSettings> wanted, List<Partition> partitions) {
        if (closed) {
            return;
        }
        Map<Dn, Follower> next = new LinkedHashMap<>();
        List<Follower> begun = new ArrayList<>();
        for (FollowSettings settings : wanted) {
            Partition partition = partitions.stream().filter(each -> each.suffix().equals(settings.suffix())).findFirst().orElse(null);
            Follower known = followers.get(settings.suffix());
            if (partition == null) {
                continue;
            } else if (known != null && known.partition() == partition && known.settings().equals(settings)) {
                next.put(settings.suffix(), known);
            } else {
                Follower follower = new Follower(settings, partition, new ProviderSchema(partition.schema(), settings, schema), orders);
                next.put(settings.suffix(), follower);
                begun.add(follower);
            }
        }
        Map<Dn, Follower> before = followers;
        followers = next;
        before.values().stream().filter(each -> !next.containsValue(each)).forEach(Follower::close);
        partitions.stream().filter(each -> !next.containsKey(each.suffix()) && !each.isElsewhere()).forEach(Followers::forget);
        begun.forEach(Follower::start);
    }

    /** Where it does not lead it does nothing: then the member that does forgets it. */
    private static void forget(Partition partition) {
        CopiedEntries.forget(partition).exceptionally(failure -> {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            if (!(cause instanceof StoreException store && store.kind() == StoreException.Kind.NOT_LEADER)) {
                LOG.warn("{} follows no other server, but up to where it was a copy cannot be forgotten: if it is to follow again after changes here, ask for all"
                        + " entries (alder follow refresh)", partition.suffix().line(), cause);
            }
            return null;
        });
    }

    @Override
    public Copy of(Dn suffix) {
        return followers.get(suffix);
    }

    /** Which are no copies yet, a line for each. */
    public List<String> missing() {
        return followers.values().stream().map(Follower::missing).filter(Objects::nonNull).toList();
    }

    /** Returns when nothing is changed any more. */
    @Override
    public synchronized void close() {
        closed = true;
        followers.values().forEach(Follower::close);
    }
}
