package org.alder.partition.bookkeeper.distant;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.ClusterService.Member;
import org.alder.partition.store.ClusterService.Status;
import org.alder.partition.store.Replica;
import org.alder.partition.store.Store;

/** Members that hold a store, by their names, without a network: each has what answers for it. */
final class TestHolders implements Holders {
    static final String LOG = "/alder/logs/test";

    final Map<String, StoreAnswers> here = new ConcurrentHashMap<>();
    final AtomicInteger questions = new AtomicInteger();
    volatile boolean isSilent;

    void add(String name, Store store) {
        StoreAnswers answers = new StoreAnswers();
        answers.offer(LOG, store);
        here.put(name, answers);
    }

    @Override
    public Status look() {
        List<Member> all = new TreeMap<>(here).keySet().stream().map(name -> new Member(name, "ldap://" + name, Replica.Role.REPLICA, 1, 1, 0, 0, false, null, null,
                null)).toList();
        return new Status(null, 3, 1, 1, 0, all, null, 3, null);
    }

    @Override
    public boolean mayBeAsked(String member) {
        return true;
    }

    @Override
    public CompletableFuture<byte[]> ask(String member, byte[] question) {
        questions.incrementAndGet();
        StoreAnswers answers = here.get(member);
        if (isSilent) {
            return new CompletableFuture<>();
        }
        return answers == null ? CompletableFuture.failedFuture(new StoreException(StoreException.Kind.CLOSED, member + " is gone")) : answers.answer(question);
    }

    @Override
    public StoreException refusal(Status status) {
        return new StoreException(StoreException.Kind.NOT_LEADER, "another one leads");
    }
}
