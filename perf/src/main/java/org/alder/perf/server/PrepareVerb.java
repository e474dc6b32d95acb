package org.alder.perf.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.alder.ldif.LdifGenerator;
import org.alder.perf.bench.LoadedData;
import org.alder.perf.bench.SampleSearches;
import org.alder.perf.bench.SampleUsers;
import org.alder.perf.bench.WorkFolder;
import org.alder.perf.client.LdapConnection;
import org.alder.server.cli.Alder;
import org.alder.server.cli.option.Verb;
import org.alder.server.cli.option.CommandException;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * Loads what a server and the verbs beside it load, while Java writes it down: it starts one in this very process, with a few people,
 * and asks it as clients do. The launcher of an installation ({@code distribution/src/bin/alder}) says where to.
 */
@Command(name = "prepare", mixinStandardHelpOptions = true,
        description = "Make an installed Alder start faster: keep its classes as Java loads them. Run it after Alder or Java was installed"
                + " or upgraded, as the user who did that; the Debian package does it by itself.",
        footer = "  alder prepare")
public final class PrepareVerb implements Verb {
    /** Where the launcher puts what is kept. */
    private static final String PROPERTY = "alder.prepare";
    private static final int USERS = 500;
    /** Enough for Java 25 to note what is called how often. */
    private static final int SEARCHES = 5_000;
    private static final int UPDATES = 200;
    private static final int START_SECONDS = 600;
    private static final String LISTENING = "listening on ldap://127.0.0.1:";

    @Override
    public Integer call() throws IOException, InterruptedException, CommandException {
        String kept = System.getProperty(PROPERTY);
        if (kept == null) {
            throw new CommandException("only an installed Alder is prepared; this one runs from a checkout");
        }
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        WorkFolder work = WorkFolder.create(null);
        try {
            System.setOut(new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8));
            System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
            train(work);
        } catch (IOException | CommandException e) {
            err.print(said.toString(StandardCharsets.UTF_8));
            throw e;
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
        System.out.println("prepared: " + kept);
        return 0;
    }

    private static void train(WorkFolder work) throws IOException, InterruptedException, CommandException {
        Path ldif = work.path().resolve("users.ldif");
        String data = work.path().resolve("data").toString();
        SampleUsers users = SampleUsers.write(new LdifGenerator(LdifGenerator.DEFAULT_SEED), USERS, ldif);
        run("import", "--data", data, "--rejects", ldif + ".rejects", ldif.toString());
        LoadedData.writePassword(Path.of(data));
        int port = start(work, data);
        try (LdapConnection client = LoadedData.ADMINISTRATOR.connect(port)) {
            SampleSearches searches = new SampleSearches(users);
            SplittableRandom random = new SplittableRandom(USERS);
            for (int i = 0; i < SEARCHES; i++) {
                searches.byUid(client, random);
                if (i % 20 == 0) {
                    searches.byInitials(client, random);
                }
            }
            for (int i = 1; i <= UPDATES; i++) {
                client.replace(LdifGenerator.userDn(i), "description", "prepared " + i).expect(0);
            }
        }
        run("status", "--data", data);
        run("export", "--data", data, "--output", ldif + ".exported");
        run("account", "status", LdifGenerator.userDn(1), "--data", data);
        run("--version");
        run("help", "start");
    }

    /** A server that ends with this process, whose work folder is gone then. @return its port */
    private static int start(WorkFolder work, String data) throws IOException, InterruptedException, CommandException {
        CompletableFuture<Integer> port = new CompletableFuture<>();
        System.setOut(new PrintStream(new PortReader(port), true, StandardCharsets.UTF_8));
        String[] arguments = {"start", "--data", data, "--port", "0"};
        Thread server = new Thread(() -> port.completeExceptionally(new CommandException("the server ended with status "
                + Alder.commandLineFor(arguments).execute(arguments))), "alder-prepared");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                server.join();
                work.close();
            } catch (IOException e) {
                System.err.println("alder: " + work.path() + " was not removed: " + e.getMessage());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, "alder-prepared-end"));
        server.start();
        try {
            return port.get(START_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new CommandException(e.getCause().getMessage(), e);
        } catch (TimeoutException e) {
            throw new CommandException("the server does not listen after " + START_SECONDS + " seconds", e);
        }
    }

    private static void run(String... arguments) throws CommandException {
        CommandLine line = Alder.commandLineFor(arguments);
        line.setOut(new PrintWriter(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8));
        int status = line.execute(arguments);
        if (status != 0) {
            throw new CommandException("prepare: " + String.join(" ", arguments) + " ended with status " + status);
        }
    }

    /** Finds the port in what a starting server prints. */
    private static final class PortReader extends OutputStream {
        private final CompletableFuture<Integer> port;
        private final ByteArrayOutputStream line = new ByteArrayOutputStream();

        PortReader(CompletableFuture<Integer> port) {
            this.port = port;
        }

        @Override
        public synchronized void write(int octet) {
            if (octet != '\n') {
                line.write(octet);
                return;
            }
            String text = line.toString(StandardCharsets.UTF_8);
            line.reset();
            if (text.startsWith(LISTENING)) {
                port.complete(Integer.parseInt(text.substring(LISTENING.length())));
            }
        }
    }
}
