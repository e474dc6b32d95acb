package org.alder.server.protocol;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.server.wire.Connection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The request to protect the connection by TLS (RFC 4511 4.14): how it is known before it is decoded, and what it leads to. Stateless. */
public final class StartTls {
    public static final String OID = "1.3.6.1.4.1.1466.20037";
    private static final Logger LOG = LoggerFactory.getLogger(StartTls.class);
    private static final byte[] OID_BYTES = OID.getBytes(StandardCharsets.US_ASCII);
    private static final int REQUEST_NAME = 0x80;

    private StartTls() {
    }

    /**
     * Answers a request of a connection on which nothing else is done, and from then on speaks TLS.
     *
     * @return false where the client did not wait for the answer: the connection is to be closed
     * @throws DirectoryException operationsError where there is TLS already, or what cannot be above it; busy where there are too many handshakes
     */
    static boolean begin(Connection connection, byte[] response) throws DirectoryException {
        if (connection.isTls() || connection.hasLayer()) {
            throw new DirectoryException(ResultCode.OPERATIONS_ERROR, connection.isTls() ? "the connection has TLS already"
                    : "the connection has a security layer of SASL, below which TLS cannot start");
        }
        int behind = connection.inputBehind();
        if (behind > 0) {
            LOG.warn("{} is closed: {} bytes came in clear behind its request for TLS, and anybody on the way can have put them there", connection, behind);
            return false;
        }
        String refusal = connection.startTls(response);
        if (refusal != null) {
            throw new DirectoryException(ResultCode.BUSY, refusal);
        }
        return true;
    }

    /** @param message an extended request */
    static boolean isIn(LdapMessage message) throws BerException {
        BerReader reader = message.operation().copy();
        reader.enter(LdapMessage.EXTENDED);
        return reader.peekTag() == REQUEST_NAME && Arrays.equals(OID_BYTES, reader.readBytes(REQUEST_NAME));
    }
}
