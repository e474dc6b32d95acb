package org.alder.partition.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdSet;
import org.alder.partition.store.BulkLoad;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.KeyedRecord;

/** A load of a {@link MemoryEngine}'s store. Other than engines on disk it takes memory for all entries. */
final class MemoryLoad implements BulkLoad {
    private final EntryIndexer indexer;
    private final MemoryState loaded;
    private final long sequence;
    private final Path workFolder;
    private final Consumer<MemoryState> publisher;
    private final Runnable onClose;
    private boolean ended;
    private boolean closed;

    /** @param before the state that is replaced */
    MemoryLoad(EntryIndexer indexer, MemoryState before, Path workFolder, Consumer<MemoryState> publisher, Runnable onClose) {
        this.indexer = indexer;
        this.loaded = new MemoryState(indexer);
        this.sequence = before.sequence() + 1;
        this.workFolder = workFolder;
        this.publisher = publisher;
        this.onClose = onClose;
        loaded.commit(before.sequence(), Math.max(before.timeMillis(), System.currentTimeMillis()));
    }

    @Override
    public KeyedRecord prepare(EntryRecord record) {
        return KeyedRecord.of(indexer, record);
    }

    @Override
    public void add(long id, KeyedRecord entry) {
        requireGoingOn();
        if (id <= loaded.lastId() || id > IdSet.MAX_ID) {
            throw new IllegalArgumentException("entry ID " + id + " after " + loaded.lastId() + ", expected a greater one up to "
                    + IdSet.MAX_ID);
        }
        loaded.setLastId(id);
        loaded.add(id, entry);
    }

    private void requireGoingOn() {
        if (ended || closed) {
            throw new StoreException(StoreException.Kind.CLOSED, "the bulk load was " + (closed ? "closed" : "published")
                    + " before");
        }
    }

    @Override
    public Path workFolder() {
        return workFolder;
    }

    /** Each entry is, when it is added. */
    @Override
    public void build(BuildProgress progress) {
        requireGoingOn();
    }

    @Override
    public void publish(BuildProgress progress) {
        build(progress);
        ended = true;
        loaded.commit(sequence, loaded.timeMillis());
        publisher.accept(loaded);
        progress.update("publishing", 1, 1);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            onClose.run();
            removeWorkFolder();
        }
    }

    private void removeWorkFolder() {
        try (Stream<Path> files = Files.walk(workFolder)) {
            List<Path> lastFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : lastFirst) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new StoreException(StoreException.Kind.IO, "cannot remove the temporary files of a load: " + e, e);
        }
    }
}
