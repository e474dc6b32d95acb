package org.alder.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.alder.ldif.LdifFuzz;
import org.alder.partition.dn.NameFuzz;
import org.alder.partition.entry.EntryRecordFuzz;
import org.alder.partition.filter.FilterFuzz;
import org.alder.partition.index.KeyFuzz;
import org.alder.partition.jdbm.backup.BackupFuzz;
import org.alder.partition.jdbm.block.BlockFuzz;
import org.alder.partition.jdbm.entry.EntryFuzz;
import org.alder.partition.jdbm.folder.ManifestFuzz;
import org.alder.partition.jdbm.key.KeyTableFuzz;
import org.alder.partition.jdbm.log.LogFuzz;
import org.alder.partition.jdbm.name.NameColumnFuzz;
import org.alder.partition.jdbm.segment.SegmentFuzz;
import org.alder.partition.jdbm.table.TableFuzz;
import org.alder.partition.prepared.PreparedFuzz;
import org.alder.partition.query.SearchFuzz;
import org.alder.partition.query.plan.UrlFuzz;
import org.alder.partition.schema.SchemaFuzz;
import org.alder.partition.schema.value.TimeFuzz;
import org.alder.partition.schema.value.ValueFuzz;
import org.alder.partition.update.ArrivalFuzz;
import org.alder.server.PageFuzz;
import org.alder.server.ServerFuzz;
import org.alder.server.access.AccessRuleFuzz;
import org.alder.server.auth.scheme.PasswordFuzz;
import org.alder.server.cluster.QuestionFuzz;
import org.alder.server.config.ConfigurationFuzz;
import org.alder.server.console.ConsoleFuzz;
import org.alder.server.directory.naming.ReferralFuzz;
import org.alder.server.login.SaslFuzz;
import org.alder.server.migration.MigrationFuzz;
import org.alder.server.policy.PolicyFuzz;
import org.alder.server.protocol.operation.RequestFuzz;
import org.alder.server.tls.TlsFileFuzz;
import org.alder.server.wire.FramingFuzz;

/** What reads bytes of clients, files and peers, each from an input that may be anything. */
enum Target {
    ACCESS_INSTRUCTION(MigrationFuzz::instruction),
    ACCESS_ITEM(MigrationFuzz::item, 64 << 20),
    ACCESS_RULE(AccessRuleFuzz::rule),
    ARRIVAL(ArrivalFuzz::arrival),
    BACKUP_POINT(BackupFuzz::point),
    BLOCK(BlockFuzz::block),
    BLOCK_RECORD(BlockFuzz::record, 16 << 20),
    CODED_ENTRY(EntryFuzz::coded, 16 << 20),
    CONFIGURATION(ConfigurationFuzz::file, 8 << 20),
    CONSOLE_REQUEST(ConsoleFuzz::request),
    CONTROL(RequestFuzz::control),
    DEFINITION(SchemaFuzz::definition),
    ENTRY_FILE(EntryFuzz::file),
    ENTRY_RECORD(EntryRecordFuzz::record),
    EXTENDED(RequestFuzz::extended),
    FILTER(FilterFuzz::ber),
    FILTER_TEXT(FilterFuzz::text),
    FOREIGN_CONFIGURATION(MigrationFuzz::file, 64 << 20),
    FOREIGN_FOLDER(MigrationFuzz::folder, 8 << 20),
    FOREIGN_SCHEMA(MigrationFuzz::schema, 256 << 20),
    FRAMING(FramingFuzz::messages),
    ID_SET(SegmentFuzz::idSet),
    INDEX_KEY(KeyFuzz::key),
    KEY_TABLE(KeyTableFuzz::file),
    LDIF(LdifFuzz::records),
    LIMIT_RULE(AccessRuleFuzz::limit),
    LOG_FILE(LogFuzz::file, 8 << 20),
    LOG_RECORD(LogFuzz::record),
    MANIFEST(ManifestFuzz::manifest),
    MEMBER_URL(UrlFuzz::member),
    NAME(NameFuzz::name),
    NAME_COLUMN(NameColumnFuzz::file),
    PAGE_COOKIE(PageFuzz::cookie, 64 << 20),
    PASSWORD(PasswordFuzz::stored),
    POLICY(PolicyFuzz::entry),
    PROXY_HEADER(FramingFuzz::proxyHeader),
    REFERRAL(ReferralFuzz::ref),
    REQUEST(RequestFuzz::request),
    SASL(SaslFuzz::messages),
    SASL_LAYER(FramingFuzz::saslLayer),
    SCHEMA_FILE(SchemaFuzz::file),
    SEARCH(SearchFuzz::search, 64 << 20),
    SEGMENT_DESCRIPTOR(SegmentFuzz::descriptor),
    SERVER(ServerFuzz::session, 64 << 20),
    SHARD_QUESTION(QuestionFuzz::question),
    SLAPD_ACCESS(MigrationFuzz::access),
    SUBTREE(SchemaFuzz::subtree),
    SYNC_COOKIE(RequestFuzz::cookie),
    SYSTEM_RECORD(PreparedFuzz::record),
    TABLE_PAGE(TableFuzz::pages, 8 << 20),
    TABLE_RECORD(TableFuzz::records, 8 << 20),
    TIME(TimeFuzz::time),
    TLS_FILE(TlsFileFuzz::file, 8 << 20),
    VALUE(ValueFuzz::value);

    private static final Path SEEDS = Path.of("seeds");
    private static final long LEAST_BYTES = 1 << 20;

    private final Trial.Body body;
    private final long leastBytes;

    Target(Trial.Body body) {
        this(body, LEAST_BYTES);
    }

    Target(Trial.Body body, long leastBytes) {
        this.body = body;
        this.leastBytes = leastBytes;
    }

    /**
     * @return how many percent of what it may allocate it did
     * @throws Exception or an error for what must not happen
     */
    int run(byte[] input) throws Exception {
        return Trial.run(body, input, leastBytes);
    }

    /** In lower case, with hyphens. */
    String folder() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** What real clients, tools and files have sent and held, and what once went wrong. */
    List<Path> seeds() throws IOException {
        try (Stream<Path> files = Files.list(SEEDS.resolve(folder()))) {
            return files.sorted().toList();
        }
    }
}
