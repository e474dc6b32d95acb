package org.alder.ldif;

import java.io.IOException;
import java.io.InputStream;

/**
 * Cuts a stream into records: runs of lines between blank lines, each held whole in one array so that its raw text can
 * be given back. Not thread-safe. The array may be replaced by {@link #next()}; offsets are valid until then.
 */
final class RecordBuffer {

    private static final int INITIAL_BYTES = 64 << 10;

    private final InputStream in;
    private final LdifOptions options;
    private byte[] bytes = new byte[INITIAL_BYTES];
    private int limit;
    private boolean endOfInput;
    private int start;
    private int end;
    private int following;
    private long line = 1;
    private long firstLine;
    private boolean oversize;

    RecordBuffer(InputStream in, LdifOptions options) throws IOException {
        this.in = in;
        this.options = options;
        skipByteOrderMark();
    }

    byte[] bytes() {
        return bytes;
    }

    int start() {
        return start;
    }

    int end() {
        return end;
    }

    /** Line number of the record's first byte. */
    long firstLine() {
        return firstLine;
    }

    /** Moves to the next run of lines; false at the end of the input. After an exception call {@link #skipOversize()}. */
    boolean next() throws IOException, LdifException {
        int length = skipBlankLines();
        int total = 0;
        while (!isBlank(total, length)) {
            total += length;
            line++;
            length = lineLength(total);
        }
        end = start + total;
        following = end + length;
        line += length > 0 ? 1 : 0;
        return total > 0;
    }

    /** Returns the length of the first line that is not blank, 0 at the end of the input. */
    private int skipBlankLines() throws IOException, LdifException {
        start = following;
        firstLine = line;
        int length = lineLength(0);
        while (length > 0 && isBlank(0, length)) {
            start += length;
            firstLine = ++line;
            length = lineLength(0);
        }
        return length;
    }

    /** True when the current record is over the limit: only its beginning was kept. */
    boolean isOversize() {
        return oversize;
    }

    /** Drops the rest of a record that is over the limit, without keeping it; does nothing for others. */
    void skipOversize() throws IOException {
        if (!oversize) {
            return;
        }
        oversize = false;
        line = firstLine;
        int at = start;
        boolean atLineStart = false;
        boolean blankLine = false;
        while (!blankLine) {
            if (at == limit) {
                start = limit;
                if (!fill()) {
                    break;
                }
                at = start;
            }
            byte b = bytes[at++];
            line += b == '\n' ? 1 : 0;
            blankLine = b == '\n' && atLineStart;
            atLineStart = b == '\n' || atLineStart && b == '\r';
        }
        start = at;
        end = at;
        following = at;
    }

    /** Length of the line at {@code start + offset} with its LF; without one at the end of the input; 0 when nothing is left. */
    private int lineLength(int offset) throws IOException, LdifException {
        int scanned = offset;
        while (true) {
            byte[] b = bytes;
            for (int i = start + scanned; i < limit; i++) {
                if (b[i] == '\n') {
                    return checked(i + 1 - start) - offset;
                }
            }
            scanned = checked(limit - start);
            if (!fill()) {
                return scanned - offset;
            }
        }
    }

    private int checked(int recordBytes) throws LdifException {
        if (recordBytes > options.maxRecordBytes()) {
            oversize = true;
            end = limit;
            throw new LdifException(options.source(), firstLine, "a record of at most "
                + options.maxRecordBytes() + " bytes", "a longer one that starts with "
                + Excerpt.of(bytes, start, Math.min(limit, start + 40)));
        }
        return recordBytes;
    }

    private boolean isBlank(int offset, int length) {
        int first = start + offset;
        return length == 0 || length == 1 && (bytes[first] == '\n' || bytes[first] == '\r')
            || length == 2 && bytes[first] == '\r' && bytes[first + 1] == '\n';
    }

    /** Reads more bytes behind {@code limit}, moving the current record to the front or growing the array when it is full. */
    private boolean fill() throws IOException {
        if (endOfInput) {
            return false;
        }
        if (limit == bytes.length) {
            makeRoom();
        }
        int count = in.read(bytes, limit, bytes.length - limit);
        endOfInput = count < 0;
        limit += Math.max(count, 0);
        return !endOfInput;
    }

    private void makeRoom() {
        int kept = limit - start;
        byte[] target = kept > bytes.length / 2 ? new byte[Math.min(bytes.length * 2, largest())] : bytes;
        System.arraycopy(bytes, start, target, 0, kept);
        bytes = target;
        start = 0;
        limit = kept;
    }

    /** Room for the longest record, and for what shows that another one is longer. */
    private int largest() {
        return options.maxRecordBytes() + INITIAL_BYTES;
    }

    private void skipByteOrderMark() throws IOException {
        while (limit < 3 && fill()) {
            continue;
        }
        if (limit >= 3 && bytes[0] == (byte) 0xEF && bytes[1] == (byte) 0xBB && bytes[2] == (byte) 0xBF) {
            following = 3;
        }
    }
}
