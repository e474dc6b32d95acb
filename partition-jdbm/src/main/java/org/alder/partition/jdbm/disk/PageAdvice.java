package org.alder.partition.jdbm.disk;

import com.sun.jna.Native;
import com.sun.jna.NativeLong;
import com.sun.jna.Platform;
import com.sun.jna.Pointer;
import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.nio.MappedByteBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the operating system how a mapped file is read (posix_madvise of POSIX.1-2008), which Java cannot. Without it a page fault reads what the device is set
 * to read ahead, 128 KiB mostly, and megabytes on RAID and where a profile wants throughput: of a file that is larger than memory, what is asked for then
 * drives out what else was. Advice alone: where it cannot be given, everything is read all the same. Thread safe.
 */
public final class PageAdvice {
    private static final Logger LOG = LoggerFactory.getLogger(PageAdvice.class);
    private static final int RANDOM = 1;
    private static final int WILL_NEED = 3;
    /** Advice is about whole pages; no system has larger ones by itself. */
    private static final int MOST_PAGE_BYTES = 64 << 10;
    /** A file of which more fits into memory is soon there, and sooner with what surrounds each page. */
    private static final int SHARE_OF_MEMORY = 4;

    private PageAdvice() {
    }

    /** Whether a file is so large a part of this machine's memory, or of what its container may take, that it is not to be read but where it is asked for. */
    public static boolean isLarge(long fileBytes) {
        return fileBytes > Memory.BYTES / SHARE_OF_MEMORY;
    }

    /**
     * Has a fault on a page read that page alone.
     *
     * @return whether the system takes advice: then whoever reads on from page to page {@linkplain #bring brings} them
     */
    public static boolean readAlone(MappedByteBuffer mapping) {
        return advise(mapping, 0, mapping.capacity(), RANDOM);
    }

    /** Has pages read that will be needed soon, and does not wait for them. */
    public static void bring(MappedByteBuffer mapping, int offset, int length) {
        int start = offset - offset % MOST_PAGE_BYTES;
        advise(mapping, start, Math.min(offset + length, mapping.capacity()) - start, WILL_NEED);
    }

    private static boolean advise(MappedByteBuffer mapping, int offset, int length, int advice) {
        if (!Library.LOADED || length <= 0) {
            return false;
        }
        int error = Library.posix_madvise(Native.getDirectBufferPointer(mapping).share(offset), new NativeLong(length), advice);
        if (error != 0) {
            LOG.debug("advice {} about {} bytes is not taken: error {}", advice, length, error);
        }
        return error == 0;
    }

    /** Asked for by who has a file to compare. */
    private static final class Memory {
        static final long BYTES = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
    }

    /** Loaded when the first large file is opened, so that others need no native part. */
    private static final class Library {
        static final boolean LOADED = load();

        private static boolean load() {
            try {
                Native.register(Library.class, Platform.C_LIBRARY_NAME);
                return true;
            } catch (VirtualMachineError e) {
                throw e;
            } catch (Error e) {
                // Plain errors of JNA's, too: as where the native part may not be unpacked, or one of another version is found.
                LOG.info("Files larger than memory are read with what the device reads ahead: the system cannot be told otherwise ({})", e.toString());
                return false;
            }
        }

        /** The name is that of the system's function. @return 0, or the number of an error */
        static native int posix_madvise(Pointer address, NativeLong bytes, int advice);
    }
}
