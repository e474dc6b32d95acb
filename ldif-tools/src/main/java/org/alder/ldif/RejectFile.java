package org.alder.ldif;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Collects the records a load refused: for each a comment {@code # line 123: reason} and its raw text, so that the file can be
 * corrected and loaded again. The file is created with the first reject. An existing file is never overwritten (it may
 * be the corrected input of this very run): a number is appended to the name, see {@link #path()}. Thread-safe.
 */
public final class RejectFile implements Closeable {

    private final Path wanted;
    private Path path;
    private OutputStream out;
    private long count;

    public RejectFile(Path path) {
        this.wanted = path;
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
        out.write(("# line " + line + ": " + oneLine(reason) + "\n").getBytes(StandardCharsets.UTF_8));
        out.write(rawRecord);
        if (rawRecord.length > 0 && rawRecord[rawRecord.length - 1] != '\n') {
            out.write('\n');
        }
        out.write('\n');
        count++;
    }

    /** Number of rejects so far. */
    public synchronized long count() {
        return count;
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
                return new BufferedOutputStream(
                    Files.newOutputStream(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
            } catch (FileAlreadyExistsException e) {
                if (attempt == Integer.MAX_VALUE) {
                    throw e;
                }
            } catch (IOException e) {
                throw new IOException("cannot make the reject file " + path.toAbsolutePath() + ": " + e, e);
            }
        }
    }

    private static String oneLine(String reason) {
        return reason.replaceAll("\\p{Cntrl}+", " ");
    }
}
