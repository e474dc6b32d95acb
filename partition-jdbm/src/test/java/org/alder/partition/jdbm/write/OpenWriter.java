package org.alder.partition.jdbm.write;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.alder.partition.jdbm.background.Flusher;
import org.alder.partition.jdbm.background.WorkPace;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.jdbm.folder.DiskSpace;
import org.alder.partition.jdbm.folder.LocalLog;
import org.alder.partition.jdbm.folder.Manifest;
import org.alder.partition.jdbm.folder.ManifestFile;
import org.alder.partition.jdbm.folder.StoreFolder;
import org.alder.partition.jdbm.log.GroupLog;
import org.alder.partition.jdbm.memory.MemoryLayer;
import org.alder.partition.jdbm.segment.IndexTables;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.jdbm.state.BoundedDnMemo;
import org.alder.partition.jdbm.state.CommitFollowers;
import org.alder.partition.jdbm.state.EntryIds;
import org.alder.partition.jdbm.state.LayerSet;
import org.alder.partition.jdbm.state.LiveState;
import org.alder.partition.jdbm.state.OpenSnapshots;
import org.alder.partition.jdbm.state.StoreState;
import org.alder.partition.jdbm.store.TestIndexer;
import org.alder.partition.jdbm.task.Threads;
import org.alder.partition.store.SystemRecords;

/** A writer over a store of its own that has nothing else: no segments, and a flusher that has nothing to do. */
final class OpenWriter implements AutoCloseable {
    static final TestIndexer INDEXER = new TestIndexer("color");

    private final LiveState live;
    private final GroupWriter writer;

    /** @param around may put itself before the log */
    OpenWriter(Path folder, StoreSettings settings, UnaryOperator<GroupLog> around) throws IOException {
        StoreFolder store = new StoreFolder(SystemDisk.INSTANCE, folder);
        Manifest manifest = store.readOrCreate(INDEXER);
        DiskSpace space = new DiskSpace(SystemDisk.INSTANCE, folder, settings::disk);
        GroupLog log = around.apply(new LocalLog(store, manifest.storeId(), space));
        live = new LiveState(new StoreState(0, 0, 0, new LayerSet(List.of(),
                List.of(new MemoryLayer(INDEXER.indexes().size(), 0)), IndexTables.of(INDEXER)), new BoundedDnMemo(0), SystemRecords.NONE));
        writer = new GroupWriter("test", store, log, settings::writing, live, new EntryIds(10), space,
                new CommitFollowers(new OpenSnapshots(live, () -> 0, () -> 1)), Threads.INSTANCE);
        writer.start(new Flusher("test", live, null, WorkPace.unlimited(), () -> 0, () -> { }, writer::refuseWrites, 1, Threads.INSTANCE), null);
    }

    GroupWriter writer() {
        return writer;
    }

    /** The last transaction that is shown. */
    long sequence() {
        return live.current().sequence();
    }

    /** The last transaction in the log of a store. */
    static long lastLogged(Path folder) throws IOException {
        Manifest manifest = ManifestFile.read(folder);
        return new StoreFolder(SystemDisk.INSTANCE, folder).log(manifest.storeId()).replay(1, false, group -> { });
    }

    @Override
    public void close() throws InterruptedException {
        writer.close();
        live.close();
    }
}
