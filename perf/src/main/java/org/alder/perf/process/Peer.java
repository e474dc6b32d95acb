package org.alder.perf.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Another directory server that is installed on this machine, to hold Alder against: with the indexes of conf/benchmark.ldif, each change
 * synced to disk, and everybody who may read all but userPassword. Immutable.
 */
public interface Peer {
    /** Of every {@link #administrator}. */
    String PASSWORD = "benchmark";

    /** As people call it. */
    String name();

    /** Such as 2.5.13; {@code unknown} if the program does not say. */
    String version() throws IOException;

    /** The DN of who may change everything. */
    String administrator();

    /** A sentence on how it is set up, as far as that makes a difference. */
    String setUp();

    /**
     * Loads LDIF into a new database, in the way that is meant for very many entries.
     *
     * @param folder made here; for {@link #serve}
     * @param entries about how many
     * @return what the load took, without what it takes to set a server up
     * @throws IOException also if the load fails; its messages are in what the exception says
     */
    ProcessRun load(Path folder, Path ldif, long entries) throws IOException, InterruptedException;

    /** Where the data of a folder are. */
    Path database(Path folder);

    /** Starts a server of its own process and waits until it answers. The caller closes it. */
    PeerProcess serve(Path folder) throws IOException, InterruptedException;

    /** What a program says of its version, as {@link #version} tells it. @param version whose first group it is */
    static String version(ProcessBuilder command, Pattern version) throws IOException {
        Process process = command.redirectErrorStream(true).start();
        Matcher matcher = version.matcher(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        return matcher.find() ? matcher.group(1) : "unknown";
    }
}
