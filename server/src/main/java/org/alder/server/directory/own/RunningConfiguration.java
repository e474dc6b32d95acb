package org.alder.server.directory.own;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.alder.partition.dn.Dn;
import org.alder.partition.request.Modification;

/** What a server is configured with, as it is now. Thread safe. */
public interface RunningConfiguration {
    /** The operational attribute of the server's entry that has the last changes; to delete the newest one is to undo it. */
    String CHANGES = "alderConfigurationChange";
    /** Adding a value to it, which it never has, has the index of that attribute built anew. */
    String REBUILD = "alderIndexRebuild";
    /** Adding a value to it, which it never has, tells a partition that follows another server to do something once. */
    String FOLLOW = "alderFollowOrder";
    /** The operational attribute with the keys that the server goes by from the next start on only. */
    String WAITING = "alderWaitsForStart";

    /**
     * One entry of the configuration, by the names of its keys.
     *
     * @param dn       as the tree has it
     * @param said     what the configuration says, as it is written there
     * @param defaults what holds of the other keys
     * @param facts    what else there is to know, by the names of attributes
     */
    record Part(String dn, String objectClass, Map<String, List<String>> said, Map<String, List<String>> defaults,
                Map<String, List<String>> facts) {
    }

    /** Why the server does not go by what the members of its cluster are configured with in common; null where it does, or stands alone. */
    default String hindrance() {
        return null;
    }

    /** The server's own entry, which is the tree's root, and one below it for each partition. */
    List<Part> parts();

    /**
     * Changes an entry: all modifications or none, one request after another. When the future completes it is durable, and in effect
     * as far as it can be.
     *
     * @param who    asks, for the history
     * @param dryRun whether it is checked to its end and then refused with noOperation
     * @return a note for whoever asks: which of the changed keys wait for the next start, and which indexes are being built; empty if
     *     all is in effect. Fails with {@link org.alder.partition.error.DirectoryException} that names key and value
     */
    CompletableFuture<String> modify(Dn dn, List<Modification> modifications, String who, boolean dryRun);

    /**
     * Makes a partition, which is served when the future completes.
     *
     * @param keys what the request says of its entry
     */
    CompletableFuture<String> add(Dn dn, List<Modification> keys, String who, boolean dryRun);

    /** Ends serving a partition, whose data stay where they are. */
    CompletableFuture<String> delete(Dn dn, String who, boolean dryRun);
}
