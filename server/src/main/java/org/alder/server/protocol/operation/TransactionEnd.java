package org.alder.server.protocol.operation;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.server.control.ResponseControl;
import org.alder.server.directory.UpdateTransaction;
import org.alder.server.protocol.Exchange;
import org.alder.server.protocol.LdapResult;
import org.alder.server.protocol.OpenTransaction;
import org.alder.server.protocol.QueuedUpdate;
import org.alder.server.protocol.Responses;

/**
 * The end of a transaction (RFC 5805 2.5 and 2.6): passes its updates through the directory, which checks each, and has them made
 * together; or makes none, and says which request is to blame. One thread at a time.
 */
final class TransactionEnd {
    private static final int NOBODY = -1;

    private final Exchange exchange;
    private final OpenTransaction open;
    private final List<QueuedUpdate> updates;
    private final List<CompletableFuture<QueuedUpdate.Made>> made = new ArrayList<>();
    /** How many parts the transaction had when the update of the same position was put in. */
    private final List<Integer> ends = new ArrayList<>();
    private final UpdateTransaction transaction;

    TransactionEnd(Exchange exchange, OpenTransaction open, UpdateTransaction transaction) {
        this.transaction = transaction;
        this.exchange = exchange;
        this.open = open;
        this.updates = open.updates();
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

    /** Answers the exchange, now or later. */
    void commit() {
        for (int i = 0; i < updates.size(); i++) {
            Throwable failure = put(updates.get(i));
            if (failure != null) {
                transaction.giveUp(failure);
                fail(i, failure);
                return;
            }
        }
        transaction.commit().whenComplete((none, failure) -> {
            open.release();
            if (failure == null) {
                succeed();
            } else {
                fail(blamed(), failure);
            }
        });
    }

    /** @return what the update fails with already now, or null */
    private Throwable put(QueuedUpdate update) {
        try {
            CompletableFuture<QueuedUpdate.Made> future = update.update().make(update.context().withTransaction(transaction));
            int before = ends.isEmpty() ? 0 : ends.get(ends.size() - 1);
            if (!future.isCompletedExceptionally() && transaction.size() == before) {
                return new IllegalStateException("request " + update.messageId() + " is not part of its transaction");
            }
            made.add(future);
            ends.add(transaction.size());
            return future.isCompletedExceptionally() ? future.handle((none, failure) -> failure).join() : null;
        } catch (DirectoryException | RuntimeException e) {
            return e;
        }
    }

    private int blamed() {
        int part = transaction.failed();
        for (int i = 0; part >= 0 && i < ends.size(); i++) {
            if (part < ends.get(i)) {
                return i;
            }
        }
        return NOBODY;
    }

    private void fail(int position, Throwable failure) {
        open.release();
        byte[] value = null;
        if (position != NOBODY) {
            BerWriter out = new BerWriter(16);
            int sequence = out.begin(BerWriter.SEQUENCE);
            out.integer(BerWriter.INTEGER, updates.get(position).messageId());
            out.end(sequence);
            value = out.toByteArray();
        }
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
        for (int i = 0; i < updates.size(); i++) {
            List<ResponseControl> controls = made.get(i).join().controls();
            if (!controls.isEmpty()) {
                int one = out.begin(BerWriter.SEQUENCE);
                out.integer(BerWriter.INTEGER, updates.get(i).messageId());
                Responses.writeControls(out, BerWriter.SEQUENCE, controls);
                out.end(one);
            }
        }
        if (out.size() == empty) {
            return null;
        }
        out.end(all);
        out.end(outer);
        return out.toByteArray();
    }
}
