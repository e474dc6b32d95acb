package org.alder.server.protocol;

import java.util.ArrayList;
import java.util.List;
import org.alder.server.control.Assertion;
import org.alder.server.control.MarkerControl;
import org.alder.server.control.ReadEntry;
import org.alder.server.control.RequestControls;
import org.alder.server.directory.OperationOptions;

/** What the controls of a request ask of the directory. */
final class RequestOptions {
    private RequestOptions() {
    }

    static OperationOptions of(RequestControls controls) {
        OperationOptions options = new OperationOptions(controls.get(Assertion.CONTROL), controls.has(ReadEntry.BEFORE),
                controls.has(ReadEntry.AFTER), shown(controls), controls.has(MarkerControl.PERMISSIVE_MODIFY),
                controls.has(MarkerControl.TREE_DELETE), controls.has(MarkerControl.RELAX_RULES),
                controls.has(MarkerControl.NO_OPERATION), controls.has(MarkerControl.DONT_USE_COPY));
        return options.equals(OperationOptions.NONE) ? OperationOptions.NONE : options;
    }

    private static List<String> shown(RequestControls controls) {
        List<String> attributes = new ArrayList<>();
        for (ReadEntry control : List.of(ReadEntry.BEFORE, ReadEntry.AFTER)) {
            if (controls.has(control)) {
                attributes.addAll(controls.get(control).isEmpty() ? List.of("*") : controls.get(control));
            }
        }
        return List.copyOf(attributes);
    }
}
