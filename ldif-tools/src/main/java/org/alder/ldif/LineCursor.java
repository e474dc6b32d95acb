package org.alder.ldif;

import java.util.Arrays;

/**
 * Walks the logical lines of one record: drops comments, joins folded lines. The current line is
 * {@code data[from, to)}; it lies in the record itself unless it was folded, so unfolded lines are not copied.
 * Not thread-safe.
 */
final class LineCursor {

    private static final int MAX_SCRATCH_KEPT = 1 << 20;

    private byte[] record;
    private int at;
    private int end;
    private long nextNumber;
    private byte[] scratch = new byte[1024];

    private byte[] data;
    private int from;
    private int to;
    private long number;
    private int rawStart;

    void reset(RecordBuffer buffer) {
        record = buffer.bytes();
        at = buffer.start();
        end = buffer.end();
        nextNumber = buffer.firstLine();
        data = record;
        from = at;
        to = at;
        number = nextNumber;
        if (scratch.length > MAX_SCRATCH_KEPT) {
            scratch = new byte[1024];
        }
    }

    byte[] data() {
        return data;
    }

    int from() {
        return from;
    }

    int to() {
        return to;
    }

    /** Line number where the current logical line starts. */
    long number() {
        return number;
    }

    /** Offset in the record buffer where the current logical line starts. */
    int rawStart() {
        return rawStart;
    }

    /** Moves to the next logical line; false at the end of the record. */
    boolean next() {
        while (at < end) {
            rawStart = at;
            data = record;
            from = at;
            number = nextNumber;
            to = endOfPhysicalLine();
            if (data[from] == '#') {
                skipContinuations();
            } else {
                if (continues()) {
                    unfold();
                }
                return true;
            }
        }
        from = to;
        data = record;
        return false;
    }

    /** Steps over one physical line and returns the end of its text. */
    private int endOfPhysicalLine() {
        int lf = at;
        while (lf < end && record[lf] != '\n') {
            lf++;
        }
        int start = at;
        at = Math.min(lf + 1, end);
        nextNumber++;
        return lf > start && record[lf - 1] == '\r' ? lf - 1 : lf;
    }

    private boolean continues() {
        return at < end && record[at] == ' ';
    }

    private void skipContinuations() {
        while (continues()) {
            endOfPhysicalLine();
        }
    }

    private void unfold() {
        int length = append(0, from, to);
        while (continues()) {
            int text = at + 1;
            length = append(length, text, Math.max(text, endOfPhysicalLine()));
        }
        data = scratch;
        from = 0;
        to = length;
    }

    private int append(int length, int start, int stop) {
        int total = length + stop - start;
        if (total > scratch.length) {
            scratch = Arrays.copyOf(scratch, Math.max(total, scratch.length * 2));
        }
        System.arraycopy(record, start, scratch, length, stop - start);
        return total;
    }
}
