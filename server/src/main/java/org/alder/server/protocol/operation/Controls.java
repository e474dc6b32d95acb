package org.alder.server.protocol.operation;

import java.util.List;
import org.alder.server.control.AgeBound;
import org.alder.server.control.Assertion;
import org.alder.server.control.ControlHandler;
import org.alder.server.control.ManageDsaIt;
import org.alder.server.control.MarkerControl;
import org.alder.server.control.ProxiedAuthorization;
import org.alder.server.control.ReadEntry;
import org.alder.server.control.ReadPoint;
import org.alder.server.control.SessionTracking;
import org.alder.server.control.TransactionSpecification;
import org.alder.server.control.search.AccountUsability;
import org.alder.server.control.search.ContentSync;
import org.alder.server.control.search.Dereference;
import org.alder.server.control.search.Explain;
import org.alder.server.control.search.GetEffectiveRights;
import org.alder.server.control.search.MatchedValues;
import org.alder.server.control.search.PagedResults;
import org.alder.server.control.search.PersistentSearch;
import org.alder.server.control.search.ServerSideSort;
import org.alder.server.control.search.Subentries;
import org.alder.server.control.search.VirtualListView;

/** All controls that have a handler. */
public final class Controls {
    public static final List<ControlHandler<?>> ALL = List.of(
            AccountUsability.CONTROL,
            AgeBound.CONTROL,
            Assertion.CONTROL,
            ContentSync.CONTROL,
            Dereference.CONTROL,
            Explain.CONTROL,
            GetEffectiveRights.CONTROL,
            ManageDsaIt.CONTROL,
            MarkerControl.AUTHORIZATION_IDENTITY,
            MarkerControl.DOMAIN_SCOPE,
            MarkerControl.DONT_USE_COPY,
            MarkerControl.LAZY_COMMIT,
            MarkerControl.NO_OPERATION,
            MarkerControl.PASSWORD_POLICY,
            MarkerControl.PERMISSIVE_MODIFY,
            MarkerControl.REAL_ATTRIBUTES_ONLY,
            MarkerControl.REJECT_UNINDEXED,
            MarkerControl.RELAX_RULES,
            MarkerControl.TREE_DELETE,
            MarkerControl.VIRTUAL_ATTRIBUTES_ONLY,
            MatchedValues.CONTROL,
            PagedResults.CONTROL,
            PersistentSearch.CONTROL,
            ProxiedAuthorization.VERSION_1,
            ProxiedAuthorization.VERSION_2,
            ReadEntry.AFTER,
            ReadEntry.BEFORE,
            ReadPoint.CONTROL,
            ServerSideSort.CONTROL,
            SessionTracking.CONTROL,
            Subentries.CONTROL,
            TransactionSpecification.CONTROL,
            VirtualListView.CONTROL);

    private Controls() {
    }
}
