package org.alder.partition.bookkeeper.zookeeper;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooKeeper;

/**
 * What several threads ask of ZooKeeper at the same time, as one request: those who come while one is on its way go together with the next one. Each has its own
 * answer, or its own refusal. All write, or all read: ZooKeeper takes no group of both. Thread safe.
 */
public final class GroupedRequests {
    /** Of what a member tells some 64 KiB at most, of the MiB that a request may have. */
    private static final int MOST_IN_A_GROUP = 64;

    private final ZooKeeper zooKeeper;
    private final Queue<Request> waiting = new ConcurrentLinkedQueue<>();
    private final ReentrantLock sending = new ReentrantLock();

    /** Guarded by the lock. */
    private static final class Request {
        private final Op op;
        private OpResult answer;
        private KeeperException.Code refusal;

        Request(Op op) {
            this.op = op;
        }

        boolean isOver() {
            return answer != null || refusal != null;
        }

        OpResult answer() throws KeeperException {
            if (refusal != null) {
                throw KeeperException.create(refusal, op.getPath());
            }
            return answer;
        }
    }

    /** @param zooKeeper whose requests have a limit in time ({@link ZooKeeperSession#connect}) */
    public GroupedRequests(ZooKeeper zooKeeper) {
        this.zooKeeper = zooKeeper;
    }

    /** @throws KeeperException as if it had been alone; also where the answer to the group is lost, and it may have been done */
    public OpResult ask(Op op) throws KeeperException, InterruptedException {
        Request own = new Request(op);
        waiting.add(own);
        sending.lockInterruptibly();
        try {
            while (!own.isOver()) {
                sendSome();
            }
            return own.answer();
        } finally {
            sending.unlock();
        }
    }

    private void sendSome() throws InterruptedException {
        List<Request> group = new ArrayList<>();
        for (Request next = waiting.poll(); next != null; next = group.size() < MOST_IN_A_GROUP ? waiting.poll() : null) {
            group.add(next);
        }
        try {
            List<Request> left = group;
            while (!left.isEmpty()) {
                send(left);
                left = left.stream().filter(each -> !each.isOver()).toList();
            }
        } finally {
            // Also where this thread was interrupted: nobody else asks for them.
            refuse(group, KeeperException.Code.CONNECTIONLOSS);
        }
    }

    /** Where one is refused, none that writes is done: the others are to be sent again. */
    private void send(List<Request> group) throws InterruptedException {
        try {
            answer(group, zooKeeper.multi(group.stream().map(each -> each.op).toList()));
        } catch (KeeperException e) {
            if (e.getResults() != null) {
                answer(group, e.getResults());
            }
            if (group.stream().noneMatch(Request::isOver)) {
                refuse(group, e.code());
            }
        }
    }

    private static void answer(List<Request> group, List<OpResult> results) {
        for (int i = 0; i < results.size(); i++) {
            Request request = group.get(i);
            if (!(results.get(i) instanceof OpResult.ErrorResult error)) {
                request.answer = results.get(i);
            } else if (error.getErr() != KeeperException.Code.OK.intValue() && error.getErr() != KeeperException.Code.RUNTIMEINCONSISTENCY.intValue()) {
                request.refusal = KeeperException.Code.get(error.getErr());
            }
        }
    }

    private static void refuse(List<Request> group, KeeperException.Code why) {
        for (Request each : group) {
            each.refusal = each.isOver() ? each.refusal : why;
        }
    }
}
