package org.alder.partition.query.plan;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import org.alder.partition.derived.ComputedGroups;
import org.alder.partition.derived.Surroundings;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.AttributeCursor;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.entry.Octets;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.filter.AttributeAccess;
import org.alder.partition.filter.CandidateEntry;
import org.alder.partition.id.IdSet;
import org.alder.partition.index.AttributeIndexer;
import org.alder.partition.index.IndexKind;
import org.alder.partition.index.IndexedAttribute;
import org.alder.partition.query.SearchCursor;
import org.alder.partition.query.SearchQuery;
import org.alder.partition.request.Patience;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.LargeValues;
import org.alder.partition.store.Snapshot;
import org.alder.partition.text.Utf8;
import org.alder.partition.tree.DnLookup;
import org.alder.partition.tree.EntryTree;
import org.alder.partition.tree.EntryView;
import org.roaringbitmap.RoaringBitmap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Groups whose members are those that URLs find: entries with {@code memberURL}, known by its presence index; without that index
 * there are none. Their values of {@code member} are worked out when they are asked for. What a URL's filter says of memberOf
 * means groups that name their members, so that dynamic groups cannot wait for each other. Immutable but for what it
 * remembers, thread safe.
 */
public final class DynamicGroups implements ComputedGroups {
    /** So many members are returned as values, and so many entries are looked at for them. */
    public static final int MOST_MEMBERS = 100_000;

    private static final Logger LOG = LoggerFactory.getLogger(DynamicGroups.class);
    private static final String MEMBER = "member";
    private static final String MEMBER_URL = "memberURL";
    private static final int STEP = 10_000;
    private static final int MOST_URLS = 10_000;
    /** What a value takes beside its bytes, and how often these are there: as value, normal form, in the record, encoded and sent. */
    private static final long VALUE_BYTES = 160;
    private static final long COPIES = 5;
    /** Less is not asked for. */
    private static final int COUNTED_BYTES = 16 << 10;
    private static final int MOST_URL_CHARS = 64 * MemberUrl.MOST_CHARS;

    private final Schema schema;
    private final AttributeType member;
    private final AttributeType memberUrl;
    private final Surroundings named;
    private final EntryTree tree;
    private final QueryPlanner planner;
    /** What was parsed before. */
    private volatile Parsed parsed = new Parsed(-1, new ConcurrentHashMap<>(), new LongAdder());
    /** @param urls empty for what is no URL of ours by the schema of that version */
    private record Parsed(long schemaVersion, Map<String, Optional<MemberUrl>> urls, LongAdder chars) {
    }

    private DynamicGroups(Schema schema, AttributeType memberUrl, Surroundings named, QueryPlanner planner) {
        this.schema = schema;
        this.member = schema.attributeType(MEMBER);
        this.memberUrl = memberUrl;
        this.named = named;
        this.tree = named.tree();
        this.planner = planner;
    }

    /** The index that tells which entries they are; null if the partition can have none. */
    public static IndexedAttribute index(Schema schema, AttributeIndexer indexer) {
        AttributeType type = schema.attributeType(MEMBER_URL);
        IndexedAttribute index = type == null || schema.attributeType(MEMBER) == null ? null : indexer.index(type);
        return index == null || !index.has(IndexKind.PRESENCE) ? null : index;
    }

    /**
     * @param named what surrounds entries, without dynamic groups
     * @param ignoredIndexes attribute types whose indexes are not used
     * @return null if the partition can have none: without the index nobody could tell which entries they are
     */
    public static DynamicGroups of(Schema schema, AttributeIndexer indexer, Surroundings named,
            Set<AttributeType> ignoredIndexes) {
        IndexedAttribute index = index(schema, indexer);
        return index == null ? null
                : new DynamicGroups(schema, index.type(), named, new QueryPlanner(schema, indexer, named, ignoredIndexes));
    }

