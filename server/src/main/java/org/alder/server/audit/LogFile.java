package org.alder.server.audit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.alder.partition.file.Folders;
import org.alder.partition.file.OwnerOnly;

/**
 * The file of a log that lines are appended to, and the older ones: {@code audit.jsonl} is renamed to {@code audit-1.jsonl}, the next
 * one to {@code audit-2.jsonl} and so on, when it is large or old. All are the owner's alone. One thread, but {@link #bound}.
 */
final class LogFile implements AutoCloseable {
    private volatile LogFiles settings;
    private final Path path;
    private final String stem;
    private final String ending;
    private FileChannel channel;
    /** Up to here there are whole lines. */
    private long size;
    private Instant begun;

    private LogFile(LogFiles settings) {
        this.settings = settings;
        this.path = settings.file().toAbsolutePath();
        String name = path.getFileName().toString();
        int dot = name.lastIndexOf('.');
        this.stem = dot <= 0 ? name : name.substring(0, dot);
        this.ending = dot <= 0 ? "" : name.substring(dot);
    }

    /** @throws IOException naming the file, if it cannot be written */
    static LogFile open(LogFiles settings) throws IOException {
        LogFile file = new LogFile(settings);
        Folders.create(file.path.getParent());
        file.open();
        return file;
    }

    /** How large it may be, and how many older ones there are, from now on. Any thread. */
    void bound(LogFiles other) {
        settings = other;
    }

    private void open() throws IOException {
        Set<StandardOpenOption> options = new HashSet<>(List.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE));
        channel = FileChannel.open(path, options, OwnerOnly.file(path));
        size = channel.size();
        begun = size == 0 ? Instant.now() : Files.readAttributes(path, BasicFileAttributes.class).creationTime().toInstant();
        endLine();
    }

    /** A line that a crash has cut stays, and the next one does not go on with it. */
    private void endLine() throws IOException {
        ByteBuffer last = ByteBuffer.allocate(1);
        if (size > 0 && channel.read(last, size - 1) == 1 && last.get(0) != '\n') {
            write(ByteBuffer.wrap(new byte[] {'\n'}));
        }
    }

    /** Appends whole lines; what fails leaves no part of them. */
    void append(byte[] lines) throws IOException {
        if (channel == null || !channel.isOpen()) {
            open();
        }
        boolean old = settings.fileHours() > 0 && Duration.between(begun, Instant.now()).toHours() >= settings.fileHours();
        if (size > 0 && (old || size + lines.length > settings.fileBytes())) {
            rotate();
        }
        write(ByteBuffer.wrap(lines));
    }

    private void write(ByteBuffer bytes) throws IOException {
        long start = size;
        boolean whole = false;
        try {
            long end = start;
            while (bytes.hasRemaining()) {
                end += channel.write(bytes, end);
            }
            size = end;
            whole = true;
        } finally {
            if (!whole && channel.isOpen()) {
                channel.truncate(start);
            }
        }
    }

    private void rotate() throws IOException {
        channel.force(true);
        channel.close();
        channel = null;
        TreeMap<Long, Path> older = older();
        Path next = path.resolveSibling(stem + "-" + (older.isEmpty() ? 1 : older.lastKey() + 1) + ending);
        Files.move(path, next, StandardCopyOption.ATOMIC_MOVE);
        older.put(Long.MAX_VALUE, next);
        List<Path> all = new ArrayList<>(older.values());
        for (int i = 0; settings.filesKept() > 0 && i < all.size() - settings.filesKept(); i++) {
            Files.deleteIfExists(all.get(i));
        }
        open();
    }

    private TreeMap<Long, Path> older() throws IOException {
        Pattern name = Pattern.compile(Pattern.quote(stem) + "-([0-9]{1,18})" + Pattern.quote(ending));
        TreeMap<Long, Path> found = new TreeMap<>();
        try (Stream<Path> files = Files.list(path.getParent())) {
            files.forEach(each -> {
                Matcher matcher = name.matcher(each.getFileName().toString());
                if (matcher.matches()) {
                    found.put(Long.parseLong(matcher.group(1)), each);
                }
            });
        }
        return found;
    }

    @Override
    public void close() throws IOException {
        if (channel != null) {
            channel.force(true);
            channel.close();
            channel = null;
        }
    }
}
