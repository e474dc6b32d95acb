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
    /**
     * What comes near to the most is measured so often, and the least of it counts: loading classes, filling caches and interpreting
     * what is compiled later allocate too.
     */
    private static final int MOST_RUNS = 4;
    private static final int NEAR = 2;
    private static final int PERCENT = 100;

    private Trial() {
    }

    /** Reads bytes, and throws for what it should not have found. */
    @FunctionalInterface
    interface Body {
        void accept(byte[] input) throws Exception;
    }

    /**
     * @param leastBytes so much may be allocated for any input
     * @return how many percent of what may be allocated was
     */
    static int run(Body body, byte[] input, long leastBytes) throws Exception {
        long most = leastBytes + BYTES_FOR_EACH * input.length;
        long least = allocated(body, input);
        for (int run = 1; run < MOST_RUNS && least > most / NEAR; run++) {
            least = Math.min(least, allocated(body, input));
        }
        if (least > most) {
            throw new AssertionError(least + " bytes allocated for an input of " + input.length + ", expected at most " + most);
        }
        return (int) (PERCENT * least / most);
    }

    private static long allocated(Body body, byte[] input) throws Exception {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        body.accept(input.clone());
        long bytes = THREADS.getCurrentThreadAllocatedBytes() - before;
        LoggedFaults.requireNone();
        return bytes;
    }
}
