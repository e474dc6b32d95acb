package org.alder.server.config;

import static org.alder.server.config.Key.Effect.DATA;
import static org.alder.server.config.Key.Effect.INDEXES;
import static org.alder.server.config.Key.Effect.MEASURED;
import static org.alder.server.config.Key.Effect.NEW_SEGMENTS;
import static org.alder.server.config.Key.Effect.RUNNING;
import static org.alder.server.config.Key.Effect.SEGMENTS;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.alder.partition.schema.NameParser;
import org.alder.partition.store.FeatureLevel;
import org.alder.partition.tree.Shard;
import org.alder.server.config.PartitionConfiguration.Compression;
import org.alder.server.config.PartitionConfiguration.Distribution;
import org.alder.server.config.PartitionConfiguration.Durability;
import org.alder.server.config.PartitionConfiguration.FollowTls;
import org.alder.server.config.PartitionConfiguration.FollowUpdates;

/** All keys of an entry of objectClass alderPartition, in the order in which they are shown. A new one is a row, and its use. */
public final class PartitionKeys {
    /** Those of earlier builds, in lower case, that mean nothing any more, and why. */
    static final Map<String, String> RETIRED = Map.of("entrycachebytes", "entries are read without a cache");

    private static final List<Key<?>> TABLE = new ArrayList<>();
    private static final long GIB = 1L << 30;
    private static final ValueType<String> ATTRIBUTE = ValueType.text("the name of one attribute", "\\S+");

