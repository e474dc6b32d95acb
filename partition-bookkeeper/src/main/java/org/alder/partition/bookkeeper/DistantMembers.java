package org.alder.partition.bookkeeper;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.alder.partition.bookkeeper.ask.AskedMember;
import org.alder.partition.bookkeeper.distant.Holders;
import org.alder.partition.bookkeeper.election.Election;
import org.alder.partition.bookkeeper.roster.AskedMembers;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.ClusterService.Status;

/**
 * The members that hold a store which this one does not, as ZooKeeper has them. Thread safe.
 *
 * @param own      the name of this member, which may have led before it left the store to others
 * @param refusals what those are told who want to change anything
 */
record DistantMembers(String own, ClusterView view, AskedMembers asked, Election.Refusals refusals) implements Holders {
    @Override
    public Status look() throws IOException {
        return view.members().status(-1);
    }

    @Override
    public boolean mayBeAsked(String member) {
        return asked.of(member) != null;
    }

    @Override
    public CompletableFuture<byte[]> ask(String member, byte[] question) {
        AskedMember other = asked.of(member);
        return other != null ? other.ask(question)
                : CompletableFuture.failedFuture(new StoreException(StoreException.Kind.CLOSED, member + " is no member that can be asked any more"));
    }

    @Override
    public StoreException refusal(Status status) {
        Election.Leader leader = status == null ? null : status.members().stream()
                .filter(each -> each.name().equals(status.leader()) && each.url() != null && !each.name().equals(own))
                .map(each -> new Election.Leader(each.name(), each.url())).findFirst().orElse(null);
        return refusals.of(leader, "this member does not hold these entries, and only their leader takes updates: " + Election.Leader.words(leader)
                + "; nothing was done");
    }
}
