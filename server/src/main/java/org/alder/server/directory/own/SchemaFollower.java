package org.alder.server.directory.own;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.StoreException;
import org.alder.partition.schema.Schema;
import org.alder.partition.schema.SchemaEdit;
import org.alder.partition.schema.SchemaRevision;
import org.alder.partition.schema.definition.Definition;
import org.alder.partition.schema.definition.OnlineSchemaFile;
import org.alder.partition.store.SharedSchema;
import org.alder.partition.store.SharedSchema.Version;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has a member go by the schema of its cluster: at the start by the newest version, and then, on a thread of its own, by each that others
 * make. Where it cannot, it applies nothing any more, and says why. Thread safe; closed before the partitions.
 */
public final class SchemaFollower implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SchemaFollower.class);
    private static final long LOOK_MILLIS = 200;
    /** All entries may be looked at each time. */
    private static final long RETRY_MILLIS = 5000;
    private static final long CLOSE_MILLIS = 10_000;

    private final Schema schema;
    private final OnlineSchema file;
    private final ClusterSchema cluster;
    private final SharedSchema shared;
    private final SchemaUse use;
    /** Is there where the file's definitions are the cluster's. */
    private final Path mark;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;
    private volatile String told;

    private SchemaFollower(Schema schema, OnlineSchema file, Path mark) {
        this.schema = schema;
        this.file = file;
        this.mark = mark;
        this.cluster = file.cluster();
        this.shared = cluster.shared();
        this.use = new SchemaUse(schema, cluster::open);
        this.thread = new Thread(this::run, "alder-cluster-schema");
        thread.setDaemon(true);
        cluster.holds().goBy(new SchemaHolds.Following() {
            @Override
            public void requirePossible(byte[] definitions) throws DirectoryException {
                SchemaFollower.this.requirePossible(definitions);
            }

            @Override
            public void look() {
                SchemaFollower.this.look();
            }
        });
    }

    /** What its entries are not asked about: whoever makes the version looks at them. */
    private void requirePossible(byte[] definitions) throws DirectoryException {
        SchemaEdit edit = schema.edit();
        try {
            edit.replaceOnline(OnlineSchemaFile.decode(definitions, "what another member asks for"));
            use.requireNoIndex(edit.revise());
        } catch (DirectoryException | StoreException e) {
            throw new DirectoryException(ResultCode.UNWILLING_TO_PERFORM, cluster.holds().member() + " could not go by this schema: " + e.getMessage());
        }
    }

    /**
     * Takes what the cluster has, before any partition is open, and goes on from there.
     *
     * @param schema with what the file has
     * @param mark   a file that says whether the definitions of the other one are the cluster's
     * @throws IOException    where the cluster does not answer
     * @throws StoreException of kind REFUSED where the cluster's schema cannot be that of this member
     */
    public static SchemaFollower start(Schema schema, OnlineSchema file, Path mark) throws IOException {
        SchemaFollower follower = taken(schema, file, mark);
        follower.thread.start();
        return follower;
    }

    /** The same without going on from there. */
    public static void take(Schema schema, OnlineSchema file, Path mark) throws IOException {
        taken(schema, file, mark);
    }

    private static SchemaFollower taken(Schema schema, OnlineSchema file, Path mark) throws IOException {
        SchemaFollower follower = new SchemaFollower(schema, file, mark);
        try {
            follower.begin();
        } catch (DirectoryException e) {
            throw new StoreException(StoreException.Kind.REFUSED, "the schema of the cluster cannot be that of this member: " + e.getMessage(), e);
        }
        return follower;
    }

    private void begin() throws IOException, DirectoryException {
        Version newest = shared.newest();
        List<Definition> own = schema.onlineDefinitions();
        if (newest == null && !own.isEmpty()) {
            Version first = new Version(1, Map.of(), OnlineSchemaFile.encode(own));
            if (shared.publish(first)) {
                LOG.info("the definitions of {} are the cluster's from now on", file.file());
            }
            newest = shared.newest();
        }
        if (newest == null) {
            return;
        }
        if (Files.notExists(mark)) {
            requireKnown(own, newest);
        }
        adopt(newest);
    }

    /** Definitions that only this member has may be those of entries that it brings. */
    private void requireKnown(List<Definition> own, Version newest) {
        List<Definition> known = definitions(newest);
        List<String> missing = own.stream().filter(each -> known.stream().noneMatch(other -> other.kind() == each.kind() && other.means(each)))
                .map(Definition::primaryName).toList();
        if (!missing.isEmpty()) {
            throw new StoreException(StoreException.Kind.REFUSED, file.file() + " has definitions that the schema of the cluster does not have, or has"
                    + " otherwise: " + String.join(", ", missing) + ". Add them to the cluster over LDAP, on its leader, or move the file away, and start again");
        }
    }

    private static List<Definition> definitions(Version version) {
        return OnlineSchemaFile.decode(version.definitions(), "version " + version.number() + " of the cluster's schema");
    }

    private void run() {
        try {
            while (!closing.await(told == null ? LOOK_MILLIS : RETRY_MILLIS, TimeUnit.MILLISECONDS)) {
                look();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** By one thread at a time: another one may wait for what it does. */
    private synchronized void look() {
        try {
            Version next = shared.next(shared.adopted());
            if (next != null && cluster.isReached(next)) {
                adopt(next);
                told = null;
            }
        } catch (IOException e) {
            LOG.debug("The schema of the cluster is looked at again later: {}", e.getMessage());
        } catch (DirectoryException | RuntimeException e) {
            hindered(e);
        }
    }

    private void hindered(Exception e) {
        String why = "this member cannot go by version " + (shared.adopted() + 1) + " of the cluster's schema, and applies nothing: " + e.getMessage();
        if (closing.getCount() > 0 && !why.equals(told)) {
            LOG.error(why, e);
            told = why;
        }
        shared.hindered(why);
    }

    private void adopt(Version version) throws DirectoryException {
        synchronized (file) {
            if (shared.adopted() >= version.number()) {
                return;
            }
            SchemaEdit edit = schema.edit();
            edit.replaceOnline(definitions(version));
            SchemaRevision revision = edit.revise();
            use.requireNoIndex(revision);
            if (use.concernsEntries(revision)) {
                use.flush();
                use.requireNoUse(revision);
            }
            file.write(revision.onlineFile(), revision.onlineFileBefore());
            note(version);
            // In this order: what needs the version is applied from then on. Nobody writes here meanwhile who could do so by a version that is not told yet.
            revision.adopt();
            shared.adopted(version.number());
            use.keepFingerprints();
        }
        LOG.info("the schema is version {} of the cluster's", version.number());
    }

    private void note(Version version) {
        try {
            file.replacement().replace(mark, ("alder-cluster-schema 1\nversion " + version.number() + '\n').getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new StoreException(StoreException.Kind.IO, "cannot write " + mark + ": " + e, e);
        }
    }

    /** Waits a while for a change that is under way. */
    @Override
    public void close() {
        closing.countDown();
        cluster.close();
        try {
            thread.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
