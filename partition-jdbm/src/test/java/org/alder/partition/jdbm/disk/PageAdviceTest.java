package org.alder.partition.jdbm.disk;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.alder.partition.testing.Await;
import org.alder.partition.testing.ChildJava;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class PageAdviceTest {
    private static final Path MAPPINGS = Path.of("/proc/self/smaps");
    /** A mapping whose pages are read at random, as Linux shows it. */
    private static final String AT_RANDOM = " rr ";

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private Path file() throws IOException {
        return Files.write(folder.getRoot().toPath().resolve("pages"), new byte[1 << 20]);
    }

    private static MappedByteBuffer map(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            return channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
        }
    }

    /** What Linux knows of the mapping of a file. */
    private static String flags(Path file) throws IOException {
        boolean isOfFile = false;
        for (String line : Files.readAllLines(MAPPINGS)) {
            if (line.startsWith("VmFlags:") && isOfFile) {
                return line + ' ';
            }
            isOfFile = line.contains("-") && line.contains(" r") && line.contains("/") ? line.endsWith(file.toString()) : isOfFile;
        }
        throw new AssertionError("no mapping of " + file);
    }

    @Test
    public void theSystemIsTold() throws IOException {
        assumeTrue(Files.isReadable(MAPPINGS));
        Path file = file().toRealPath();
        MappedByteBuffer mapping = map(file);
        assertFalse(flags(file), flags(file).contains(AT_RANDOM));
        assertTrue(PageAdvice.readAlone(mapping));
        assertTrue(flags(file), flags(file).contains(AT_RANDOM));
        assertEquals(0, mapping.get(5000));
    }

    @Test
    public void whatIsBroughtMayEndBehindTheMapping() throws IOException {
        MappedByteBuffer mapping = map(file());
        PageAdvice.bring(mapping, 70_000, 100_000);
        PageAdvice.bring(mapping, (1 << 20) - 1, 1 << 20);
        assertEquals(0, mapping.get((1 << 20) - 1));
    }

    /** Of a Java that may not load it: whether advice is taken, and what the file has. */
    public static void main(String[] arguments) throws IOException {
        MappedByteBuffer mapping = map(Path.of(arguments[0]));
        boolean taken = PageAdvice.readAlone(mapping);
        PageAdvice.bring(mapping, 0, 100_000);
        System.out.println("taken: " + taken + ", read: " + mapping.get(70_000));
    }

    @Test
    public void withoutTheNativePartAllIsReadAllTheSame() throws Exception {
        List<String> command = ChildJava.command("-Xmx64m", "-XX:TieredStopAtLevel=1", "-Djna.nounpack=true", "-Djna.noclasspath=true");
        command.addAll(List.of(PageAdviceTest.class.getName(), file().toString()));
        Process child = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            int status = Await.end("the child", child);
            String told = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertEquals(told, 0, status);
            assertTrue(told, told.contains("taken: false, read: 0"));
            assertTrue(told, told.contains("cannot be told otherwise"));
        } finally {
            child.destroyForcibly();
        }
    }

    @Test
    public void onlyAFileOfTheSizeOfMemoryIsLarge() {
        assertFalse(PageAdvice.isLarge(1 << 20));
        assertTrue(PageAdvice.isLarge(Long.MAX_VALUE));
    }
}
