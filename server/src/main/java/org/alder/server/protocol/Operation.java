package org.alder.server.protocol;

import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.MustWaitException;
import org.alder.server.control.OperationKind;

/** One LDAP operation with a response: decodes the request, asks the directory, answers. Implementations are thread safe. */
public interface Operation {
    OperationKind kind();

    /** The tag of its requests. */
    int requestTag();

    /** The tag of its final response. */
    int responseTag();

    /**
     * Sees to it that the exchange is answered, now or later.
     *
     * @param request positioned at the operation's tag; not valid after the call
     * @throws BerException if the request is not the BER it should be: the connection is then closed (RFC 4511 4.1.1)
     * @throws DirectoryException the operation's result
     */
    void handle(Exchange exchange, BerReader request) throws BerException, DirectoryException;

    /** The same; on a worker thread, once more from the beginning, where it has to wait for another machine: until it knows that nothing is done. */
    default void begin(Exchange exchange, LdapMessage message) throws BerException, DirectoryException {
        try {
            handle(exchange, message.operation());
        } catch (MustWaitException e) {
            byte[] kept = exchange.request();
            exchange.leave(() -> {
                try {
                    handle(exchange, LdapMessage.decode(kept, 0, kept.length).operation());
                } catch (BerException broken) {
                    throw new IllegalStateException("a message that was decoded before is now none: " + broken.getMessage(), broken);
                }
            });
        }
    }
}