    @Override
    public IdSet all(Snapshot snapshot) {
        return named.facts(snapshot).dynamicGroups(snapshot);
    }

    @Override
    public boolean isMember(AttributeType type) {
        return type == member;
    }

    @Override
    public AttributeType member() {
        return member;
    }

    @Override
    public boolean isMember(Snapshot snapshot, long group, EntryView entry, AttributeAccess rights) {
        Dn dn = Dn.stored(schema, entry.dn());
        CandidateEntry candidate = named.candidate(snapshot, entry);
        return !subentries(snapshot).contains(entry.id())
                && urls(snapshot.entry(group)).stream().anyMatch(url -> url.as(schema, rights).finds(dn, candidate));
    }

    @Override
    public IdSet groupsOf(Snapshot snapshot, EntryView entry) {
        IdSet groups = all(snapshot);
        if (groups.isEmpty() || subentries(snapshot).contains(entry.id())) {
            return IdSet.EMPTY;
        }
        RoaringBitmap found = new RoaringBitmap();
        Dn dn = Dn.stored(schema, entry.dn());
        CandidateEntry candidate = named.candidate(snapshot, entry);
        for (IdSet.IdIterator each = groups.iterator(); each.hasNext();) {
            long group = each.next();
            if (urls(snapshot.entry(group)).stream().anyMatch(url -> url.finds(dn, candidate))) {
                found.add((int) group);
            }
        }
        return IdSet.wrap(found);
    }

    @Override
    public IdSet groupsOf(Snapshot snapshot, byte[] form) {
        long id = all(snapshot).isEmpty() ? HierarchyKeys.NO_PARENT : new DnLookup(snapshot, tree).find(form);
        return id == HierarchyKeys.NO_PARENT ? IdSet.EMPTY
                : groupsOf(snapshot, new EntryView(id, snapshot.entry(id), tree.dnOf(snapshot, id)));
    }

    @Override
    public IdSet membersOf(Snapshot snapshot, long group) {
        RoaringBitmap members = new RoaringBitmap();
        for (MemberUrl url : urls(snapshot.entry(group))) {
            if (url.base().isDescendantOrSelf(tree.suffix()) && !addMembers(snapshot, url, members)) {
                return null;
            }
        }
        return IdSet.wrap(members).andNot(subentries(snapshot));
    }

    /** They are no members, as searches do not find them (RFC 3672 3), though those of a collective attribute have its values. */
    private static IdSet subentries(Snapshot snapshot) {
        return snapshot.ids(HierarchyKeys.INDEX, HierarchyKeys.subentries());
    }

    private boolean addMembers(Snapshot snapshot, MemberUrl url, RoaringBitmap members) {
        SearchQuery query = new SearchQuery(url.base(), url.scope(), url.filter(), 0, 0);
        if (tree.resolve(snapshot, url.base()) == HierarchyKeys.NO_PARENT) {
            return true;
        }
        try (SearchCursor cursor = planner.open(snapshot, query)) {
            cursor.preferNames();
            SearchCursor.Step step = cursor.step(STEP);
            while (step != SearchCursor.Step.END && cursor.examined() <= MOST_MEMBERS) {
                if (step == SearchCursor.Step.MATCH) {
                    members.add((int) cursor.id());
                }
                step = cursor.step(STEP);
            }
            return step == SearchCursor.Step.END;
        } catch (DirectoryException e) {
            LOG.warn("the members of a group with the URL base \"{}\" cannot be found: {}", url.base().text(), e.getMessage());
            return true;
        }
    }

    private List<MemberUrl> urls(EntryRecord group) {
        List<MemberUrl> found = new ArrayList<>(1);
        AttributeCursor cursor = group.cursor(false);
        while (cursor.next()) {
            AttributeDescription description = schema.descriptionOrNull(cursor.bytes(), cursor.nameOffset(), cursor.nameLength());
            if (description != null && description.type() == memberUrl) {
                for (byte[] value : cursor.values()) {
                    // A site's own definition of the type may let in what is no text.
                    String text = Utf8.decodeOrNull(value);
                    if (text != null) {
                        url(text).ifPresent(found::add);
                    }
                }
            }
        }
        return found;
    }

