package org.alder.server.directory;

import java.util.List;
import org.alder.partition.entry.Csn;
import org.alder.partition.tree.Shard;

/**
 * Up to where a copy of a search's content is: the newest commit that it has of the store, or of each shard of a naming context. Immutable.
 *
 * @param commits in the order of the shards; one where all is in one store
 */
public record ContentState(List<Csn> commits) {
    /** Of so many shards there may be commits. */
    public static final int MOST = Shard.MOST;

    public ContentState {
        commits = List.copyOf(commits);
    }

    public static ContentState of(Csn commit) {
        return new ContentState(List.of(commit));
    }

    /** All of them as one, which grows with each commit. */
    public Csn csn() {
        return commits.size() == 1 ? commits.get(0) : Csn.together(commits);
    }

    /** How many commits are between an earlier state of the same content and this one. */
    public long commitsSince(ContentState earlier) {
        return csn().sequence() - earlier.csn().sequence();
    }
}
