package org.alder.ldif.bulk;

import java.io.Closeable;
import java.io.IOException;
import org.alder.ldif.LdifEntry;
import org.alder.ldif.LdifException;
import org.alder.ldif.LdifReader;
import org.alder.ldif.LdifRecord;
import org.alder.ldif.RejectFile;
import org.alder.ldif.progress.Progress;

/**
 * The entries of one LDIF file: content records and {@code changetype: add}. Other changes and malformed records go to the
 * reject file, and reading goes on behind them. One thread; closes the reader.
 */
public final class LdifSource implements EntrySource, Closeable {
    private final LdifReader reader;
    private final RejectFile rejects;
    private final Progress progress;

    /** @param progress told the bytes read */
    public LdifSource(LdifReader reader, RejectFile rejects, Progress progress) {
        this.reader = reader;
        this.rejects = rejects;
        this.progress = progress;
    }

    @Override
    public LdifEntry next() throws IOException {
        while (true) {
            try {
                LdifRecord record = reader.next();
                progress.update(reader.bytesRead());
                if (record == null || record instanceof LdifEntry) {
                    return (LdifEntry) record;
                }
                rejects.reject(record,
                        "a change other than add, which a bulk load cannot make: use ldapmodify on the running server");
            } catch (LdifException e) {
                rejects.reject(e, reader);
                reader.resume();
            }
        }
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
