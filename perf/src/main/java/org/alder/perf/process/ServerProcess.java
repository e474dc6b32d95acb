package org.alder.perf.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.InterruptedIOException;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * An Alder server of its own process, so that a benchmark can restart it and read its CPU time. Started with this process's
 * Java and class path; stopped by {@link #close()}. One thread.
 */
public final class ServerProcess extends MeasuredServer {
    private static final String LISTENING = "listening on ldap://";
    private static final String LISTENING_TLS = "listening on ldaps://";
    /** One that builds indexes before it serves may take long. */
    private static final int START_SECONDS = 1800;
    private static final int COMMAND_SECONDS = 1800;
    private static final String LOGGING = "logback.configurationFile";
    private static final Predicate<String> COLLECTOR = Pattern.compile("-XX:[+-]Use(Serial|Parallel|ParallelOld|G1|Z|Shenandoah|Epsilon)GC").asMatchPredicate();
    private static final Path HUGE_PAGES = Path.of("/sys/kernel/mm/transparent_hugepage");

    private final Process process;
    private final BufferedReader out;
    private int tlsPort;

    private ServerProcess(Process process, BufferedReader out, int port) {
        super(process, port);
        this.process = process;
        this.out = out;
    }

    /** Starts {@code alder start} on a free port and waits until it answers. */
    public static ServerProcess start(Path data, Path configuration) throws IOException {
        return start(List.of("start", "--data", data.toString(), "--conf", configuration.toString(), "--port", "0"));
    }

    /** Starts a verb that says where it listens, and waits until it does. */
    public static ServerProcess start(List<String> arguments) throws IOException {
        return listening("alder " + String.join(" ", arguments), alder(List.of(), arguments));
    }

    /**
     * The same behind the command of another program that starts it and becomes it.
     *
     * @param prefix nothing for none
     * @param javaOptions further options of the Java virtual machine
     * @param messages where its messages go, instead of this process's
     */
    public static ServerProcess start(List<String> prefix, List<String> javaOptions, List<String> arguments, Path messages)
            throws IOException {
        return listening("alder " + String.join(" ", arguments), behind(prefix, alder(javaOptions, arguments)).redirectError(messages.toFile()));
    }

    /** Runs a verb to its end as {@link #start} does. @return its status */
    public static int run(List<String> prefix, List<String> javaOptions, List<String> arguments, Path output, Path messages)
            throws IOException, InterruptedException {
        return behind(prefix, alder(javaOptions, arguments)).redirectOutput(output.toFile()).redirectError(messages.toFile()).start()
                .waitFor();
    }

    /**
     * Runs a verb to its end behind the command of another program, with this process's output. Its input ends when this process does.
     *
     * @return its status
     */
    public static int runHere(List<String> prefix, List<String> arguments) throws IOException, InterruptedException {
        return behind(prefix, alder(List.of(), arguments)).inheritIO().redirectInput(ProcessBuilder.Redirect.PIPE).start().waitFor();
    }

    private static ProcessBuilder behind(List<String> prefix, ProcessBuilder builder) {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(builder.command());
        return builder.command(command);
    }

    private static ServerProcess listening(String called, ProcessBuilder command) throws IOException {
        Process process = command.redirectOutput(ProcessBuilder.Redirect.PIPE).start();
        ChildMessages messages = new ChildMessages(process);
        BufferedReader out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (String line = line(process, out, START_SECONDS, "it to listen"); line != null; line = line(process, out, START_SECONDS, "it to listen")) {
            if (line.startsWith(LISTENING)) {
                return new ServerProcess(process, out, port(line));
            }
        }
        try {
            throw new IOException(called + " ended before it answered" + messages.last());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while " + called + " ended");
        }
    }

    /**
     * The next line of what the process says; null at its end.
     *
     * @param what what the line is waited for
     * @throws IOException where it does not come in time: then the process is killed
     */
    private static String line(Process process, BufferedReader out, int seconds, String what) throws IOException {
        FutureTask<String> read = new FutureTask<>(out::readLine);
        Thread reader = new Thread(read, "line of process " + process.pid());
        reader.setDaemon(true);
        reader.start();
        try {
            return read.get(seconds, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            process.destroyForcibly();
            throw new IOException("waited " + seconds + " s for process " + process.pid() + ": for " + what + "; it is killed", e);
        } catch (ExecutionException e) {
            throw new IOException("cannot read what process " + process.pid() + " says: " + e.getCause().getMessage(), e.getCause());
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while process " + process.pid() + " was waited for: for " + what);
        }
    }

    private static int port(String line) {
        return Integer.parseInt(line.substring(line.lastIndexOf(':') + 1).trim());
    }

    /** Writes a line to the process and waits until it says that it is done. */
    public void command(String line) throws IOException {
        Writer in = process.outputWriter(StandardCharsets.UTF_8);
        in.write(line + "\n");
        in.flush();
        String answer = line(process, out, COMMAND_SECONDS, "it to do " + line);
        if (!"done".equals(answer)) {
            throw new IOException("the server answered the command " + line + " with " + answer + ", expected done");
        }
    }

    /** Ends the process at once (SIGKILL), and waits until it is gone. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Tells the process to end, without waiting for it. */
    public void tellToStop() {
        process.destroy();
    }

    public boolean isRunning() {
        return process.isAlive();
    }

    /** Runs a verb to its end; what it prints to standard output is dropped. */
    public static ProcessRun run(List<String> arguments) throws IOException, InterruptedException {
        return run(List.of(), arguments);
    }

    /**
     * As {@code bin/alder} starts a verb that ends.
     *
     * @param javaOptions further options of the Java virtual machine, which win over this process's own
     */
    public static ProcessRun run(List<String> javaOptions, List<String> arguments) throws IOException, InterruptedException {
        List<String> options = new ArrayList<>();
        String chosen = System.getenv("ALDER_JAVA_OPTS");
        if (chosen == null || Stream.of(chosen.split(" ")).noneMatch(COLLECTOR)) {
            options.add("-XX:+UseParallelGC");
        }
        if (Files.exists(HUGE_PAGES)) {
            options.add("-XX:+UseTransparentHugePages");
        }
        return ProcessRun.of("alder " + String.join(" ", arguments), alder(joined(options, javaOptions), arguments)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD));
    }

    /** Java takes only one choice of a collector: a later one goes before an earlier one. */
    static List<String> joined(List<String> options, List<String> later) {
        boolean chooses = later.stream().anyMatch(COLLECTOR);
        return Stream.concat(options.stream().filter(each -> !chooses || !COLLECTOR.test(each)), later.stream()).toList();
    }

    private static ProcessBuilder alder(List<String> javaOptions, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        List<String> own = new ArrayList<>(ManagementFactory.getRuntimeMXBean().getInputArguments());
        own.add("-Dalder.home=" + System.getProperty("alder.home", "."));
        if (System.getProperty(LOGGING) != null) {
            // Also where this process did not get it on its command line: without it all is logged, to a pipe that nobody reads any more.
            own.add("-D" + LOGGING + "=" + System.getProperty(LOGGING));
        }
        command.addAll(joined(own, javaOptions));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "org.alder.server.cli.Alder"));
        command.addAll(arguments);
        return new ProcessBuilder(command);
    }

    @Override
    public int tlsPort() throws IOException {
        if (tlsPort == 0) {
            String line = line(process, out, START_SECONDS, "it to listen with TLS");
            if (line == null || !line.startsWith(LISTENING_TLS)) {
                throw new IOException("the server says \"" + line + "\", expected \"" + LISTENING_TLS + "\"");
            }
            tlsPort = port(line);
        }
        return tlsPort;
    }
}
