package org.alder.ldif;

/**
 * What an {@link LdifReader} accepts.
 *
 * @param source         name of the input for messages, usually the file name
 * @param maxValueBytes  longest value accepted, after base64 decoding; default 16 MiB
 * @param maxRecordBytes longest record accepted, as text with its line breaks; default an eighth of the heap, at most 128 MiB;
 *                       never more than 512 MiB. A record is held in memory whole, twice while it grows, so this also bounds
 *                       what a file without line breaks can cost
 * @param fileUrls       whether {@code attribute:< file:///path} is followed; off by default, because with it an LDIF file
 *                       can pull any file the process may read into the directory
 */
public record LdifOptions(String source, int maxValueBytes, int maxRecordBytes, boolean fileUrls) {

    public static final LdifOptions DEFAULT = new LdifOptions("LDIF", 16 << 20,
        (int) Math.min(128 << 20, Runtime.getRuntime().maxMemory() / 8), false);

    private static final int RECORD_CEILING = 1 << 29;

    public LdifOptions {
        if (maxValueBytes < 1 || maxRecordBytes < 1 || maxRecordBytes > RECORD_CEILING) {
            throw new IllegalArgumentException("maxValueBytes " + maxValueBytes + " must be at least 1 and maxRecordBytes "
                + maxRecordBytes + " between 1 and " + RECORD_CEILING);
        }
    }

    public LdifOptions withSource(String name) {
        return new LdifOptions(name, maxValueBytes, maxRecordBytes, fileUrls);
    }

    public LdifOptions withMaxValueBytes(int bytes) {
        return new LdifOptions(source, bytes, maxRecordBytes, fileUrls);
    }

    public LdifOptions withMaxRecordBytes(int bytes) {
        return new LdifOptions(source, maxValueBytes, bytes, fileUrls);
    }

    public LdifOptions withFileUrls(boolean follow) {
        return new LdifOptions(source, maxValueBytes, maxRecordBytes, follow);
    }
}
