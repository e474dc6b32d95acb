package org.alder.server.control;

import java.util.List;

/** All controls that have a handler. */
public final class Controls {
    public static final List<ControlHandler<?>> ALL = List.of(
            Assertion.CONTROL,
            ManageDsaIt.CONTROL,
            MarkerControl.NO_OPERATION,
            MarkerControl.PERMISSIVE_MODIFY,
            MarkerControl.RELAX_RULES,
            MarkerControl.TREE_DELETE,
            PagedResults.CONTROL,
            ReadEntry.AFTER,
            ReadEntry.BEFORE);

    private Controls() {
    }
}
