package org.alder.ldif.bulk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.alder.partition.dn.Dn;
import org.alder.partition.dn.Rdn;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.StoreException;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.BulkLoad;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.KeyedRecord;
import org.alder.partition.tree.Shard;
import org.alder.partition.update.rules.Distribution;

/**
 * Distributes the entries of a load over those of shards ({@link Shard}): all have the suffix entry. IDs are the same numbers as they would have
 * in one store, so that an entry and its parent are told apart from all others in their shard, too. One thread, but for {@link #prepare}.
 */
public final class ShardedLoad implements BulkLoad {
    private static final int PAGE_BYTES = 1 << 20;

    private final Schema schema;
    private final Dn suffix;
    private final List<BulkLoad> loads;
    private final Publishing publishing;
    private final Distribution distribution;
    private final FileChannel file;
    private final List<MappedByteBuffer> shardsById = new ArrayList<>();
    private long suffixId;

    /** What stands around the time in which some shards have their new entries and others have not. */
    public interface Publishing {
        /** Before the first one has them. */
        void begin() throws IOException;

        /** When all have them. */
        void end() throws IOException;
    }

    /** @param loads of the shards in their order; closed with this one */
    public ShardedLoad(Schema schema, Dn suffix, List<BulkLoad> loads, Publishing publishing) throws IOException {
        this.schema = schema;
        this.suffix = suffix;
        this.loads = List.copyOf(loads);
        this.publishing = publishing;
        this.distribution = new Distribution(schema, suffix);
        Path path = loads.get(0).workFolder().resolve("shards");
        this.file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    /** @throws DirectoryException if what the entry says would have to hold in other shards, too. Thread safe */
    void requireLoadable(Dn dn, EntryRecord record) throws DirectoryException {
        distribution.requireLoadable(dn, record);
    }

    @Override
    public KeyedRecord prepare(EntryRecord record) {
        return loads.get(0).prepare(record);
    }

    @Override
    public void add(long id, KeyedRecord entry) {
        EntryRecord record = entry.record();
        if (record.parentId() == HierarchyKeys.NO_PARENT) {
            suffixId = id;
            for (BulkLoad load : loads) {
                load.add(id, entry);
            }
            return;
        }
        int shard = record.parentId() == suffixId ? shard(record) : page(record.parentId()).get((int) (record.parentId() % PAGE_BYTES));
        page(id).put((int) (id % PAGE_BYTES), (byte) shard);
        loads.get(shard).add(id, entry);
    }

    private int shard(EntryRecord record) {
        try {
            return Shard.numberOf(Rdn.parse(schema, record.rdn()).normalized(), loads.size());
        } catch (DirectoryException e) {
            throw new StoreException(StoreException.Kind.REFUSED, "the RDN \"" + record.rdn() + "\" below \"" + suffix.text() + "\": " + e.getMessage());
        }
    }

    /** Which shards the entries with about this ID are in, a byte each. */
    private MappedByteBuffer page(long id) {
        int number = (int) (id / PAGE_BYTES);
        try {
            while (shardsById.size() <= number) {
                shardsById.add(file.map(FileChannel.MapMode.READ_WRITE, (long) shardsById.size() * PAGE_BYTES, PAGE_BYTES));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("there is no room for the numbers of shards", e);
        }
        return shardsById.get(number);
    }

    @Override
    public Path workFolder() {
        return loads.get(0).workFolder();
    }

    @Override
    public void build(BuildProgress progress) {
        for (int i = 0; i < loads.size(); i++) {
            loads.get(i).build(of(i, progress));
        }
    }

    private BuildProgress of(int number, BuildProgress progress) {
        String shard = new Shard(number, loads.size()).text();
        return (phase, done, total) -> progress.update(shard + ": " + phase, done, total);
    }

    /** Each shard by one atomic step, when all are built; that with the suffix entry comes last. */
    @Override
    public void publish(BuildProgress progress) {
        build(progress);
        try {
            publishing.begin();
            for (int i = loads.size() - 1; i >= 0; i--) {
                loads.get(i).publish(of(i, progress));
            }
            publishing.end();
        } catch (IOException e) {
            throw new StoreException(StoreException.Kind.IO, "the load cannot be made the current one: " + e, e);
        }
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            loads.forEach(BulkLoad::close);
        }
    }
}
