package org.alder.server.directory.own;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.alder.partition.ber.BerException;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.SharedSchema.Position;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Other members that hold updates of what they lead while this one changes the schema. Their limit is moved on until they are let go on. One thread.
 */
final class AskedLeaders {
    private static final Logger LOG = LoggerFactory.getLogger(AskedLeaders.class);
    /** So many times within the limit it is moved on. */
    private static final int RENEWALS = 4;

    private final ClusterSchema.Others others;
    private final long limitMillis;
    private final SchemaQuestion hold;
    private final List<String> asked = new ArrayList<>();
    /** Those that have answered. */
    private final List<String> held = new CopyOnWriteArrayList<>();
    private volatile boolean isOver;
    /** Why one of them does not hold updates any more; null where all do, as far as is known. */
    private volatile DirectoryException lost;

    /**
     * Asks nobody yet.
     *
     * @param limitMillis of the holds, and for each answer
     * @param turn        as it was before
     * @param definitions that the version is to have
     */
    AskedLeaders(ClusterSchema.Others others, long limitMillis, long turn, byte[] definitions) {
        this.others = others;
        this.limitMillis = limitMillis;
        this.hold = SchemaQuestion.hold(UUID.randomUUID(), others.own(), turn, definitions, List.of());
    }

    /**
     * Has a member hold updates.
     *
     * @return where these partitions stand
     * @throws DirectoryException that says why not; whoever was asked has to be let go on in any case
     */
    Map<String, Position> hold(String leader, Collection<String> partitions) throws DirectoryException {
        // Also where it does not answer: it may have them held all the same.
        asked.add(leader);
        SchemaQuestion question = SchemaQuestion.hold(hold.id(), hold.member(), hold.turn(), hold.definitions(), List.copyOf(partitions));
        Map<String, Position> positions = answer(others.ask(leader, question.encode()), leader, partitions);
        if (!positions.keySet().equals(Set.copyOf(partitions))) {
            throw new DirectoryException(ResultCode.UNAVAILABLE, leader + " was to hold updates of " + String.join(", ", partitions) + ", and holds those of "
                    + String.join(", ", positions.keySet()) + "; the schema was not changed");
        }
        held.add(leader);
        if (held.size() == 1) {
            renewSoon();
        }
        return positions;
    }

    private Map<String, Position> answer(CompletableFuture<byte[]> answer, String leader, Collection<String> partitions) throws DirectoryException {
        String who = leader + ", which leads " + String.join(", ", partitions) + ", ";
        try {
            return SchemaQuestion.positions(answer.get(limitMillis, TimeUnit.MILLISECONDS));
        } catch (TimeoutException e) {
            throw new DirectoryException(ResultCode.BUSY, who + "has not held updates within " + limitMillis + " ms; the schema was not changed: try again");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DirectoryException(ResultCode.UNAVAILABLE, "this member is being stopped; the schema was not changed");
        } catch (ExecutionException e) {
            throw refusal(who, e.getCause());
        } catch (BerException e) {
            throw refusal(who, e);
        }
    }

    /** A build that does not know the question takes it for an update that it cannot read, and says so. */
    private static DirectoryException refusal(String who, Throwable cause) {
        if (cause instanceof DirectoryException limit) {
            return limit;
        } else if (cause instanceof StoreException store && store.kind() == StoreException.Kind.NOT_LEADER) {
            return new DirectoryException(ResultCode.UNAVAILABLE, who + "cannot be asked to hold updates: " + store.getMessage());
        }
        return new DirectoryException(ResultCode.UNAVAILABLE, who + "has not held updates (" + cause.getMessage() + "); the schema was not changed. Where it runs an older"
                + " build of Alder than this member, upgrade it, or have one member lead all partitions (bin/alder cluster move-leader) and change the schema there");
    }

    private void renewSoon() {
        CompletableFuture.delayedExecutor(Math.max(1, limitMillis / RENEWALS), TimeUnit.MILLISECONDS).execute(this::renew);
    }

    private void renew() {
        if (isOver) {
            return;
        }
        for (String each : held) {
            others.ask(each, hold.renewal().encode()).whenComplete((answer, failure) -> renewed(each, answer, failure));
        }
        renewSoon();
    }

    /** One answer that is lost does no harm: the next one tells. */
    private void renewed(String leader, byte[] answer, Throwable failure) {
        try {
            if (failure == null) {
                SchemaQuestion.positions(answer);
            } else {
                LOG.debug("{} does not say whether it holds updates on", leader, failure);
            }
        } catch (BerException e) {
            LOG.debug("{} does not say whether it holds updates on", leader, e);
        } catch (DirectoryException e) {
            lost = e;
        }
    }

    /**
     * For a message of its own: a version is refused in any case where one has gone on.
     *
     * @throws DirectoryException busy where one of them does not hold updates any more
     */
    void requireHeld() throws DirectoryException {
        if (lost != null) {
            throw new DirectoryException(ResultCode.BUSY, "updates are not held any more (" + lost.getMessage() + "); the schema was not changed: try again");
        }
    }

    /** Nothing more is told them: what has become of the version they find out when their limit is over. */
    void leave() {
        isOver = true;
    }

    /**
     * Lets all go on, and waits until they do, or for so long as they are given to answer.
     *
     * @param number of the version that was made; 0 where none was
     */
    void release(long number) {
        isOver = true;
        List<CompletableFuture<byte[]>> answers = new ArrayList<>();
        byte[] question = SchemaQuestion.release(hold.id(), number).encode();
        for (String each : asked) {
            answers.add(others.ask(each, question).orTimeout(limitMillis, TimeUnit.MILLISECONDS)
                    .whenComplete((answer, failure) -> warn(each, number, failure)));
        }
        try {
            CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)).join();
        } catch (CompletionException e) {
            LOG.debug("Not all go on at once", e);
        }
    }

    private static void warn(String leader, long number, Throwable failure) {
        if (failure != null) {
            LOG.warn("{} has not said that updates go on there {}, and lets them go on when its limit is over: {}", leader,
                    number == 0 ? "by the schema of before" : "by version " + number + " of the schema", failure.toString());
        }
    }
}
