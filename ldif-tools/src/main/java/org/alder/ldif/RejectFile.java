package org.alder.ldif;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.alder.partition.error.Shortened;
import org.alder.partition.file.OwnerOnly;

/**
 * Collects the records a load refused: for each a comment {@code # line 123: reason} and its raw text, so that the file can be
 * corrected and loaded again. The file is created with the first reject, for the owner alone, because it holds entries. An existing
 * file is never overwritten (it may be the corrected input of this very run): a number is appended to the name, see {@link
 * #path()}. What is no regular file, such as a pipe or /dev/stderr, is written to. Thread-safe.
 */
public final class RejectFile implements Closeable {

    /** Null when the records go to a stream. */
    private Path wanted;
    private Path path;
    private final List<Path> paths = new ArrayList<>();
    private OutputStream out;
    private long count;

    public RejectFile(Path path) {
        this.wanted = path;
    }

    /** Collects on a stream, such as standard output, which stays open; there is no {@link #path()}. */
    public static RejectFile on(OutputStream stream) {
        RejectFile rejects = new RejectFile(null);
        rejects.out = new FilterOutputStream(new BufferedOutputStream(stream)) {
            @Override
            public void write(byte[] bytes, int from, int length) throws IOException {
                out.write(bytes, from, length);
            }

            @Override
            public void close() throws IOException {
                flush();
            }
        };
        return rejects;
    }

    /** Collects the record the reader has just refused; to be called before {@link LdifReader#resume()}. */
    public void reject(LdifException reason, LdifReader reader) throws IOException {
        if (reader.isRawRecordComplete()) {
            reject(reason.line(), reason.reason(), reader.rawRecord());
        } else {
            reject(reason.line(), reason.reason() + " (the record is not repeated here)", new byte[0]);
        }
    }

    /** Collects a record that is good LDIF but was refused later; it is written anew, not as it stood in its file. */
    public void reject(LdifRecord record, String reason) throws IOException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        try (LdifWriter writer = LdifWriter.withoutHeader(text)) {
            writer.write(record);
        }
        reject(record.line(), reason, text.toByteArray());
    }

    /** Collects a record by its raw text. */
    public synchronized void reject(long line, String reason, byte[] rawRecord) throws IOException {
        if (out == null) {
            out = create();
        }
        out.write(("# line " + line + ": " + oneLine(Shortened.of(reason)) + "\n").getBytes(StandardCharsets.UTF_8));
        out.write(rawRecord);
        if (rawRecord.length > 0 && rawRecord[rawRecord.length - 1] != '\n') {
            out.write('\n');
        }
        out.write('\n');
        count++;
    }

    /** From now on the records go to another file, where they do not go to a stream. */
    public synchronized void goOnIn(Path next) throws IOException {
        if (wanted != null) {
            close();
            out = null;
            path = null;
            wanted = next;
        }
    }

    /** Number of rejects so far, in all files. */
    public synchronized long count() {
        return count;
    }

    /** All files written so far, in order. */
    public synchronized List<Path> paths() {
        return List.copyOf(paths);
    }

    /** The file written, or null when there was no reject. */
    public synchronized Path path() {
        return path;
    }

    @Override
    public synchronized void close() throws IOException {
        if (out != null) {
            out.close();
        }
    }

    private OutputStream create() throws IOException {
        for (int attempt = 0; ; attempt++) {
            path = attempt == 0 ? wanted : wanted.resolveSibling(wanted.getFileName() + "." + attempt);
            try {
                boolean stream = Files.exists(path) && !Files.isRegularFile(path) && !Files.isDirectory(path);
                OutputStream file = stream ? Files.newOutputStream(path, StandardOpenOption.WRITE) : newFile(path);
                paths.add(path);
                return new BufferedOutputStream(file);
            } catch (FileAlreadyExistsException e) {
                if (attempt == Integer.MAX_VALUE) {
                    throw e;
                }
            } catch (IOException e) {
                throw new IOException("cannot make the reject file " + path.toAbsolutePath() + ": " + e, e);
            }
        }
    }

    private static OutputStream newFile(Path file) throws IOException {
        Set<OpenOption> options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        return Channels.newOutputStream(FileChannel.open(file, options, OwnerOnly.file(file)));
    }

    private static String oneLine(String reason) {
        return reason.replaceAll("\\p{Cntrl}+", " ");
    }
}
