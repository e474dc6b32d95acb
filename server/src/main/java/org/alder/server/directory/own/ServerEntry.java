package org.alder.server.directory.own;

import java.util.List;
import java.util.Locale;
import org.alder.partition.dn.Ava;
import org.alder.partition.dn.Dn;
import org.alder.partition.dn.Rdn;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.filter.AttributeAccess;
import org.alder.partition.filter.CandidateEntry;
import org.alder.partition.filter.CompiledFilter;
import org.alder.partition.filter.Filter;
import org.alder.partition.filter.Truth;
import org.alder.partition.request.SearchScope;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.LargeValues;
import org.alder.partition.text.Utf8;
import org.alder.partition.tree.EntryView;
import org.alder.server.directory.CapturedEntry;
import org.alder.server.directory.EntryCursor;
import org.alder.server.directory.SearchRequest;

/** An entry that the server itself makes and that is in no partition. Immutable, thread safe. */
public final class ServerEntry implements CandidateEntry {
    private final Schema schema;
    private final EntryView entry;
    private final boolean subentry;

    public ServerEntry(Schema schema, EntryView entry) {
        this(schema, entry, false);
    }

    /** @param subentry whether it is found only where subentries are asked for, or it is named itself (RFC 3672 3) */
    public ServerEntry(Schema schema, EntryView entry, boolean subentry) {
        this.schema = schema;
        this.entry = entry;
        this.subentry = subentry;
    }

    /** Whether the name is in the scope of a search. */
    static boolean isInScope(Dn dn, SearchRequest request) {
        int depth = dn.size() - request.base().size();
        return dn.isDescendantOrSelf(request.base()) && switch (request.scope()) {
            case BASE -> depth == 0;
            case ONE_LEVEL -> depth == 1;
            case SUBTREE -> true;
            case CHILDREN -> depth > 0;
        };
    }

    /** In small letters; null if it is no common name. */
    static String commonName(Rdn rdn) {
        Ava first = rdn.avas().get(0);
        return rdn.avas().size() == 1 && first.type().name().equalsIgnoreCase("cn")
                ? Utf8.shown(first.value()).toLowerCase(Locale.ROOT) : null;
    }

    private boolean isVisible(SearchRequest request) {
        return !subentry || switch (request.visibility()) {
            case BY_SCOPE -> request.scope() == SearchScope.BASE;
            case SUBENTRIES -> true;
            case ENTRIES -> false;
        };
    }

    public EntryCursor search(SearchRequest request) {
        boolean inScope = isVisible(request)
                && (request.scope() == SearchScope.BASE || request.scope() == SearchScope.SUBTREE);
        return new EntryListCursor((inScope ? List.of(this) : List.<ServerEntry>of()).iterator(), request);
    }

    long id() {
        return entry.id();
    }

    /** The entry, if the request's filter finds it; else null. */
    EntryListCursor.Found found(SearchRequest request) throws DirectoryException {
        AttributeAccess access = request.access().of(this);
        return access != AttributeAccess.NONE && matches(request.filter(), access)
                ? new EntryListCursor.Found(entry, access) : null;
    }

    /** For what an update shows of it. */
    public CapturedEntry captured() {
        return new CapturedEntry(schema, entry, List.of(), AttributeAccess.ALL);
    }

    private boolean matches(Filter filter, AttributeAccess access) throws DirectoryException {
        return CompiledFilter.compile(schema, filter, access).evaluate(this) == Truth.TRUE;
    }

    @Override
    public EntryRecord record() {
        return entry.record();
    }

    @Override
    public String dn() {
        return entry.dn();
    }

    @Override
    public List<byte[]> virtualValues(AttributeType type) {
        return List.of();
    }

    @Override
    public CandidateEntry entryAt(Dn dn) {
        return null;
    }

    @Override
    public LargeValues largeValues() {
        throw new IllegalStateException("an entry that the server makes has all values in its record");
    }
}
