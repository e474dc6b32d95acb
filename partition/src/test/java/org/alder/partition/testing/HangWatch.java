package org.alder.partition.testing;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.runner.Description;
import org.junit.runner.Result;
import org.junit.runner.notification.RunListener;

/**
 * Ends a JVM whose tests hang, and says where: no single test may take longer than the system property
 * {@code alder.test.hangSeconds} (3600). Surefire registers it in every module, so that a wait that no test bounds has a limit too.
 * All threads are written to the standard error of the process, because a test may have replaced {@link System#err}.
 */
public final class HangWatch extends RunListener {
    private static final long LIMIT_SECONDS = Long.getLong("alder.test.hangSeconds", 3600);
    private static final int CHECK_SECONDS = 5;
    private static final int EXIT_STATUS = 70;

    private volatile String running;
    private volatile long since;

    @Override
    public void testRunStarted(Description all) {
        note("the first test of " + all.getDisplayName());
        Thread watch = new Thread(this::watch, "hang-watch");
        watch.setDaemon(true);
        watch.start();
    }

    @Override
    public void testStarted(Description test) {
        note(test.getDisplayName());
    }

    @Override
    public void testFinished(Description test) {
        note("what comes after " + test.getDisplayName());
    }

    @Override
    public void testRunFinished(Result result) {
        running = null;
    }

    private void note(String what) {
        since = System.nanoTime();
        running = what;
    }

    private void watch() {
        try {
            while (running != null) {
                TimeUnit.SECONDS.sleep(CHECK_SECONDS);
                String hanging = running;
                if (hanging != null && System.nanoTime() - since > TimeUnit.SECONDS.toNanos(LIMIT_SECONDS)) {
                    tell(hanging);
                    ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
                    Runtime.getRuntime().halt(EXIT_STATUS);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void tell(String hanging) {
        StringBuilder text = new StringBuilder("HangWatch: " + hanging + " takes longer than " + LIMIT_SECONDS + " s\n");
        for (ThreadInfo thread : ManagementFactory.getThreadMXBean().dumpAllThreads(true, true)) {
            LockInfo lock = thread.getLockInfo();
            text.append('"').append(thread.getThreadName()).append("\" ").append(thread.getThreadState())
                    .append(lock == null ? "" : " on " + lock).append('\n');
            for (StackTraceElement at : thread.getStackTrace()) {
                text.append("    at ").append(at).append('\n');
            }
        }
        try (OutputStream err = new FileOutputStream(FileDescriptor.err)) {
            err.write(text.toString().getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
