package org.alder.partition.jdbm.folder;

import java.io.IOException;
import java.util.UUID;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.log.CommitLog;
import org.alder.partition.jdbm.log.GroupLog;
import org.alder.partition.jdbm.log.LogGroup;
import org.alder.partition.jdbm.log.LogSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of a store that one machine holds: files of its folder ({@link CommitLog}), each of them a part. A group that cannot be
 * written is taken back. Where room was lacking the log goes on when there is some; any other failure ends it. A failed sync is not
 * tried again: the operating system may have dropped the pages it could not write and would report success for them (Rebello et al., Can
 * Applications Recover from fsync Failures?, USENIX ATC 2020), so only a restart, which reads the log back, knows what is on the disk.
 */
public final class LocalLog implements GroupLog {
    private static final Logger LOG = LoggerFactory.getLogger(LocalLog.class);

    private final StoreFolder folder;
    private final UUID storeId;
    private final DiskSpace space;
    /** Null where none is open. */
    private CommitLog file;
    private boolean begun;
    private volatile long syncs;

    /** @param space knows which failures pass */
    public LocalLog(StoreFolder folder, UUID storeId, DiskSpace space) {
        this.folder = folder;
        this.storeId = storeId;
        this.space = space;
    }

    /** When the store is opened only a full disk is borne: then it can at least be read. Later whatever may pass is. */
    @Override
    public StoreException begin(long firstSequence, long timeBefore) throws IOException {
        try {
            file = CommitLog.create(folder.disk(), folder.path(), storeId, firstSequence, timeBefore);
            return null;
        } catch (IOException e) {
            if (begun ? !space.mayPass(e) : !space.isFull(e)) {
                throw e;
            }
            return space.lacking(e);
        } finally {
            begun = true;
        }
    }

    @Override
    public boolean isOpen() {
        return file != null;
    }

    @Override
    public Ending append(LogGroup group, boolean durable) {
        long start = file.sizeBytes();
        try {
            file.append(group);
            if (durable) {
                sync();
            }
            return Ending.DONE;
        } catch (IOException | RuntimeException | Error e) {
            return takeBack(start, e);
        }
    }

    /** Ends the file before the group. */
    private Ending takeBack(long start, Throwable cause) {
        CommitLog ended = file;
        file = null;
        String what = "the log " + ended.path() + " could not be written: " + cause;
        boolean mayGoOn = space.isFull(cause);
        try (ended) {
            ended.takeBack(start);
            return mayGoOn ? Ending.refusedForNow(space.lacking(cause))
                    : Ending.refused(new StoreException(StoreException.Kind.READ_ONLY, what, cause));
        } catch (IOException e) {
            LOG.error("Cannot take the failed group back from {}; a restart may find it there, whole, or cut it", ended.path(), e);
            return Ending.unknown(what, cause);
        }
    }

    @Override
    public LogSource source() {
        return folder.log(storeId);
    }

    @Override
    public boolean isSynced() {
        return file.isSynced();
    }

    @Override
    public void sync() throws IOException {
        file.sync();
        syncs++;
    }

    @Override
    public long syncs() {
        return syncs;
    }

    @Override
    public void end() throws IOException {
        CommitLog ended = file;
        file = null;
        ended.finish();
    }

    @Override
    public void close() throws IOException {
        if (file != null) {
            file.close();
        }
    }
}
