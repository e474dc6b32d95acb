package org.alder.perf.process;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import org.junit.Test;

public class ProcessRunTest {
    @Test
    public void cpuOfTheChildIsCounted() throws IOException, InterruptedException {
        ProcessRun run = ProcessRun.of(new ProcessBuilder("sh", "-c", "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done"));
        assertTrue(run.toString(), run.cpuSeconds() > 0 && run.wallSeconds() > 0);
    }

    @Test
    public void aFailureNamesCommandAndStatus() {
        IOException fault = assertThrows(IOException.class, () -> ProcessRun.of(new ProcessBuilder("sh", "-c", "exit 3")));
        assertEquals("sh -c exit 3 ended with status 3", fault.getMessage());
    }
}
