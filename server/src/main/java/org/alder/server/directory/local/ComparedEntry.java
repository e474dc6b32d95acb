package org.alder.server.directory.local;

import org.alder.partition.filter.AttributeAccess;
import org.alder.partition.filter.CandidateEntry;
import org.alder.partition.filter.EntryAccess;

/** All of an entry that may be compared, but no more of others than whoever asks may know. Thread safe. */
record ComparedEntry(EntryAccess ofOthers) implements EntryAccess {
    @Override
    public AttributeAccess everywhere() {
        return EntryAccess.isOfAll(ofOthers) ? AttributeAccess.ALL : null;
    }

    @Override
    public AttributeAccess of(CandidateEntry entry) {
        return AttributeAccess.ALL;
    }
}
