package org.alder.server.extended;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.StoreException;
import org.alder.partition.schema.Schema;
import org.alder.server.audit.AuditLine;
import org.alder.server.directory.Directory;
import org.alder.server.directory.OperationContext;

/**
 * Merges the files of a partition at once, for administrators: an operation of Alder's own. The request's value is the suffix, without one it
 * is all partitions; the answer, without a value, comes when all is merged. One at a time, on a thread of its own.
 */
public final class Compaction implements ExtendedOperation {
    public static final String OID = "2.25.278641466010882381359084238697260762259.4.1";

    private final Schema schema;
    private final Supplier<Map<Dn, Runnable>> partitions;
    private final AtomicBoolean running = new AtomicBoolean();

    /** @param partitions by their suffixes: what merges the files of each, and returns when it is done */
    public Compaction(Schema schema, Supplier<Map<Dn, Runnable>> partitions) {
        this.schema = schema;
        this.partitions = partitions;
    }

    @Override
    public String oid() {
        return OID;
    }

    @Override
    public void describe(byte[] value, AuditLine line) {
        try {
            line.text("target", value == null ? null : Dn.text(value));
        } catch (DirectoryException e) {
            line.text("target", null);
        }
    }

    @Override
    public CompletableFuture<byte[]> handle(Directory directory, OperationContext context, byte[] value) throws DirectoryException {
        if (!context.identity().administrator()) {
            throw new DirectoryException(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, "only administrators may have files merged");
        }
        Map<Dn, Runnable> all = partitions.get();
        Map<Dn, Runnable> wanted = value == null ? all : Map.of(suffix(value, all), all.get(suffix(value, all)));
        if (!running.compareAndSet(false, true)) {
            throw new DirectoryException(ResultCode.BUSY, "files are being merged for somebody already: wait until that is done");
        }
        CompletableFuture<byte[]> done = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                wanted.values().forEach(Runnable::run);
                running.set(false);
                done.complete(null);
            } catch (StoreException e) {
                running.set(false);
                done.completeExceptionally(new DirectoryException(ResultCode.UNAVAILABLE, "the files could not be merged: " + e.getMessage()));
            } catch (RuntimeException | Error e) {
                running.set(false);
                done.completeExceptionally(e);
            }
        }, "alder-compaction");
        thread.setDaemon(true);
        thread.start();
        return done;
    }

    private Dn suffix(byte[] value, Map<Dn, Runnable> all) throws DirectoryException {
        Dn suffix = Dn.parse(schema, Dn.text(value));
        if (!all.containsKey(suffix)) {
            throw new DirectoryException(ResultCode.NO_SUCH_OBJECT, "no partition has the suffix \"" + suffix.text() + '"');
        }
        return suffix;
    }
}
