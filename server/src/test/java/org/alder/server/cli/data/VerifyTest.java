package org.alder.server.cli.data;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldif.LDIFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.alder.partition.testing.Seed;
import org.alder.server.cli.CommandRun;
import org.alder.server.cli.ServerProcess;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** verify finds any flipped byte in any kind of file, and names the file. Each test repairs what it has damaged. */
public class VerifyTest {
    private static final int FLIPS = 6;

    @ClassRule
    public static final TemporaryFolder TEMPORARY = new TemporaryFolder();
    private static final long SEED = Seed.of(VerifyTest.class);
    private static Path data;

    private final Random random = new Random(SEED);

    /** A segment of 317 entries, and a log with five transactions. */
    @BeforeClass
    public static void fill() throws IOException, LDAPException, LDIFException {
        data = TEMPORARY.getRoot().toPath().resolve("data");
        try (ServerProcess server = ServerProcess.start(data, "--sample", 300); LDAPConnection connection = server.admin()) {
            for (int i = 0; i < 5; i++) {
                connection.add("dn: ou=new" + i + ",dc=example,dc=com", "objectClass: organizationalUnit", "ou: new" + i);
            }
        }
    }

    private CommandRun verify() {
        return CommandRun.of("verify", "--data", data, "--progress", "none");
    }

    private Path file(String glob) throws IOException {
        try (Stream<Path> files = Files.walk(data.resolve("partitions/example"))) {
            List<Path> found = files.filter(file -> file.getFileName().toString().matches(glob)).toList();
            assertEquals(glob + " in " + found, 1, found.size());
            return found.get(0);
        }
    }

    private static void flip(Path file, long position) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer one = ByteBuffer.allocate(1);
            assertEquals(1, channel.read(one, position));
            one.put(0, (byte) ~one.get(0)).rewind();
            channel.write(one, position);
        }
    }

    private void findsFlips(String glob, double part) throws IOException {
        Path file = file(glob);
        for (int i = 0; i < FLIPS; i++) {
            long position = i == 0 ? 0 : random.nextLong((long) (Files.size(file) * part));
            String what = "byte " + position + " of " + file + " with seed " + SEED + ": ";
            flip(file, position);
            CommandRun run = verify();
            assertEquals(what + run, 1, run.status());
            assertTrue(what + run, (run.out() + run.err()).contains(file.getFileName().toString()));
            assertTrue(what + run, Stream.of(run.out(), run.err()).noneMatch(text -> text.contains("\tat ")));
            flip(file, position);
        }
        assertEquals(0, verify().status());
    }

    @Test
    public void cleanData() {
        CommandRun run = verify().succeeds();
        assertTrue(run.toString(), run.out().startsWith("dc=example,dc=com: 322 entries, ") && run.out().endsWith(": clean\n"));
        assertEquals("", run.err());
    }

    @Test
    public void damagedManifest() throws IOException {
        findsFlips("MANIFEST", 1);
    }

    /** Damage in the last record cannot be told from one that was being written when the machine stopped. */
    @Test
    public void damagedLog() throws IOException {
        findsFlips("log-.*", 0.7);
    }

    @Test
    public void damagedDescriptor() throws IOException {
        findsFlips("segment.descriptor", 1);
    }

    @Test
    public void damagedMasterTable() throws IOException {
        findsFlips("master.entries", 1);
    }

    @Test
    public void damagedHierarchy() throws IOException {
        findsFlips("index-hierarchy.db", 1);
    }

    @Test
    public void damagedAttributeIndex() throws IOException {
        findsFlips("index-initials.db", 1);
    }

    @Test
    public void damagedKeyTable() throws IOException {
        findsFlips("index-hierarchy.keys", 1);
    }

    @Test
    public void damagedValueTable() throws IOException {
        findsFlips("index-values.db", 1);
    }

    @Test
    public void missingFile() throws IOException {
        Path file = file("index-cn.db");
        Path aside = Files.move(file, TEMPORARY.getRoot().toPath().resolve("aside"));
        CommandRun run = verify();
        Files.move(aside, file);
        assertEquals(run.toString(), 1, run.status());
        assertTrue(run.toString(), (run.out() + run.err()).contains("index-cn.db"));
    }
}
