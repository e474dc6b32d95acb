package org.alder.server.protocol;

import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.error.DirectoryException;
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
}
