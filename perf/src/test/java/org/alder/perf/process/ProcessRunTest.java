package org.alder.perf.process;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.List;
import org.junit.Test;

public class ProcessRunTest {
    @Test
    public void cpuOfTheChildIsCounted() throws IOException, InterruptedException {
        ProcessRun run = ProcessRun.of("sh", new ProcessBuilder("sh", "-c", "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done"));
        assertTrue(run.toString(), run.cpuSeconds() > 0 && run.wallSeconds() > 0);
    }

    @Test
    public void aFailureSaysWhatWasCalledItsStatusAndItsLastLines() {
        IOException fault = assertThrows(IOException.class, () -> ProcessRun.of("count -n 5", new ProcessBuilder("sh", "-c",
                "for i in 1 2 3 4 5; do echo line $i >&2; done; exit 3")));
        assertEquals("count -n 5 ended with status 3: line 3; line 4; line 5", fault.getMessage());
        fault = assertThrows(IOException.class, () -> ProcessRun.of("quiet", new ProcessBuilder("sh", "-c", "exit 4")));
        assertEquals("quiet ended with status 4", fault.getMessage());
    }

    @Test
    public void aVerbThatFailsIsNamedWithoutItsClassPath() {
        String message = assertThrows(IOException.class, () -> ServerProcess.run(List.of("verify", "--data", "/none/there"))).getMessage();
        assertTrue(message, message.startsWith("alder verify --data /none/there ended with status 1: alder: "));
    }

    @Test
    public void aLaterCollectorGoesBeforeAnEarlierOne() {
        assertEquals(List.of("-Xmx1g", "-XX:+UseParallelGC", "-Xss1m"), ServerProcess.joined(List.of("-XX:+UseG1GC", "-Xmx1g"),
                List.of("-XX:+UseParallelGC", "-Xss1m")));
        assertEquals(List.of("-XX:+UseSerialGC", "-Xmx1g"), ServerProcess.joined(List.of("-XX:+UseSerialGC"), List.of("-Xmx1g")));
    }
}
