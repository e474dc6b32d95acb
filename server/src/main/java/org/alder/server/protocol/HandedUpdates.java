package org.alder.server.protocol;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.alder.partition.ber.BerException;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.StoreException;
import org.alder.server.control.ReadPoint;
import org.alder.server.directory.UpdateTransaction;

/** Hands updates on that another member of the cluster leads: the client is answered what the leader answers. Thread safe. */
public final class HandedUpdates {
    private final OtherMembers members;

    public HandedUpdates(OtherMembers members) {
        this.members = members;
    }

    /** Whether any update may be handed on, so that its request has to be kept. */
    public boolean mayBe(Exchange exchange) {
        return members != OtherMembers.NONE && exchange.connection().handed() == null;
    }

    /** Whether an update of a transaction may be made by another member, so that its request has to be kept. */
    public boolean mayBePart() {
        return members != OtherMembers.NONE;
    }

    /** See {@link OtherMembers#shard}. */
    public String shard(Dn dn) {
        return dn == null ? null : members.shard(dn);
    }

    /** See {@link OtherMembers#part}. */
    public UpdateTransaction.Part part(String shard, Exchange exchange, List<byte[]> messages) {
        return members.part(shard, exchange.client().handedTo(members), messages);
    }

    /** The state in which an update is made that this member has made, for who reads elsewhere. */
    public ReadPoint written() {
        return members.written();
    }

    /** Makes an update here. */
    @FunctionalInterface
    public interface Making {
        /** @param otherwise whether another one takes care of a failure, and answers  @throws DirectoryException the operation's result */
        void make(Predicate<Throwable> otherwise) throws DirectoryException;
    }

    /**
     * Hands an update on, or has it made where this member leads; and hands it on, too, where that member leads no more when it is about to be made.
     *
     * @param dn      of the entry; null where there is none
     * @param message the whole request, which {@linkplain #mayBe may be} handed on
     */
    public void make(Exchange exchange, Dn dn, byte[] message, Making here) throws DirectoryException {
        Exchange.Step making = () -> here.make(failure -> takeLate(exchange, dn, message, failure));
        if (dn != null && members.lead(dn)) {
            hand(exchange, dn, List.of(message), making, () -> { });
        } else {
            making.run();
        }
    }

    /** @param failure with which an update has ended that was begun here  @return whether nothing of it was done, and another member is asked */
    private boolean takeLate(Exchange exchange, Dn dn, byte[] message, Throwable failure) {
        boolean isLate = isLate(dn, failure);
        if (isLate) {
            // Not a second time, should it lead again.
            hand(exchange, dn, List.of(message), () -> exchange.fail(failure), () -> { });
        }
        return isLate;
    }

    private boolean isLate(Dn dn, Throwable failure) {
        return Faults.cause(failure) instanceof StoreException store && store.kind() == StoreException.Kind.NOT_LEADER && dn != null && members.lead(dn);
    }

    /**
     * Hands all updates of a transaction on, if that is what is to be done with them: to whoever leads what the first of them is in.
     *
     * @param end  the whole request that asks for them to be made
     * @param here makes them here, should this member lead meanwhile
     * @return whether they were, and will be answered
     */
    public boolean take(Exchange exchange, OpenTransaction transaction, byte[] end, Exchange.Step here) {
        Dn first = first(transaction);
        boolean isTaken = mayBe(exchange) && first != null && members.lead(first);
        if (isTaken) {
            hand(exchange, first, messages(transaction, end), here, transaction::release);
        }
        return isTaken;
    }

    /** The same for one that was begun here. @param failure with which that has ended  @return false also where something of it may be done */
    public boolean takeLate(Exchange exchange, OpenTransaction transaction, byte[] end, Throwable failure) {
        Dn first = first(transaction);
        boolean isLate = mayBe(exchange) && isLate(first, failure);
        if (isLate) {
            hand(exchange, first, messages(transaction, end), () -> {
                transaction.release();
                exchange.fail(failure);
            }, transaction::release);
        }
        return isLate;
    }

    /** One whose name has to be searched for is where the others are. */
    private static Dn first(OpenTransaction transaction) {
        return transaction.updates().stream().map(QueuedUpdate::dn).filter(Objects::nonNull).findFirst().orElse(null);
    }

    private static List<byte[]> messages(OpenTransaction transaction, byte[] end) {
        List<byte[]> messages = new ArrayList<>();
        transaction.updates().forEach(update -> messages.add(update.request()));
        messages.add(end);
        return messages;
    }

    private void hand(Exchange exchange, Dn dn, List<byte[]> messages, Exchange.Step here, Runnable done) {
        members.hand(dn, exchange.client().handedTo(members), messages).whenComplete((handed, failure) -> {
            if (failure == null && handed.answer() == null) {
                exchange.workers().execute(() -> make(exchange, here));
                return;
            }
            done.run();
            if (failure == null) {
                answer(exchange, handed);
            } else {
                exchange.fail(failure);
            }
        });
    }

    private static void make(Exchange exchange, Exchange.Step here) {
        try {
            here.run();
        } catch (DirectoryException | RuntimeException | Error e) {
            exchange.fail(e);
        }
    }

    private static void answer(Exchange exchange, OtherMembers.Handed handed) {
        try {
            HandedMessages.Response response = HandedMessages.response(handed.answer());
            if (response.id() != exchange.messageId()) {
                throw new BerException("it answers request " + response.id() + " instead of " + exchange.messageId());
            }
            exchange.wrote(handed.written());
            exchange.respond(response.result(), handed.answer());
        } catch (BerException e) {
            exchange.fail(new DirectoryException(ResultCode.UNAVAILABLE, "the leader's answer cannot be passed on (" + e.getMessage()
                    + "): it is not known whether the update was made, so read what it was to change"));
        }
    }
}
