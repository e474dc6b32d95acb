package org.alder.server.protocol.operation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.server.control.ReadEntry;
import org.alder.server.control.ReadPoint;
import org.alder.server.control.ResponseControl;
import org.alder.server.directory.UpdateTransaction;
import org.alder.server.protocol.Exchange;
import org.alder.server.protocol.HandedUpdates;
import org.alder.server.protocol.LdapResult;
import org.alder.server.protocol.OpenTransaction;
import org.alder.server.protocol.PreparedPart;
import org.alder.server.protocol.QueuedUpdate;
import org.alder.server.protocol.Responses;

/**
 * The end of a transaction (RFC 5805 2.5 and 2.6): passes its updates through the directory, which checks each, and has them made
 * together, those of other shards by the members of the cluster that lead them; or makes none, and says which request is to blame. One thread at a time.
 */
final class TransactionEnd {
    /** Of what is shown when all is made, which another member does. */
    private static final Set<String> SHOWN_AT_END = Set.of(ReadEntry.AFTER.oid(), ReadPoint.CONTROL.oid());

    private final Exchange exchange;
    private final OpenTransaction open;
    private final HandedUpdates handed;
    private final UpdateTransaction transaction;
    private final Predicate<Throwable> otherwise;
    /** Those that pass through the directory here. */
    private final List<Put> put = new ArrayList<>();
    /** The others, by the labels of their shards. */
    private final Map<String, List<byte[]>> elsewhere = new LinkedHashMap<>();
    private final List<UpdateTransaction.Part> parts = new ArrayList<>();

    /** @param end how many updates the transaction had then */
    private record Put(QueuedUpdate update, CompletableFuture<QueuedUpdate.Made> made, int end) {
    }

    /** @param otherwise whether another one takes care of a failure, and answers */
    TransactionEnd(Exchange exchange, OpenTransaction open, UpdateTransaction transaction, HandedUpdates handed, Predicate<Throwable> otherwise) {
        this.otherwise = otherwise;
        this.transaction = transaction;
        this.exchange = exchange;
        this.open = open;
        this.handed = handed;
    }

    /** @param commit whether the updates are to be made */
    record Parameters(boolean commit, byte[] id) {
        static Parameters decode(byte[] value) throws DirectoryException {
            if (value == null) {
                throw new DirectoryException(ResultCode.PROTOCOL_ERROR, "an end transaction request without a value");
            }
            try {
                BerReader reader = new BerReader(value);
                int outer = reader.enter(BerWriter.SEQUENCE);
                boolean commit = reader.peekTag() != BerWriter.BOOLEAN || reader.readBoolean(BerWriter.BOOLEAN);
                // The UnboundID LDAP SDK sends the identifier under the tag of the response that brought it.
                byte[] id = reader.readBytes(reader.peekTag());
                reader.leaveFully(outer);
                return new Parameters(commit, id);
            } catch (BerException e) {
                throw new DirectoryException(ResultCode.PROTOCOL_ERROR, "end transaction request: " + e.getMessage());
            }
        }
    }

    /** Has the updates made. Answers the exchange, now or later. */
    void commit() {
        // Who leads the first one's shard decides.
        String own = open.updates().stream().map(each -> handed.shard(each.dn())).filter(Objects::nonNull).findFirst().orElse(null);
        boolean isPut = putAll(each -> {
            String shard = handed.shard(each.dn());
            return shard == null || shard.equals(own) ? put(each) : putElsewhere(shard, each);
        });
        if (!isPut) {
            return;
        }
        try {
            for (Map.Entry<String, List<byte[]>> each : elsewhere.entrySet()) {
                UpdateTransaction.Part part = handed.part(each.getKey(), exchange, each.getValue());
                transaction.add(part);
                parts.add(part);
            }
        } catch (DirectoryException e) {
            giveUp(null, e);
            return;
        }
        transaction.commit().whenComplete((none, failure) -> end(failure));
    }

    /** Has them checked and kept, for another member to decide. Answers the exchange, now or later. */
    void prepare(PreparedPart part) {
        if (putAll(this::put)) {
            transaction.prepare(part.shard(), part.id(), part.coordinator()).whenComplete((none, failure) -> end(failure));
        }
    }

