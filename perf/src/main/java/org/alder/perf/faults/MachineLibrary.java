package org.alder.perf.faults;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;

/**
 * What stands between a member and its machine ({@code machine.c}): another time of day, and a disk that fails. It is made by the C compiler, where there is one.
 * Immutable, and each member's disk is one thread's.
 */
final class MachineLibrary {
    private static final String SOURCE = "machine.c";

    private final Path file;

    private MachineLibrary(Path file) {
        this.file = file;
    }

    /** What of a disk fails. */
    enum DiskFault {
        NONE(0), READS(1), WRITES(2), SYNCS(4);

        private final byte code;

        DiskFault(int code) {
            this.code = (byte) code;
        }
    }

    /** @return null where there is no compiler, or not for this system */
    static MachineLibrary make(Path work) throws IOException, InterruptedException {
        Path source = work.resolve(SOURCE);
        Path file = work.resolve("machine.so");
        if (file.toString().matches(".*[ :].*")) {
            return null;
        }
        try (InputStream in = MachineLibrary.class.getResourceAsStream(SOURCE)) {
            Files.copy(in, source);
        }
        try {
            Process compiler = new ProcessBuilder("cc", "-shared", "-fPIC", "-O1", "-o", file.toString(), source.toString(), "-ldl").redirectErrorStream(true)
                    .redirectOutput(work.resolve("cc.log").toFile()).start();
            return compiler.waitFor() == 0 ? new MachineLibrary(file) : null;
        } catch (IOException e) {
            return null;
        }
    }

    /**
     * Has a process that is to be started be on such a machine.
     *
     * @param disk    where its disk is mounted
     * @param control a file of {@link #set}
     */
    void put(Map<String, String> environment, Path disk, Path control, long secondsAhead) throws IOException {
        if (!Files.exists(control)) {
            set(control, DiskFault.NONE);
        }
        environment.put("LD_PRELOAD", file.toString());
        environment.put("ALDER_FAULTS_CLOCK", Long.toString(secondsAhead));
        environment.put("ALDER_FAULTS_FOLDER", disk.toRealPath().toString());
        environment.put("ALDER_FAULTS_DISK", control.toString());
    }

    /** From now on. */
    static void set(Path control, DiskFault fault) throws IOException {
        // In place: members have it in their memory.
        try (FileChannel channel = FileChannel.open(control, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[] {fault.code}), 0);
        }
    }
}
