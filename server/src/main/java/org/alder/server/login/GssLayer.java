package org.alder.server.login;

import java.io.IOException;
import org.alder.server.wire.layer.SecurityLayer;
import org.ietf.jgss.GSSContext;
import org.ietf.jgss.GSSException;
import org.ietf.jgss.MessageProp;

/** Integrity, or confidentiality too, by what Kerberos has agreed on (RFC 4752 3.3, RFC 4121). Thread safe. */
final class GssLayer implements SecurityLayer {
    private final GSSContext context;
    private final boolean confidential;
    private final int mostBytes;

    /**
     * @param context established; the layer's from now on
     * @param mostBytesOfClient the longest buffer that the client takes
     * @throws GSSException if nothing fits into such a buffer
     */
    GssLayer(GSSContext context, boolean confidential, int mostBytesOfClient) throws GSSException {
        this.context = context;
        this.confidential = confidential;
        this.mostBytes = context.getWrapSizeLimit(0, confidential, mostBytesOfClient);
        if (mostBytes <= 0) {
            throw new GSSException(GSSException.FAILURE, 0, "nothing fits into " + mostBytesOfClient + " bytes");
        }
    }

    @Override
    public boolean isConfidential() {
        return confidential;
    }

    @Override
    public int mostBytes() {
        return mostBytes;
    }

    @Override
    public synchronized byte[] protect(byte[] bytes, int offset, int length) throws IOException {
        try {
            return context.wrap(bytes, offset, length, new MessageProp(0, confidential));
        } catch (GSSException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    @Override
    public synchronized byte[] reveal(byte[] bytes, int offset, int length) throws IOException {
        MessageProp found = new MessageProp(0, false);
        byte[] plain;
        try {
            plain = context.unwrap(bytes, offset, length, found);
        } catch (GSSException | RuntimeException e) {
            throw new IOException(e.getMessage(), e);
        }
        if (confidential && !found.getPrivacy()) {
            throw new IOException("a buffer that is not confidential, as the client has chosen");
        } else if (found.isDuplicateToken() || found.isOldToken() || found.isUnseqToken() || found.isGapToken()) {
            throw new IOException("a buffer out of turn");
        }
        return plain;
    }
}
