package org.alder.partition.bookkeeper.log;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;
import org.apache.bookkeeper.client.LedgerMetadataBuilder;
import org.apache.bookkeeper.client.api.LedgerMetadata;
import org.apache.bookkeeper.net.BookieId;

/** Which bookies are to have which entries of a ledger, as BookKeeper knows it. Each entry is to be on all bookies of its ensemble. Stateless. */
public final class LedgerEnsembles {
    private LedgerEnsembles() {
    }

    /** Whether each entry is to be on three bookies. */
    public static boolean isOnThree(LedgerMetadata known) {
        return known.getEnsembleSize() >= LogCluster.COPIES;
    }

    /** Whether a bookie is to have no entries of a part of it. */
    public static boolean lacks(LedgerMetadata known, BookieId bookie) {
        return known.getAllEnsembles().values().stream().anyMatch(each -> !each.contains(bookie));
    }

    /**
     * The first entry that a bookie is to have and has not; -1 where there is none.
     *
     * @param last the last entry of the ledger that counts
     * @param has  whether it has an entry
     */
    public static long missing(LedgerMetadata known, BookieId bookie, long last, LongPredicate has) {
        for (Map.Entry<Long, ? extends List<BookieId>> part : known.getAllEnsembles().entrySet()) {
            Long next = known.getAllEnsembles().higherKey(part.getKey());
            long end = next == null ? last : Math.min(last, next - 1);
            for (long i = part.getKey(); i <= end && part.getValue().contains(bookie); i++) {
                if (!has.test(i)) {
                    return i;
                }
            }
        }
        return -1;
    }

    /**
     * An ended ledger of two copies with a third bookie behind the two, wherever these are: whoever reads it by what it was before finds the two where they were.
     *
     * @param third taken where it is not one of the two
     * @param here  others that may be taken
     * @return null where no third one is here
     */
    static LedgerMetadata onThree(LedgerMetadata known, BookieId third, List<BookieId> here) {
        LedgerMetadataBuilder wider = LedgerMetadataBuilder.create().withId(known.getLedgerId()).withMetadataFormatVersion(known.getMetadataFormatVersion())
                .withEnsembleSize(LogCluster.COPIES).withWriteQuorumSize(LogCluster.COPIES).withAckQuorumSize(known.getAckQuorumSize())
                .withDigestType(known.getDigestType()).withPassword(known.getPassword()).withCustomMetadata(known.getCustomMetadata())
                .withCreationTime(known.getCtime()).storingCreationTime(true).withCToken(known.getCToken())
                .withClosedState().withLastEntryId(known.getLastEntryId()).withLength(known.getLength());
        for (Map.Entry<Long, ? extends List<BookieId>> part : known.getAllEnsembles().entrySet()) {
            List<BookieId> bookies = new ArrayList<>(part.getValue());
            BookieId more = bookies.contains(third) ? here.stream().filter(each -> !bookies.contains(each)).findFirst().orElse(null) : third;
            if (more == null) {
                return null;
            }
            bookies.add(more);
            wider.newEnsembleEntry(part.getKey(), bookies);
        }
        return wider.build();
    }
}
