package org.alder.perf.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * An Alder server of its own process, so that a benchmark can restart it and read its CPU time. Started with this process's
 * Java and class path; stopped by {@link #close()}. One thread.
 */
public final class ServerProcess implements AutoCloseable {
    private static final String LISTENING = "listening on ldap://";

    private final Process process;
    private final BufferedReader out;
    private final int port;

    private ServerProcess(Process process, BufferedReader out, int port) {
        this.process = process;
        this.out = out;
        this.port = port;
    }

    /** Starts {@code alder start} on a free port and waits until it answers. */
    public static ServerProcess start(Path data, Path configuration) throws IOException {
        return start(List.of("start", "--data", data.toString(), "--conf", configuration.toString(), "--port", "0"));
    }

    /** Starts a verb that says where it listens, and waits until it does. */
    public static ServerProcess start(List<String> arguments) throws IOException {
        Process process = alder(arguments).redirectOutput(ProcessBuilder.Redirect.PIPE).start();
        BufferedReader out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.startsWith(LISTENING)) {
                int port = Integer.parseInt(line.substring(line.lastIndexOf(':') + 1).trim());
                return new ServerProcess(process, out, port);
            }
        }
        throw new IOException("the server stopped before it answered; its messages are above");
    }

    /** Writes a line to the process and waits until it says that it is done. */
    public void command(String line) throws IOException {
        Writer in = process.outputWriter(StandardCharsets.UTF_8);
        in.write(line + "\n");
        in.flush();
        String answer = out.readLine();
        if (!"done".equals(answer)) {
            throw new IOException("the server answered the command " + line + " with " + answer + ", expected done");
        }
    }

    /** Runs a verb to its end. */
    public static void run(List<String> arguments) throws IOException, InterruptedException {
        int status = alder(arguments).redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor();
        if (status != 0) {
            throw new IOException("alder " + String.join(" ", arguments) + " ended with status " + status);
        }
    }

    private static ProcessBuilder alder(List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        for (String argument : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            command.add(argument);
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "org.alder.server.cli.Alder"));
        command.addAll(arguments);
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    }

    public int port() {
        return port;
    }

    /** User and system time the server has used so far, in seconds; NaN where the system does not tell. */
    public double cpuSeconds() {
        return process.info().totalCpuDuration().map(used -> used.toNanos() / 1e9).orElse(Double.NaN);
    }

    /** Resident memory in bytes, or -1 where the system does not tell. */
    public long residentBytes() throws IOException {
        Path status = Path.of("/proc", Long.toString(process.pid()), "status");
        if (!Files.isReadable(status)) {
            return -1;
        }
        for (String line : Files.readAllLines(status)) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
            }
        }
        return -1;
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
