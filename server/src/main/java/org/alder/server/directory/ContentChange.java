package org.alder.server.directory;

import org.alder.partition.entry.Csn;

/**
 * One change of what a search finds.
 *
 * @param entry stands on the entry as it became, or as it was if it is gone
 * @param previousDn of an entry that was renamed, else null
 * @param csn of the commit
 * @param last whether it is the commit's last
 */
public record ContentChange(Kind kind, EntryCursor entry, String previousDn, Csn csn, boolean last) {
    /** What became of the entry. */
    public enum Kind {
        ADDED, MODIFIED, RENAMED, DELETED
    }

    ContentChange withEntry(EntryCursor other) {
        return new ContentChange(kind, other, previousDn, csn, last);
    }
}
