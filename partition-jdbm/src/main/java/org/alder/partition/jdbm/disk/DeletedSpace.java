package org.alder.partition.jdbm.disk;

import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The space on the disk that deleted files keep because they are still mapped into memory. The operating system gives it back
 * when the last mapping is gone, and mappings go when the garbage collector finds them unreachable, which takes long where little
 * garbage is made. To unmap them as soon as the last snapshot is closed would not be safe: a snapshot may be taken back, and a
 * store closed, while another thread is in the middle of a read, and a read of memory that is not mapped ends the process. So
 * where a disk has too little room, a collection is asked for. Thread safe.
 */
public final class DeletedSpace {
    /** There is one heap, so there is one of these. */
    public static final DeletedSpace OF_PROCESS = new DeletedSpace(System::gc);

    private static final Cleaner CLEANER = Cleaner.create();

    private final Runnable collector;
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicBoolean deletedSince = new AtomicBoolean();

    DeletedSpace(Runnable collector) {
        this.collector = collector;
    }

    /** Tells of files that were deleted: they keep their space until the owner of their mappings is collected. */
    public void keep(Object owner, long fileBytes) {
        bytes.addAndGet(fileBytes);
        deletedSince.set(true);
        AtomicLong kept = bytes;
        CLEANER.register(owner, () -> kept.addAndGet(-fileBytes));
    }

    /** About what is kept now. */
    public long bytes() {
        return bytes.get();
    }

    /**
     * Has a collection begun on another thread, where something was deleted since the last one that this began and is kept still.
     * The space is there some time later.
     */
    public void giveBack() {
        if (bytes.get() > 0 && deletedSince.compareAndSet(true, false)) {
            Thread thread = new Thread(collector, "deleted-space");
            thread.setDaemon(true);
            thread.start();
        }
    }
}
