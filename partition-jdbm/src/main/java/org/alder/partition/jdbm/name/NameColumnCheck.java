package org.alder.partition.jdbm.name;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.alder.partition.entry.StoredName;
import org.alder.partition.jdbm.block.TableCorruptException;
import org.alder.partition.jdbm.block.TableSummary;

/**
 * Holds a name column against the entries of its master table, in the pass in which those are read: the same IDs in the same order,
 * with the same names. Remembers the first thing that is wrong. One thread, used once.
 */
public final class NameColumnCheck {
    private final Path file;
    /** Null once something was wrong. */
    private NameReader names;
    private NameColumn column;
    private int group = -1;
    private TableCorruptException problem;

    /**
     * @param file     its length and checksums must have been compared already
     * @param expected what its writer returned for this file
     */
    public NameColumnCheck(Path file, TableSummary expected) throws IOException {
        this.file = file;
        try {
            column = NameColumn.open(file, expected);
            names = column.reader();
        } catch (TableCorruptException e) {
            problem = e;
        }
    }

    /** @param id greater than all before  @param name null for an entry that is deleted */
    public void entry(long id, StoredName name) {
        if (names == null) {
            return;
        }
        try {
            if (!next()) {
                fail("it ends before entry " + id);
            } else if (names.id() != id) {
                fail("found the entry " + names.id() + ", expected " + id);
            } else if (!isSame(names.current(), name)) {
                fail("entry " + id + " has another name there than in its record");
            } else if (column.groupOf(id, 0) != group) {
                fail("entry " + id + " is not found through it");
            }
        } catch (TableCorruptException e) {
            problem = e;
            names = null;
        }
    }

    private boolean next() {
        if (group >= 0 && names.hasNext()) {
            names.step();
            return true;
        }
        if (group + 1 == column.groups()) {
            return false;
        }
        names.load(++group);
        return true;
    }

    private static boolean isSame(StoredName found, StoredName name) {
        if (name == null || found == NameColumn.DELETED) {
            return name == null && found == NameColumn.DELETED;
        }
        if (name.rdnLength() > NameFormat.MAX_NAME_BYTES || found == NameColumn.ELSEWHERE) {
            return name.rdnLength() > NameFormat.MAX_NAME_BYTES && found == NameColumn.ELSEWHERE;
        }
        return found.parentId() == name.parentId() && Arrays.equals(found.buffer(), found.rdnOffset(), found.rdnOffset() + found.rdnLength(),
                name.buffer(), name.rdnOffset(), name.rdnOffset() + name.rdnLength());
    }

    private void fail(String found) {
        problem = new TableCorruptException(file, 0, found);
        names = null;
    }

    /** What is wrong, or null, when all entries were told; means nothing where the master table was not read to its end. */
    public TableCorruptException problem() {
        if (names != null && (group >= 0 && names.hasNext() || group + 1 < column.groups())) {
            fail("it has more names than there are entries");
        }
        return problem;
    }
}
