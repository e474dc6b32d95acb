package org.alder.partition.query;

import java.util.IdentityHashMap;
import java.util.Map;
import org.alder.partition.derived.Candidate;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.filter.AttributeAccess;
import org.alder.partition.filter.CompiledFilter;
import org.alder.partition.filter.EntryAccess;
import org.alder.partition.filter.Filter;
import org.alder.partition.filter.Truth;
import org.alder.partition.schema.Schema;

/**
 * Whether entries that match a filter match it also for somebody who may not know everything of them. What differs from entry to
 * entry is asked once for each match. One thread.
 */
public final class AccessTest {
    /** More kinds of rights than these are not worth remembering. */
    private static final int MOST_REMEMBERED = 1000;

    private final Schema schema;
    private final Filter filter;
    private final boolean aboutOthers;
    private final EntryAccess access;
    /** The filter as it is with these rights; null if it is the same. */
    private final Map<AttributeAccess, CompiledFilter> restricted = new IdentityHashMap<>();
    private AttributeAccess decided;
    /** The rights before, and the filter as it is with them. */
    private AttributeAccess before;
    private CompiledFilter seen;

    /** @param aboutOthers whether the filter is {@link CompiledFilter#isAboutOthers} */
    public AccessTest(Schema schema, Filter filter, boolean aboutOthers, EntryAccess access) {
        this.schema = schema;
        this.filter = filter;
        this.aboutOthers = aboutOthers;
        this.access = access;
    }

    /** @param entry of which the filter is true */
    boolean holds(Candidate entry) throws DirectoryException {
        decided = access.of(entry);
        if (decided == AttributeAccess.NONE || decided == AttributeAccess.ALL && !aboutOthers) {
            return decided != AttributeAccess.NONE;
        }
        if (decided != before) {
            seen = seenWith(decided);
            before = decided;
        }
        return seen == null || seen.evaluate(aboutOthers ? entry.searchedBy(access.ofOthers()) : entry) == Truth.TRUE;
    }

    private CompiledFilter seenWith(AttributeAccess rights) throws DirectoryException {
        CompiledFilter known = restricted.get(rights);
        if (known == null && !restricted.containsKey(rights)) {
            CompiledFilter compiled = CompiledFilter.compile(schema, filter, rights);
            known = compiled.isRestricted() || aboutOthers ? compiled : null;
            if (restricted.size() >= MOST_REMEMBERED) {
                restricted.clear();
            }
            restricted.put(rights, known);
        }
        return known;
    }

    /** What {@link #holds} found last. */
    AttributeAccess decided() {
        return decided;
    }
}
