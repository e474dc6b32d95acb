package org.alder.partition.jdbm.recovery;

import java.io.IOException;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.disk.FolderLock;
import org.alder.partition.jdbm.folder.Leftovers;
import org.alder.partition.jdbm.folder.Manifest;
import org.alder.partition.jdbm.folder.ManifestFile;
import org.alder.partition.jdbm.folder.StoreFolder;
import org.alder.partition.jdbm.log.GroupLog;
import org.alder.partition.jdbm.log.SharedLog;

/**
 * Puts data of a folder in the place of all that a shared log stands for, as a new generation: whoever leads is fenced, the folder's
 * manifest names the generation, then the log does. Where it ends between the two, the log and the other replicas stay as they were, and
 * the folder is refused. Stateless.
 */
public final class LogReplacement {
    private LogReplacement() {
    }

    /** What writes the manifest. */
    @FunctionalInterface
    interface ManifestWriter {
        void write(Manifest manifest) throws IOException;
    }

    /**
     * Fences whoever leads, and has the manifest written.
     *
     * @param data with nothing but segments
     * @return the manifest as it was written
     */
    static Manifest fence(SharedLog shared, Manifest data, ManifestWriter writer) throws IOException {
        return write(shared, shared.takeOver(), data, writer);
    }

    private static Manifest write(SharedLog shared, GroupLog fenced, Manifest data, ManifestWriter writer) throws IOException {
        Manifest next = data.sharing(new Manifest.Shared(shared.generation() + 1, shared.epoch()));
        writer.write(next);
        fenced.close();
        return next;
    }

    /** Has the log begin behind the data of a manifest that was written. */
    static void replace(SharedLog shared, Manifest written, long timeMillis) {
        try {
            shared.replace(written.shared().generation(), written.lastFlushed(), timeMillis);
        } catch (IOException e) {
            throw new StoreException(StoreException.Kind.IO, "the data are there, but the log could not be told that they take the place of "
                    + "all there were: nobody uses them. Do it again: " + e, e);
        }
    }

    /**
     * Goes on with {@link #share} where it ended between the manifest and the log.
     *
     * @param timeMillis not earlier than when its last transaction was committed, since 1970
     * @return false where there is nothing to go on with: the log has the data, or others by now
     */
    public static boolean goOn(StoreFolder folder, long timeMillis) {
        FolderLock lock = null;
        try {
            lock = FolderLock.acquire(folder.disk(), folder.path());
            Manifest manifest = ManifestFile.read(folder.path());
            SharedLog log = folder.shared();
            if (manifest == null || manifest.shared() == null || !manifest.storeId().equals(log.storeId())
                    || manifest.shared().generation() != log.generation() + 1) {
                return false;
            }
            GroupLog fenced = log.takeOver();
            boolean isWritten = isWritten(log);
            fenced.close();
            if (isWritten) {
                return false;
            }
            replace(log, manifest, timeMillis);
            Leftovers.removeOld(folder, manifest);
            return true;
        } catch (IOException e) {
            throw new StoreException(StoreException.Kind.IO, "cannot make a replica of " + folder.path() + ": " + e, e);
        } finally {
            FolderLock.release(lock);
        }
    }

    /** Of one that was taken over: whoever led before can write no more. */
    private static boolean isWritten(SharedLog shared) throws IOException {
        try {
            return shared.readBehind(0, 0, group -> { }) > 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the log was read", e);
        }
    }

    /**
     * Makes a store with a log of its own the first replica of a log that nobody has written.
     *
     * @param folder     of the store, with that log
     * @param timeMillis when its last transaction was committed, since 1970: all of it is in segments
     * @return false where somebody has written the log: the store stays as it is then
     * @throws StoreException of kind REFUSED where the store is empty, shares a log, or has changes that are in no segment
     */
    public static boolean share(StoreFolder folder, long timeMillis) {
        FolderLock lock = null;
        try {
            lock = FolderLock.acquire(folder.disk(), folder.path());
            Manifest manifest = ManifestFile.read(folder.path());
            if (manifest == null || manifest.shared() != null || manifest.segments().isEmpty()) {
                throw new StoreException(StoreException.Kind.REFUSED, "there is no store with entries and a log of its own in " + folder.path());
            }
            GroupLog fenced = folder.shared().takeOver();
            if (isWritten(folder.shared())) {
                fenced.close();
                return false;
            }
            Manifest data = manifest.asStore(folder.shared().storeId());
            Manifest written = write(folder.shared(), fenced, data, next -> ManifestFile.write(folder.disk(), folder.path(), next));
            replace(folder.shared(), written, timeMillis);
            Leftovers.removeOld(folder, written);
            return true;
        } catch (IOException e) {
            throw new StoreException(StoreException.Kind.IO, "cannot make a replica of " + folder.path() + ": " + e, e);
        } finally {
            FolderLock.release(lock);
        }
    }
}