    /**
     * Of the updates one after another, up to the first that fails, with which the transaction then ends.
     *
     * @param way what an update fails with already now, or null
     */
    private boolean putAll(Function<QueuedUpdate, Throwable> way) {
        for (QueuedUpdate each : open.updates()) {
            Throwable failure = way.apply(each);
            if (failure != null) {
                giveUp(each, failure);
                return false;
            }
        }
        return true;
    }

    /** @return what the update fails with already now, or null */
    private Throwable put(QueuedUpdate update) {
        try {
            CompletableFuture<QueuedUpdate.Made> future = update.update().make(update.context().withTransaction(transaction));
            int before = put.isEmpty() ? 0 : put.get(put.size() - 1).end;
            if (!future.isCompletedExceptionally() && transaction.size() == before) {
                return new IllegalStateException("request " + update.messageId() + " is not part of its transaction");
            }
            put.add(new Put(update, future, transaction.size()));
            return future.isCompletedExceptionally() ? future.handle((none, failure) -> failure).join() : null;
        } catch (DirectoryException | RuntimeException e) {
            return e;
        }
    }

    private Throwable putElsewhere(String shard, QueuedUpdate update) {
        if (update.controls().stream().anyMatch(each -> SHOWN_AT_END.contains(each.oid()))) {
            return new DirectoryException(ResultCode.AFFECTS_MULTIPLE_DSAS, "\"" + update.dn().text() + "\" is in another shard than the first entry of the"
                    + " transaction, and in a cluster no control there returns what it has become: read it afterwards");
        }
        elsewhere.computeIfAbsent(shard, none -> new ArrayList<>()).add(update.request());
        return null;
    }

    private void giveUp(QueuedUpdate blamed, Throwable failure) {
        transaction.giveUp(failure);
        fail(blamed == null ? null : blame(blamed), failure);
    }

    private void end(Throwable failure) {
        if (failure == null) {
            open.release();
            succeed();
        } else if (!otherwise.test(failure)) {
            fail(blame(), failure);
        }
    }

    /** The value of the response that names who is to blame; null for nobody. */
    private byte[] blame() {
        for (UpdateTransaction.Part each : parts) {
            if (each.isBlamed()) {
                return each.value();
            }
        }
        int failed = transaction.failed();
        return put.stream().filter(each -> failed >= 0 && failed < each.end).findFirst().map(each -> blame(each.update)).orElse(null);
    }

    private static byte[] blame(QueuedUpdate update) {
        BerWriter out = new BerWriter(16);
        int sequence = out.begin(BerWriter.SEQUENCE);
        out.integer(BerWriter.INTEGER, update.messageId());
        out.end(sequence);
        return out.toByteArray();
    }

    private void fail(byte[] value, Throwable failure) {
        open.release();
        exchange.answerExtended(exchange.resultOf(failure), value);
    }

    private void succeed() {
        try {
            exchange.answerExtended(LdapResult.SUCCESS, controls());
        } catch (RuntimeException e) {
            exchange.fail(e);
        }
    }

    /** What the updates are answered with beside success; null for nothing. */
    private byte[] controls() {
        BerWriter out = new BerWriter(64);
        int outer = out.begin(BerWriter.SEQUENCE);
        int all = out.begin(BerWriter.SEQUENCE);
        int empty = out.size();
        for (Put each : put) {
            List<ResponseControl> controls = each.made.join().controls();
            if (!controls.isEmpty()) {
                int one = out.begin(BerWriter.SEQUENCE);
                out.integer(BerWriter.INTEGER, each.update.messageId());
                Responses.writeControls(out, BerWriter.SEQUENCE, controls);
                out.end(one);
            }
        }
        for (UpdateTransaction.Part each : parts) {
            writeControls(out, each.value());
        }
        if (out.size() == empty) {
            return null;
        }
        out.end(all);
        out.end(outer);
        return out.toByteArray();
    }

    /** @param value of a response like this one; null for nothing */
    private static void writeControls(BerWriter out, byte[] value) {
        if (value != null) {
            try {
                BerReader in = new BerReader(value);
                in.enter(BerWriter.SEQUENCE);
                in.enter(BerWriter.SEQUENCE);
                out.raw(value, in.position(), in.limit() - in.position());
            } catch (BerException e) {
                throw new IllegalStateException("a part of the transaction is answered with what is no response: " + e.getMessage(), e);
            }
        }
    }
}
