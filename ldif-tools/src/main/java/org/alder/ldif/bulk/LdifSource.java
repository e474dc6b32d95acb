package org.alder.ldif.bulk;

import java.io.Closeable;
import java.io.IOException;
import org.alder.ldif.LdifEntry;
import org.alder.ldif.LdifException;
import org.alder.ldif.LdifModify;
import org.alder.ldif.LdifReader;
import org.alder.ldif.LdifRecord;
import org.alder.ldif.RejectFile;
import org.alder.ldif.progress.Progress;
import org.alder.partition.error.DirectoryException;

/**
 * The entries of one LDIF file: content records and {@code changetype: add}. Other changes and malformed records go to the
 * reject file, and reading goes on behind them. One thread; closes the reader.
 */
public final class LdifSource implements EntrySource, Closeable {
    private final LdifReader reader;
    private final RejectFile rejects;
    private final Progress progress;
    private final Changes changes;

    /** Whoever makes a change that is no entry of the load. */
    @FunctionalInterface
    public interface Changes {
        /** None is made. */
        Changes NONE = change -> false;

        /**
         * @return false if this change is none to be made here
         * @throws DirectoryException why it cannot be made
         */
        boolean make(LdifModify change) throws DirectoryException;
    }

    /** @param progress told the bytes read */
    public LdifSource(LdifReader reader, RejectFile rejects, Progress progress) {
        this(reader, rejects, progress, Changes.NONE);
    }

    /** @param changes makes those that are not rejected, before the records behind them are given out */
    public LdifSource(LdifReader reader, RejectFile rejects, Progress progress, Changes changes) {
        this.changes = changes;
        this.reader = reader;
        this.rejects = rejects;
        this.progress = progress;
    }

    @Override
    public LdifEntry next() throws IOException {
        while (true) {
            LdifRecord record = null;
            try {
                record = reader.next();
                progress.update(reader.bytesRead());
                if (record == null || record instanceof LdifEntry) {
                    return (LdifEntry) record;
                }
                if (!(record instanceof LdifModify change) || !changes.make(change)) {
                    rejects.reject(record,
                            "a change other than add, which a bulk load cannot make: use ldapmodify on the running server");
                }
            } catch (DirectoryException e) {
                rejects.reject(record, e.getMessage());
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
