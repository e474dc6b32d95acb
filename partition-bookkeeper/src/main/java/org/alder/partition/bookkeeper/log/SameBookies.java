package org.alder.partition.bookkeeper.log;

import io.netty.util.HashedWheelTimer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.bookkeeper.client.BKException;
import org.apache.bookkeeper.client.BookiesHealthInfo;
import org.apache.bookkeeper.client.DistributionSchedule;
import org.apache.bookkeeper.client.EnsemblePlacementPolicy;
import org.apache.bookkeeper.conf.ClientConfiguration;
import org.apache.bookkeeper.feature.FeatureProvider;
import org.apache.bookkeeper.net.BookieId;
import org.apache.bookkeeper.net.DNSToSwitchMapping;
import org.apache.bookkeeper.proto.BookieAddressResolver;
import org.apache.bookkeeper.stats.StatsLogger;

/** Has BookKeeper copy what a bookie lacks to that bookie itself, in place of another one. BookKeeper makes it. Stateless. */
public final class SameBookies implements EnsemblePlacementPolicy {
    @Override
    public EnsemblePlacementPolicy initialize(ClientConfiguration configuration, Optional<DNSToSwitchMapping> names, HashedWheelTimer timer,
            FeatureProvider features, StatsLogger statistics, BookieAddressResolver resolver) {
        return this;
    }

    @Override
    public void uninitalize() {
        // It holds nothing.
    }

    @Override
    public Set<BookieId> onClusterChanged(Set<BookieId> writable, Set<BookieId> readOnly) {
        return Set.of();
    }

    @Override
    public PlacementResult<List<BookieId>> newEnsemble(int bookies, int writeQuorum, int acknowledgements, Map<String, byte[]> metadata,
            Set<BookieId> without) throws BKException.BKNotEnoughBookiesException {
        throw new BKException.BKNotEnoughBookiesException();
    }

    @Override
    public PlacementResult<BookieId> replaceBookie(int bookies, int writeQuorum, int acknowledgements, Map<String, byte[]> metadata,
            List<BookieId> ensemble, BookieId replaced, Set<BookieId> without) {
        return PlacementResult.of(replaced, PlacementPolicyAdherence.MEETS_STRICT);
    }

    @Override
    public void registerSlowBookie(BookieId bookie, long entry) {
        // All of them are asked in their order.
    }

    @Override
    public DistributionSchedule.WriteSet reorderReadSequence(List<BookieId> ensemble, BookiesHealthInfo health, DistributionSchedule.WriteSet order) {
        return order;
    }

    @Override
    public DistributionSchedule.WriteSet reorderReadLACSequence(List<BookieId> ensemble, BookiesHealthInfo health, DistributionSchedule.WriteSet order) {
        order.addMissingIndices(ensemble.size());
        return order;
    }
}