    public static final Key<String> SUFFIX = add(Key.optional("suffix",
            ValueType.text("a DN", ".+"), DATA, """
            The naming context of this partition, such as dc=example,dc=com. Each partition has its own.""", "dc=example,dc=com"));
    public static final Key<String> ENGINE = add(Key.one("engine",
            ValueType.text("the name of a storage engine", "\\w+"), "jdbm", DATA, """
            The storage engine: jdbm keeps entries in write-once segments of B+Trees. memory keeps them in the heap alone,
            for trials: they are gone when the server stops."""));
    public static final Key<Distribution> DISTRIBUTION = add(Key.one("distribution",
            ValueType.choice(Distribution.class), "none", DATA, """
            hash: the entries are in several stores, each with a log and a writer of its own (docs/sharding.md): an entry directly
            below the suffix is in the one that a hash of its RDN says, with all below it. none: they are in one. Rules that
            cannot hold between stores (memberOf, reference, autoNumber) are not kept, and refused if they are given."""));
    public static final Key<Integer> SHARDS = add(Key.one("shards",
            ValueType.number(1, Shard.MOST), "4", DATA, """
            With distribution: hash, over how many stores the entries are distributed. It stays as it is once there are
            entries: for another number another data folder follows this one (docs/sharding.md)."""));
    public static final Key<Durability> DURABILITY = add(Key.one("durability",
            ValueType.choice(Durability.class), "sync", RUNNING, """
            When an update is acknowledged. sync: when it is on disk. interval: at once, and on disk at most
            durabilityIntervalMillis later. none: at once, and on disk whenever the operating system writes it (for bulk
            work that can be repeated)."""));
    public static final Key<Integer> DURABILITY_INTERVAL_MILLIS = add(Key.one("durabilityIntervalMillis",
            ValueType.number(1, 60_000), "100", RUNNING, """
            The longest time between two syncs of the log with durability interval, in milliseconds."""));
    public static final Key<Long> MEMORY_LAYER_BYTES = add(Key.one("memoryLayerBytes",
            ValueType.bytes(64 << 10, 16 * GIB), "64m", RUNNING, """
            Changes are held in memory (and in the commit log) up to this size, then written as a segment in the
            background. While the disk is slow there may be seven such layers, so all layers of all partitions together
            get at most 22 % of the heap, and the size is reduced to fit."""));
    public static final Key<Long> HELD_LAYER_BYTES = add(Key.one("heldLayerBytes",
            ValueType.bytes(0, Long.MAX_VALUE), "0", RUNNING, """
            How much of these changes may stay in memory after they were written to disk, because older searches still
            read them. Beyond it, the oldest searches end with adminLimitExceeded. 0, and the most there is: what three
            layers leave of the partition's part of the 22 % of the heap, which are four layers at least."""));
    public static final Key<Long> INDEX_CACHE_BYTES = add(Key.one("indexCacheBytes",
            ValueType.bytes(0, Long.MAX_VALUE), "12%", RUNNING, """
            Heap for ID sets and blocks of indexes in decoded form; 0 switches the cache off. The caches of one partition may take 40 %
            of the heap; where those of several partitions want more together, each gets its share of that. Entries need none: they
            are read from the page cache of the operating system."""));
    public static final Key<Compression> COMPRESSION = add(Key.one("compression",
            ValueType.choice(Compression.class), "coded", NEW_SEGMENTS, """
            How entries are stored. coded: without what a segment's entries have in common, each for itself. none: as they are, which is
            read a little faster and takes two to three times the disk and page cache. lz4, zstd and zstdDictionary, of earlier builds,
            mean coded. Existing segments stay readable."""));
    public static final Key<Integer> SNAPSHOT_TIME_LIMIT_SECONDS = add(Key.one("snapshotTimeLimitSeconds",
            ValueType.number(0, Integer.MAX_VALUE), "600", RUNNING, """
            How long one search may keep its snapshot, in seconds; 0 = for ever. Then it ends with an error, so that it
            does not hold disk space."""));
    public static final Key<Long> DISK_LOW_BYTES = add(Key.one("diskLowBytes",
            ValueType.bytes(0, Long.MAX_VALUE), "256m", RUNNING, """
            With less free space than this on the disk, writes are refused with unwillingToPerform until there is room
            again; reads go on. 0 = writes are refused only once one has failed for lack of room."""));
    public static final Key<Long> MERGE_BYTES_PER_SECOND = add(Key.one("mergeBytesPerSecond",
            ValueType.bytes(0, Long.MAX_VALUE), "0", RUNNING, """
            What merges of segments, and builds of indexes, may read and write, in bytes a second. 0 = adaptive: all there is while no client asks
            for anything, a tenth of the processors from 100 requests a second on (builds a quarter of that), and more when
            merging falls behind. A very large value (100g) never waits."""));
    public static final Key<Boolean> WARM_SEGMENTS = add(Key.one("warmSegments",
            ValueType.flag(), "true", RUNNING, """
            Whether a new segment is read into the caches before searches use it, as far as the segments that it
            replaces were cached."""));
    public static final Key<Long> CHANGE_HISTORY_BYTES = add(Key.one("changeHistoryBytes",
            ValueType.bytes(0, Long.MAX_VALUE), "64m", RUNNING, """
            How much of the commit log is kept after its changes are in segments, for clients that synchronize (RFC
            4533) and for restoring to a moment. A client that was away for longer gets all entries again. 0 = only what
            is kept anyway."""));
    public static final Key<Long> MAX_ENTRY_BYTES = shared(Key.one("maxEntryBytes",
            ValueType.bytes(1 << 10, 64 << 20), "64m", RUNNING, """
            The largest entry, as it is stored, without the values that are kept outside of it (largeAttributeThreshold). One that
            is larger already may become smaller, but not larger; the same holds for the two keys below."""));
    public static final Key<Integer> MAX_ENTRY_ATTRIBUTES = shared(Key.one("maxEntryAttributes",
            ValueType.number(1, 1_000_000), "10000", RUNNING, """
            The most attributes of one entry, without those that the server maintains; the same attribute with other
            options counts again."""));
    public static final Key<Integer> MAX_ATTRIBUTE_VALUES = shared(Key.one("maxAttributeValues",
            ValueType.number(0, Integer.MAX_VALUE), "10000000", RUNNING, """
            The most values of one attribute of an entry, such as the members of a group; 0 = no limit. A line constraint says less
            for some attributes."""));
    public static final Key<Integer> MAX_ENTRY_DEPTH = shared(Key.one("maxEntryDepth",
            ValueType.number(1, NameParser.MAX_RDNS), "1000", RUNNING, """
            How deep in the tree an entry may be: the most RDNs of its name, those of the suffix among them. Entries that are
            moved may not end up deeper, nor may those below them; what is deeper already stays."""));
    public static final Key<Integer> LARGE_ATTRIBUTE_THRESHOLD = add(Key.one("largeAttributeThreshold",
            ValueType.number(0, Integer.MAX_VALUE), "1000", RUNNING, """
            The values of an attribute that has more than this many are kept outside of the entry's record, so that adding,
            removing or testing one costs the same at any size, and reading them needs little memory. 0 = never. Attributes
            with a substring index stay in the record. Another value holds for an entry when that is written the next time."""));
    public static final Key<Integer> DUPLICATE_THRESHOLD = add(Key.one("duplicateThreshold",
            ValueType.number(1, Integer.MAX_VALUE), "1000", SEGMENTS, """
            Sets of at most this many entry IDs are kept beside their key; larger ones move to a nested B+Tree. An index can
            say otherwise (threshold=N)."""));
    public static final Key<List<IndexLine>> INDEX = shared(Key.several("index", new ValueType<>(IndexLine.FORM, IndexLine::parse),
            List.of("objectClass eq,pres", "uid eq", "cn eq,sub", "sn eq,sub", "givenName eq,sub", "mail eq,sub", "initials eq",
                    "st eq", "employeeType eq", "departmentNumber eq", "member eq,pres", "uniqueMember eq,pres", "owner eq",
                    "manager eq", "secretary eq", "seeAlso eq", "roleOccupant eq", "memberURL pres", "memberUid eq",
                    "uidNumber eq", "gidNumber eq", "sudoHost eq", "entryUUID eq", "createTimestamp eq", "modifyTimestamp eq"),
            INDEXES, """
            Indexes: attribute, kinds (eq, sub, pres), and optionally threshold=N. eq also serves >= and <= where the
            attribute has an ordering. Substring indexes cost the most: about one key for each character.
            inline=ATTRIBUTE,... keeps the values of other attributes beside each value of this one:
            (&(initials=aa)(employeeType=alpha)) is then one key of the index of initials, however many alphas there are.
            Each pair of values is one more key of the entry. none = no index. A configuration with index lines of its own
            has those alone. bin/alder index changes them (docs/indexes.md).""",
            "initials eq inline=employeeType,departmentNumber"));
    public static final Key<List<String>> PRIMARY_KEY = shared(Key.several("primaryKey",
            ATTRIBUTE, List.of("uid", "entryUUID"), SEGMENTS, """
            Attributes of index lines with eq whose values are mostly looked up one by one and have one entry each: a key
            table of 6 bytes or so a value is kept in memory, which tells absent values without reading and finds the others
            with one read. none = for no attribute; DNs have one in any case. The default is for those of the two that are
            indexed."""));
    public static final Key<List<String>> MEMBER_OF = shared(Key.several("memberOf",
            ATTRIBUTE, List.of("member", "uniqueMember"), RUNNING, """
            The attributes whose values name the members of a group: memberOf of an entry is read from their indexes, which
            need eq (and pres for chains of groups to be found fast), whenever it is asked for. none = there is no memberOf.
            The default is for those of the two that are indexed."""));
    public static final Key<List<String>> REFERENCE = shared(Key.several("reference",
            ATTRIBUTE, List.of("member", "uniqueMember", "owner", "manager", "secretary", "seeAlso", "roleOccupant"), RUNNING, """
            Referential integrity (docs/integrity.md): when an entry is deleted, values of these attributes that name it go
            with it, and when it is renamed or moved, they change with it, and so do those that name entries below it; in
            the same transaction. They need an index with eq. none = values stay as they are. The default is for those of
            these that are indexed."""));
    public static final Key<String> REFERENCE_PLACEHOLDER = shared(Key.optional("referencePlaceholder",
            ValueType.text("a DN", ".*"), RUNNING, """
            The DN that takes the place of the last value of an attribute that the entry must have, such as the last member
            of a groupOfNames. Without one it is the empty DN.""",
            "cn=nobody"));
    public static final Key<Boolean> REFERENCES_MUST_EXIST = shared(Key.one("referencesMustExist",
            ValueType.flag(), "false", RUNNING, """
            Whether such values may only name entries that are there (or names outside of the partition's suffix)."""));
    public static final Key<List<RuleLines.Unique>> UNIQUE = shared(Key.several("unique",
            new ValueType<>(RuleLines.Unique.FORM, RuleLines.Unique::parse), List.of(), RUNNING, """
            Values that only one entry may have: attributes, which need an index with eq; perhaps only among the entries
            below a base, or among those that match a filter. Several attributes on one line share their values. A line that is
            added while the server runs is refused if two entries have the same value already.""",
            "uid", "mail,uid base=ou=users,dc=example,dc=com filter=(objectClass=inetOrgPerson)"));
    public static final Key<List<RuleLines.Constraint>> CONSTRAINT = shared(Key.several("constraint",
            new ValueType<>(RuleLines.Constraint.FORM, RuleLines.Constraint::parse), List.of(), RUNNING, """
            Restrictions on values: regex and negregex (found anywhere in the value, unless ^ and $ say otherwise), size
            in bytes, count of values, or one of a set of words.""",
            "mail regex ^[^@]+@example\\.com$", "jpegPhoto size 131072", "mail count 3", "employeeType set alpha beta"));
    public static final Key<List<RuleLines.AutoNumber>> AUTO_NUMBER = shared(Key.several("autoNumber",
            new ValueType<>(RuleLines.AutoNumber.FORM, RuleLines.AutoNumber::parse), List.of(), RUNNING, """
            Numbers that the server assigns: the attribute (INTEGER, index with eq), the range, and the object class
            whose new entries get one; by default, all that must have the attribute. A client asks for a number with the
            magic value (-1 unless the line says otherwise).""",
            "uidNumber 10000-59999 class=posixAccount", "gidNumber 10000-59999 class=posixGroup magic=0"));
    public static final Key<String> FOLLOW_PROVIDER = add(Key.optional("followProvider",
            ValueType.text("an LDAP URL without a DN, such as ldap://ldap.example.com or ldaps://ldap.example.com:1636",
                    "(?i)(ldaps?://[^/?#\\s]+|ldapi://[^/?#\\s]+)/?"), RUNNING, """
            Another server, of which this partition is a copy that is kept up to date (RFC 4533, docs/following.md): OpenLDAP with
            syncprov, 389 Directory Server with content synchronization, or Alder. What is below the suffix there replaces what is
            here, and clients change it there alone. bin/alder follow sets it up.""", "ldap://ldap.example.com"));
    public static final Key<String> FOLLOW_BIND_DN = add(Key.optional("followBindDn",
            ValueType.text("a DN", ".+"), RUNNING, """
            The DN to bind as at that server. It must be allowed to read all entries with all attributes, userPassword
            and operational ones included, without limits of size and time. Default: anonymous; on an ldapi URL the user
            that this server runs as.""",
            "cn=copy,dc=example,dc=com"));
    public static final Key<SecretReference> FOLLOW_PASSWORD_FILE = add(Key.optional("followPasswordFile",
            ValueType.secretFile(), RUNNING, """
            The password of followBindDn: a file that holds it as one line, found from the folder of this configuration, or env:NAME for a variable
            of the environment. It is read whenever the server logs in there.""",
            "provider.password"));
    public static final Key<String> FOLLOW_FILTER = add(Key.one("followFilter",
            ValueType.text("a filter such as (objectClass=person)", "\\(.*\\)"), "(objectClass=*)", RUNNING, """
            Which entries are followed. Missing parents of such entries are made up here (objectClass alderGlue)."""));
    public static final Key<String> FOLLOW_LOG = add(Key.optional("followLog",
            ValueType.text("a DN such as cn=accesslog", ".+=.*"), RUNNING, """
            The base of the log in which that server, OpenLDAP with the overlay accesslog, says what was changed (delta synchronization,
            docs/following.md): changes of entries come without the entries. It is for all entries alone, without followFilter.""",
            "cn=accesslog"));
    public static final Key<FollowTls> FOLLOW_TLS = add(Key.one("followTls",
            ValueType.choice(FollowTls.class), "auto", RUNNING, """
            Whether TLS is started on connections of ldap URLs. auto: on those to other machines, and wherever
            followAuthorityFile is given. none: never, so that entries and passwords cross the network in clear."""));
    public static final Key<String> FOLLOW_AUTHORITY_FILE = add(Key.optional("followAuthorityFile",
            ValueType.path(), RUNNING, """
            The certificates, PEM, that are trusted when that server shows its own. Without it those that Java trusts.""",
            "provider-ca.pem"));
    public static final Key<Integer> FOLLOW_DELETED_PERCENT = add(Key.one("followDeletedPercent",
            ValueType.number(0, 100), "10", RUNNING, """
            The most entries, in percent, that a refresh may delete because that server did not name them; ten entries
            are always allowed. Beyond it nothing is deleted and following stops; bin/alder follow allow-deletions
            allows it once."""));
    public static final Key<Integer> FOLLOW_RETRY_SECONDS = add(Key.one("followRetrySeconds",
            ValueType.number(1, 86_400), "60", RUNNING, """
            The longest time between two attempts to reach that server, in seconds. The first comes after half a second, each further
            one after twice as long."""));
    public static final Key<FollowUpdates> FOLLOW_UPDATES = add(Key.one("followUpdates",
            ValueType.choice(FollowUpdates.class), "refer", RUNNING, """
            The answer to clients that want to change an entry. refer: a referral to followProvider. refuse:
            unwillingToPerform."""));
    public static final Key<Boolean> KEY_TABLES = add(Key.one("keyTables",
            ValueType.flag(), "true", MEASURED, """
            For measurements: false looks single values and DNs up through B+Trees alone."""));
    public static final Key<List<String>> IGNORE_INDEX = add(Key.several("ignoreIndex",
            ATTRIBUTE, List.of(), MEASURED, """
            For measurements: an attribute named here keeps its index up to date, but searches do not use it.""",
            "initials"));

    /** Those that say what holds between the entries of a partition, and of their values. */
    public static final List<Key<?>> RULES = List.of(MAX_ENTRY_BYTES, MAX_ENTRY_ATTRIBUTES, MAX_ATTRIBUTE_VALUES, MAX_ENTRY_DEPTH, MEMBER_OF,
            REFERENCE, REFERENCE_PLACEHOLDER, REFERENCES_MUST_EXIST, UNIQUE, CONSTRAINT, AUTO_NUMBER);

    private PartitionKeys() {
    }

    private static <T> Key<T> add(Key<T> key) {
        TABLE.add(key);
        return key;
    }

    /** One that the members of a cluster have in common. */
    private static <T> Key<T> shared(Key<T> key) {
        return add(key.ofCluster(FeatureLevel.FIRST));
    }

    static List<Key<?>> all() {
        return Collections.unmodifiableList(TABLE);
    }
}