    private Optional<MemberUrl> url(String text) {
        Parsed known = parsed;
        if (known.schemaVersion != schema.version() || known.urls.size() >= MOST_URLS || known.chars.sum() > MOST_URL_CHARS) {
            known = new Parsed(schema.version(), new ConcurrentHashMap<>(), new LongAdder());
            parsed = known;
        }
        Optional<MemberUrl> url = known.urls.get(text);
        if (url == null) {
            url = parseUrl(text);
            // What is too long to be a URL is not worth keeping.
            if (text.length() <= MemberUrl.MOST_CHARS && known.urls.put(text, url) == null) {
                known.chars.add(text.length());
            }
        }
        return url;
    }

    private Optional<MemberUrl> parseUrl(String text) {
        try {
            return Optional.of(MemberUrl.parse(schema, text));
        } catch (DirectoryException e) {
            LOG.warn("a dynamic group finds no members: {}", e.getMessage());
            return Optional.empty();
        }
    }

    /**
     * A dynamic group with the members that are worked out among its values of member, as clients are to see it.
     *
     * @param wanted whether an attribute is to be returned: without member nothing is worked out
     * @param known which members whoever asks may know of
     * @param patience grants the memory for the values
     * @throws DirectoryException adminLimitExceeded if the group has too many; busy if there is no memory for them now
     */
    public EntryRecord completed(Snapshot snapshot, long id, EntryRecord record, Predicate<AttributeType> wanted,
            LongPredicate known, Patience patience) throws DirectoryException {
        if (!wanted.test(member)) {
            return record;
        }
        IdSet members = membersOf(snapshot, id);
        if (members == null) {
            throw new DirectoryException(ResultCode.ADMIN_LIMIT_EXCEEDED, "the dynamic group \""
                    + tree.dnOf(snapshot, record)
                    + "\" looks at more than " + MOST_MEMBERS + " entries for its members, too many to be returned");
        }
        for (LargeAttribute attribute : record.largeAttributes()) {
            patience.hold(attribute.count() * VALUE_BYTES + COPIES * attribute.valueBytes());
        }
        return withMembers(snapshot, new LargeValues(snapshot, id).whole(record), members, known, patience);
    }

    private EntryRecord withMembers(Snapshot snapshot, EntryRecord record, IdSet members, LongPredicate known, Patience patience)
            throws DirectoryException {
        List<Attribute> user = new ArrayList<>();
        Map<Octets, byte[]> values = new LinkedHashMap<>();
        long uncounted = 0;
        for (Attribute attribute : record.userAttributes()) {
            AttributeDescription description = schema.descriptionOrNull(attribute.description());
            if (description != null && description.type() == member && description.options().isEmpty()) {
                for (byte[] value : attribute.values()) {
                    values.put(new Octets(member.equality().normalize(value)), value);
                }
            } else {
                user.add(attribute);
            }
        }
        for (IdSet.IdIterator each = members.iterator(); each.hasNext();) {
            long id = each.next();
            if (known.test(id)) {
                byte[] dn = tree.dnOf(snapshot, id).getBytes(StandardCharsets.UTF_8);
                uncounted += VALUE_BYTES + COPIES * dn.length;
                if (uncounted > COUNTED_BYTES) {
                    patience.hold(uncounted);
                    uncounted = 0;
                }
                values.putIfAbsent(new Octets(member.equality().normalize(dn)), dn);
            }
        }
        if (!values.isEmpty()) {
            user.add(new Attribute(member.name(), List.copyOf(values.values())));
        }
        return EntryRecord.of(record.parentId(), record.rdnBytes(), user, record.operationalAttributes());
    }
}
