package org.alder.ldif;

/**
 * Text that is not LDIF, or is beyond a limit of the reader. Thrown by {@link LdifReader#next()}; the caller either stops or
 * calls {@link LdifReader#resume()} to go on with the next record.
 */
public final class LdifException extends Exception {

    private static final long serialVersionUID = 1L;

    private final String source;
    private final long line;
    private final String expected;
    private final String found;

    LdifException(String source, long line, String expected, String found) {
        super(source + " line " + line + ": expected " + expected + ", found " + found);
        this.source = source;
        this.line = line;
        this.expected = expected;
        this.found = found;
    }

    /** Name of the input as given in {@link LdifOptions#source()}. */
    public String source() {
        return source;
    }

    /** Line where the offending text starts, counted from 1. */
    public long line() {
        return line;
    }

    /** What should have stood there. */
    public String expected() {
        return expected;
    }

    /** The offending text, quoted, shortened, with unprintable bytes escaped. */
    public String found() {
        return found;
    }

    /** The message without source and line. */
    public String reason() {
        return "expected " + expected + ", found " + found;
    }
}
