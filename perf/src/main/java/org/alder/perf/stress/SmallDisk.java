package org.alder.perf.stress;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A file system in memory that can be filled up, in a name space of its own: nobody has to be root for it, no other program sees
 * it, and it is gone when this process is. Programs see it when they are started with {@link #prefix()}. One thread.
 */
final class SmallDisk implements AutoCloseable {
    private static final int WAIT_SECONDS = 60;

    private final Process holder;
    private final Path folder;

    private SmallDisk(Process holder, Path folder) {
        this.holder = holder;
        this.folder = folder;
    }

    /** @param folder an empty one, where it is mounted; @return null where the system does not let this user do that */
    static SmallDisk mount(Path folder, int mebibytes) throws IOException {
        Files.createDirectories(folder);
        Process holder;
        try {
            holder = new ProcessBuilder("unshare", "--user", "--map-root-user", "--mount", "sh", "-c",
                    "mount -t tmpfs -o size=" + mebibytes + "m tmpfs \"$0\" && echo ready && exec cat", folder.toString())
                    .redirectError(ProcessBuilder.Redirect.DISCARD).start();
        } catch (IOException e) {
            return null;
        }
        if (!"ready".equals(holder.inputReader(StandardCharsets.UTF_8).readLine())) {
            holder.destroy();
            return null;
        }
        return new SmallDisk(holder, folder);
    }

    Path folder() {
        return folder;
    }

    /** What stands before the command of a program that is to see it. */
    List<String> prefix() {
        return List.of("nsenter", "--target", Long.toString(holder.pid()), "--user", "--mount", "--preserve-credentials");
    }

    /** Takes all the room there is, but for so much. */
    void fill(int kibibytesLeft) throws IOException, InterruptedException {
        run("cat /dev/zero >\"$0\"/filler 2>/dev/null; truncate -s -" + kibibytesLeft + "K \"$0\"/filler");
    }

    void makeRoom() throws IOException, InterruptedException {
        run("rm -f \"$0\"/filler");
    }

    /** Copies what is on it to where everybody sees it. */
    void copyTo(Path target) throws IOException, InterruptedException {
        run("rm -f \"$0\"/filler; cp -a \"$0\" '" + target + "'");
    }

    private void run(String script) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(prefix());
        command.addAll(List.of("sh", "-c", script, folder.toString()));
        Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        if (!process.waitFor(WAIT_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IOException(String.join(" ", command) + " did not end with status 0 in " + WAIT_SECONDS + " s");
        }
    }

    @Override
    public void close() {
        holder.destroy();
    }
}
