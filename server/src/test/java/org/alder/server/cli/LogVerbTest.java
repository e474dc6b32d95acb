package org.alder.server.cli;

import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import org.alder.partition.testing.Await;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** {@code alder log} on audit files of the server's, old ones and new. */
public class LogVerbTest {
    private static final String ALICE = "{\"time\":\"2026-11-20T08:00:00.5Z\",\"kind\":\"bind\",\"connection\":1,\"message\":1,"
            + "\"address\":\"192.0.2.7:4711\",\"identity\":\"\",\"target\":\"uid=alice,dc=example,dc=com\",\"result\":\"invalidCredentials\",\"code\":49,"
            + "\"micros\":120}\n";
    private static final String BOB = "{\"time\":\"2026-11-21T08:00:00Z\",\"kind\":\"modify\",\"connection\":2,\"message\":3,"
            + "\"identity\":\"dn:uid=bob,dc=example,dc=com\",\"target\":\"cn=staff\",\"attributes\":[{\"change\":\"add\",\"attribute\":\"member\","
            + "\"count\":1,\"values\":[\"x \\u001b[31m\"]}],\"result\":\"success\",\"code\":0}\n";
    private static final String START = "{\"time\":\"2026-11-22T08:00:00Z\",\"kind\":\"configuration\",\"event\":\"serverStarted\"}\n";

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();
    private Path data;
    private Path audit;

    @Before
    public void writeFiles() throws IOException {
        data = temporary.getRoot().toPath().resolve("data");
        audit = data.resolve("audit/audit.jsonl");
        Files.createDirectories(audit.getParent());
        Files.writeString(data.resolve("audit/audit-2.jsonl"), ALICE);
        Files.writeString(data.resolve("audit/audit-10.jsonl"), BOB + "{\"time\":\"2026-11-2\n");
        Files.writeString(audit, START + "{\"time\":\"2026-11-22T08:00:01Z\",\"kind\":\"bi");
    }

    private String log(Object... more) {
        Object[] arguments = new Object[more.length + 3];
        System.arraycopy(new Object[] {"log", "--data", data}, 0, arguments, 0, 3);
        System.arraycopy(more, 0, arguments, 3, more.length);
        return CommandRun.of(arguments).succeeds().out();
    }

    @Test
    public void linesComeInTheirOrderAndInWords() {
        String out = log();
        assertEquals(List.of("2026-11-20T08:00:00.5Z  bind invalidCredentials  anonymous -> uid=alice,dc=example,dc=com  connection=1"
                        + "  address=192.0.2.7:4711  micros=120",
                "2026-11-21T08:00:00Z  modify success  uid=bob,dc=example,dc=com -> cn=staff  connection=2"
                        + "  attributes=[change:add attribute:member count:1 values:[x \\u001b[31m]]",
                "2026-11-22T08:00:00Z  configuration serverStarted"), out.lines().toList());
        assertEquals("alder: 1 line is no JSON, such as what a crash has cut\n", CommandRun.of("log", "--data", data).err());
        assertEquals(ALICE + BOB + START, log("--json"));
    }

    @Test
    public void linesAreChosen() {
        assertEquals(ALICE, log("--json", "--result", "failed"));
        assertEquals(ALICE, log("--json", "--result", "49"));
        assertEquals(ALICE, log("--json", "--result", "InvalidCredentials"));
        assertEquals(ALICE, log("--json", "--who", "UID=alice"));
        assertEquals(ALICE, log("--json", "--who", "192.0.2."));
        assertEquals(BOB, log("--json", "--kind", "modify", "--who", "bob"));
        assertEquals(ALICE + START, log("--json", "--kind", "bind", "--kind", "configuration"));
        assertEquals(BOB, log("--json", "--since", "2026-11-21", "--until", "2026-11-22T08:00:00Z"));
        assertEquals("", log("--json", "--since", Instant.now().plusSeconds(86_400).toString()));
        CommandRun.of("log", "--data", data, "--since", "yesterday").fails(2, "--since yesterday: expected a time such as");
        CommandRun.of("log", "access", "--data", data).fails(1, data.resolve("access/access.jsonl") + ": the server has not been started");
        CommandRun.of("log", "diary", "--data", data).fails(2, "diary");
        CommandRun.of("log", "--data", data.resolve("none")).fails(1, "there is no " + data.resolve("none/audit/audit.jsonl"));
    }

    @Test
    public void whatComesIsFollowedIntoTheNextFile() throws Exception {
        Path out = temporary.getRoot().toPath().resolve("followed");
        Process process = ServerProcess.command(List.of("log", "--json", "--follow", "--data", data.toString())).redirectOutput(out.toFile())
                .redirectError(temporary.newFile("errors")).start();
        try {
            awaitText(out, ALICE + BOB + START);
            String second = "{\"time\":\"2026-11-22T08:00:01Z\",\"kind\":\"bind\"}\n";
            Files.writeString(audit, second.substring(second.lastIndexOf("nd\"")), StandardOpenOption.APPEND);
            awaitText(out, ALICE + BOB + START + second);
            Files.writeString(audit, START, StandardOpenOption.APPEND);
            Files.move(audit, audit.resolveSibling("audit-11.jsonl"));
            Files.writeString(audit, BOB);
            awaitText(out, ALICE + BOB + START + second + START + BOB);
        } finally {
            process.destroy();
            Await.end("the follower", process);
        }
    }

    private static void awaitText(Path file, String text) throws Exception {
        Await.until("the follower to write " + text, () -> {
            try {
                return Files.readString(file).equals(text);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
    }
}
