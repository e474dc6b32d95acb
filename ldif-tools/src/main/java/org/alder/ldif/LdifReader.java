package org.alder.ldif;

import java.io.Closeable;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;

/**
 * Streaming reader of LDIF (RFC 2849), plain or gzip (recognised by its first bytes). The dialect accepted is in
 * {@code docs/format/ldif.md}. Content and change records may be mixed and {@code version: 1} may begin any record, so
 * that concatenated files can be read.
 *
 * <p>Not thread-safe; the records returned may be given to other threads, the reader keeps no reference to their bytes.
 * The reader owns the stream and closes it.
 *
 * <p>{@link #next()} throws {@link LdifException} for a bad record. The caller may then look at {@link #rawRecord()} and
 * must either give up or call {@link #resume()}, after which reading goes on behind the next blank line. An IOException
 * (also a damaged gzip stream) is final.
 */
public final class LdifReader implements Closeable {

    private static final int GZIP_BUFFER_BYTES = 64 << 10;

    private final CountingStream input;
    private final InputStream text;
    private final RecordBuffer buffer;
    private final RecordParser parser;
    private boolean failed;

    /** Reads with {@link LdifOptions#DEFAULT}. */
    public LdifReader(InputStream in) throws IOException {
        this(in, LdifOptions.DEFAULT);
    }

    /** Blocks until the first bytes are there, to see whether they are gzip's. */
    public LdifReader(InputStream in, LdifOptions options) throws IOException {
        input = new CountingStream(in);
        text = inflated(input);
        buffer = new RecordBuffer(text, options);
        parser = new RecordParser(options);
    }

    private static InputStream inflated(InputStream in) throws IOException {
        PushbackInputStream pushback = new PushbackInputStream(in, 2);
        byte[] magic = pushback.readNBytes(2);
        pushback.unread(magic);
        boolean gzip = magic.length == 2 && magic[0] == 0x1f && magic[1] == (byte) 0x8b;
        return gzip ? new GZIPInputStream(pushback, GZIP_BUFFER_BYTES) : pushback;
    }

    /** Returns the next record, or null at the end. */
    public LdifRecord next() throws IOException, LdifException {
        if (failed) {
            throw new IllegalStateException("the last record was bad: call resume() to go on behind it");
        }
        failed = true;
        LdifRecord record = null;
        boolean more = true;
        while (more && record == null) {
            more = buffer.next();
            record = more ? parser.parse(buffer) : null;
        }
        failed = false;
        return record;
    }

    /** After an {@link LdifException}: lets {@link #next()} go on with the record behind the bad one. */
    public void resume() throws IOException {
        buffer.skipOversize();
        failed = false;
    }

    /**
     * A copy of the text of the record last returned or refused, from its {@code dn:} line on, as it stood in the input,
     * with the comments within it. Ask before {@link #resume()}. Only the beginning when {@link #isRawRecordComplete()} is false.
     */
    public byte[] rawRecord() {
        int start = buffer.isOversize() ? buffer.start() : parser.rawStart();
        return Arrays.copyOfRange(buffer.bytes(), Math.min(start, buffer.end()), buffer.end());
    }

    /** False when the record was refused for being longer than {@link LdifOptions#maxRecordBytes()}. */
    public boolean isRawRecordComplete() {
        return !buffer.isOversize();
    }

    /** Bytes taken from the stream so far (compressed bytes, if it is gzip): somewhat ahead of the record last returned. */
    public long bytesRead() {
        return input.count;
    }

    @Override
    public void close() throws IOException {
        text.close();
    }

    private static final class CountingStream extends FilterInputStream {

        private long count;

        CountingStream(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            int b = super.read();
            count += b < 0 ? 0 : 1;
            return b;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            int read = super.read(target, offset, length);
            count += Math.max(read, 0);
            return read;
        }
    }
}
