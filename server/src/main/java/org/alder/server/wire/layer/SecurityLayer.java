package org.alder.server.wire.layer;

import java.io.IOException;

/** What two sides that have authenticated put around all they send from then on (RFC 4422 3.7). Thread safe. */
public interface SecurityLayer {
    /** Whether nobody on the way can read or change what is sent. */
    boolean isConfidential();

    /** How much of what is sent may be protected at once; what it becomes is not longer than the client takes. */
    int mostBytes();

    /** @throws IOException if it cannot be protected: the connection is of no use then */
    byte[] protect(byte[] bytes, int offset, int length) throws IOException;

    /** What the client has protected. @throws IOException if it is not that, was sent before, or is out of turn */
    byte[] reveal(byte[] bytes, int offset, int length) throws IOException;
}
