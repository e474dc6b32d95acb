package org.alder.fuzz;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * Holds one reader of bytes to what it may take: whatever it is given, it may throw nothing that it does not declare, log no
 * fault, and allocate no more than a multiple of what it was given. That it comes to an end is seen to by who runs it. One thread.
 */
final class Trial {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    /** Reading twice, writing again and reading that with another library included. */
    private static final long BYTES_FOR_EACH = 2048;

    private Trial() {
    }

    /** Reads bytes, and throws for what it should not have found. */
    @FunctionalInterface
    interface Body {
        void accept(byte[] input) throws Exception;
    }

    /** @param leastBytes so much may be allocated for any input */
    static void run(Body body, byte[] input, long leastBytes) throws Exception {
        long most = leastBytes + BYTES_FOR_EACH * input.length;
        // What is more the first time only was to load classes and to make tables.
        if (allocated(body, input) > most) {
            long bytes = allocated(body, input);
            if (bytes > most) {
                throw new AssertionError(bytes + " bytes allocated for an input of " + input.length + ", expected at most " + most);
            }
        }
    }

    private static long allocated(Body body, byte[] input) throws Exception {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        body.accept(input.clone());
        long bytes = THREADS.getCurrentThreadAllocatedBytes() - before;
        LoggedFaults.requireNone();
        return bytes;
    }
}
