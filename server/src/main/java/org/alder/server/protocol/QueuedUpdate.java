package org.alder.server.protocol;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.server.control.RequestControl;
import org.alder.server.control.ResponseControl;
import org.alder.server.directory.OperationContext;
import org.alder.server.resource.MemoryBudget;

/**
 * An update that waits for the end of its transaction. Immutable.
 *
 * @param messageId of its request
 * @param context in whose name and how it is asked for
 * @param update makes it
 * @param dn of the entry that it changes
 * @param request the whole of it, for another member of the cluster; null where there is none
 * @param bytes of its request
 * @param memory what it has of the server's memory; closed when it is made or forgotten
 */
public record QueuedUpdate(int messageId, OperationContext context, Update update, Dn dn, byte[] request, long bytes, MemoryBudget.Share memory) {
    /** The controls of its request, which is kept. */
    public List<RequestControl> controls() {
        return LdapMessage.kept(request).controls();
    }

    /** What a successful one is answered with. @param note for the client, mostly empty */
    public record Made(String note, List<ResponseControl> controls) {
        /** Success and no more. */
        public static final Made PLAIN = new Made("", List.of());
    }

    /** An update, which can be made once. */
    @FunctionalInterface
    public interface Update {
        CompletableFuture<Made> make(OperationContext context) throws DirectoryException;
    }
}
