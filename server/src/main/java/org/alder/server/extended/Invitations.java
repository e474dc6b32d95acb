package org.alder.server.extended;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.server.audit.AuditTrail;
import org.alder.server.directory.Directory;
import org.alder.server.directory.OperationContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives a machine that is invited into the cluster what it needs to become a member: an operation of Alder's own (docs/format/invitation.md). It cannot have
 * logged in, as it has nothing yet; what it gets is of no use without the token. One at a time, on a thread of its own, so that those who ask for what is not
 * there cost no more than that.
 */
public final class Invitations implements ExtendedOperation {
    public static final String OID = "2.25.278641466010882381359084238697260762259.4.3";
    private static final Logger LOG = LoggerFactory.getLogger(Invitations.class);

    private final Source source;
    private final AtomicBoolean running = new AtomicBoolean();

    /** Where invitations are. */
    @FunctionalInterface
    public interface Source {
        /**
         * @param request null if absent
         * @return null for an answer without a value
         * @throws DirectoryException the result
         * @throws IOException        where it cannot be known now
         */
        byte[] answer(byte[] request) throws IOException, DirectoryException;
    }

    public Invitations(Source source) {
        this.source = source;
    }

    @Override
    public String oid() {
        return OID;
    }

    @Override
    public CompletableFuture<byte[]> handle(Directory directory, OperationContext context, byte[] value) throws DirectoryException {
        if (!running.compareAndSet(false, true)) {
            throw new DirectoryException(ResultCode.BUSY, "somebody else asks for an invitation, and one is answered at a time: try again");
        }
        CompletableFuture<byte[]> done = new CompletableFuture<>();
        Thread thread = new Thread(() -> answer(context, value, done), "alder-invitation");
        thread.setDaemon(true);
        thread.start();
        return done;
    }

    private void answer(OperationContext context, byte[] value, CompletableFuture<byte[]> done) {
        byte[] given = null;
        Throwable failure = null;
        try {
            given = source.answer(value);
        } catch (IOException e) {
            // Whoever asks must not fill the log file.
            LOG.debug("an invitation could not be looked for", e);
            failure = new DirectoryException(ResultCode.UNAVAILABLE, "invitations cannot be looked for now, as ZooKeeper does not answer this member: try again, or ask another one");
        } catch (DirectoryException | RuntimeException | Error e) {
            failure = e;
        }
        running.set(false);
        if (failure != null) {
            done.completeExceptionally(failure);
            return;
        }
        context.audit().tell(AuditTrail.Kind.CONFIGURATION, given == null ? "invitationUsed" : "invitationGiven", null,
                given == null ? "the machine that was invited has what it needs" : "to a machine that is to be a member of the cluster");
        done.complete(given);
    }
}
