package org.alder.server.extended;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.server.directory.Directory;
import org.alder.server.directory.OperationContext;

/** "Who am I?" (RFC 4532): the authorization identity, empty for anonymous. */
public final class WhoAmI implements ExtendedOperation {
    public static final String OID = "1.3.6.1.4.1.4203.1.11.3";

    @Override
    public String oid() {
        return OID;
    }

    @Override
    public CompletableFuture<byte[]> handle(Directory directory, OperationContext context, byte[] value)
            throws DirectoryException {
        if (value != null) {
            throw new DirectoryException(ResultCode.PROTOCOL_ERROR, "a Who am I? request has no value, found " + value.length
                    + " bytes");
        }
        return CompletableFuture.completedFuture(context.identity().authorizationId().getBytes(StandardCharsets.UTF_8));
    }
}
