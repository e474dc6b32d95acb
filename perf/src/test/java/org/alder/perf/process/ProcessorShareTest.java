package org.alder.perf.process;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.Test;

/** A share of the processors, where this machine lets the tests give one. */
public final class ProcessorShareTest {
    private static List<String> groups(long process) throws IOException {
        return Files.readAllLines(Path.of("/proc", Long.toString(process), "cgroup"));
    }

    @Test
    public void aProcessIsInAGroupOfItsOwnUntilItIsClosed() throws Exception {
        Path controller = Path.of("/sys/fs/cgroup/cpu");
        Path parent = Files.isDirectory(controller) ? controller : controller.getParent();
        assumeTrue("no control groups that may be made here", Files.isWritable(parent) && Files.isWritable(parent.resolve("cgroup.procs")));
        Process process = new ProcessBuilder("sleep", "60").start();
        try {
            List<String> before = groups(process.pid());
            try (ProcessorShare share = ProcessorShare.of(process.pid(), 0.25)) {
                List<String> now = groups(process.pid());
                assertEquals(now + " for " + share, 1, now.stream().filter(each -> each.endsWith("/alder-perf-" + process.pid())).count());
                Path group = parent.resolve("alder-perf-" + process.pid());
                Path quota = Files.isDirectory(controller) ? group.resolve("cpu.cfs_quota_us") : group.resolve("cpu.max");
                assertTrue(Files.readString(quota), Files.readString(quota).startsWith("2500"));
            }
            assertFalse("the group is gone", groups(process.pid()).toString().contains("alder-perf"));
            assertEquals(before.size(), groups(process.pid()).size());
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    public void whoeverMayNotIsToldWhatIsNeeded() {
        // No process has this number.
        IOException e = assertThrows(IOException.class, () -> ProcessorShare.of(Integer.MAX_VALUE, 0.5));
        assertTrue(e.getMessage(), e.getMessage().contains("needs control groups of Linux (cgroup) below /sys/fs/cgroup, and root"));
    }
}
