package org.alder.partition.jdbm.backup;

import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.folder.Manifest;
import org.alder.partition.store.BulkLoad.BuildProgress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies a store that the member which is backed up does not hold into a folder of backups, from another one that does: of those who do from the one of whose segments
 * the most are in the folder. One thread.
 */
final class ElsewhereCopy {
    private static final Logger LOG = LoggerFactory.getLogger(ElsewhereCopy.class);
    /** A long log, which is copied first, may take longer than a holder waits: the next time it is there. */
    private static final int ATTEMPTS = 2;

    private final BackupFolder folder;
    private final BuildProgress progress;

    /** Told what is copied. */
    @FunctionalInterface
    interface Begun {
        /** @throws IOException where that is of no use */
        void with(Manifest manifest) throws IOException;
    }

    ElsewhereCopy(BackupFolder folder, BuildProgress progress) {
        this.folder = folder;
        this.progress = progress;
    }

    /**
     * Copies what the folder lacks.
     *
     * @param begun told before anything is copied, perhaps more than once
     * @throws StoreException of kind IO where nobody gives it, saying why; DISK_FULL
     */
    PinnedStore take(BackupWriter.Source source, Begun begun) throws IOException {
        String failure = "none of those who hold it is here";
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            for (ClusterContents.Holder holder : nearest(source)) {
                try {
                    return take(source, holder, begun);
                } catch (IOException | StoreException e) {
                    if (e instanceof StoreException store && store.kind() == StoreException.Kind.DISK_FULL) {
                        throw e;
                    }
                    failure = holder.name() + ": " + e.getMessage();
                    LOG.warn("{} of {} cannot be copied now: {}", source.partition(), holder.name(), e.toString());
                }
            }
        }
        throw new StoreException(StoreException.Kind.IO, "this member does not hold " + source.partition() + ", and no other one gives a copy of it now: " + failure);
    }

    private PinnedStore take(BackupWriter.Source source, ClusterContents.Holder holder, Begun begun) throws IOException {
        try (ClusterContents.HeldStore held = holder.open()) {
            OfferedStore offered = OfferedStore.by(held.origin(), held.storeId(), held.generation());
            begun.with(offered.manifest());
            copy(source, held.origin(), offered);
            return PinnedStore.copied(offered);
        }
    }

    /** Those of whom the least is to be copied come first, those who give nothing last. */
    private List<ClusterContents.Holder> nearest(BackupWriter.Source source) throws IOException {
        List<ClusterContents.Holder> holders = source.cluster().holders(source.partition());
        Map<String, Long> missing = new HashMap<>();
        for (ClusterContents.Holder each : holders) {
            try (ClusterContents.HeldStore held = each.open()) {
                missing.put(each.name(), missingBytes(OfferedStore.by(held.origin(), held.storeId(), held.generation())));
            } catch (IOException | StoreException e) {
                LOG.debug("{} offers nothing of {}", each.name(), source.partition(), e);
                missing.put(each.name(), Long.MAX_VALUE);
            }
        }
        return holders.stream().sorted(Comparator.comparing(each -> missing.get(each.name()))).toList();
    }

    private long missingBytes(OfferedStore offered) {
        return offered.parts().stream().filter(part -> !folder.hasSegment(part.sha256())).mapToLong(part -> part.descriptor().diskBytes()).sum();
    }

    private void copy(BackupWriter.Source source, StoreCopy.Origin origin, OfferedStore offered) throws IOException {
        SegmentCopy copy = folder.copying("copying " + source.partition() + " from " + origin.name(), missingBytes(offered), progress);
        for (OfferedStore.Part part : offered.parts()) {
            if (!folder.hasSegment(part.sha256())) {
                folder.addSegment(copy, offered.folder(part), part.files(origin), part.descriptor(), part.bytes(), part.sha256());
            }
        }
    }
}
