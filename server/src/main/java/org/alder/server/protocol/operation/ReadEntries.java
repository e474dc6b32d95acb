package org.alder.server.protocol.operation;

import java.util.ArrayList;
import java.util.List;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.schema.Schema;
import org.alder.server.control.ReadEntry;
import org.alder.server.control.RequestControls;
import org.alder.server.control.ResponseControl;
import org.alder.server.directory.Change;
import org.alder.server.directory.FoundEntry;
import org.alder.server.protocol.encode.AttributeSelection;
import org.alder.server.protocol.encode.EntryEncoder;

/** The entries that an update's response shows as they were and as they became (RFC 4527). */
record ReadEntries(Schema schema, RequestControls accepted) {
    List<ResponseControl> controls(Change change) {
        List<ResponseControl> controls = new ArrayList<>(2);
        add(controls, ReadEntry.BEFORE, change.before());
        add(controls, ReadEntry.AFTER, change.after());
        return controls;
    }

    private void add(List<ResponseControl> controls, ReadEntry control, FoundEntry entry) {
        if (entry != null) {
            AttributeSelection selection = new AttributeSelection(schema, accepted.get(control));
            BerWriter out = new BerWriter(entry.attributes().length() + 64);
            new EntryEncoder(schema, selection, false).write(out, entry);
            controls.add(new ResponseControl(control.oid(), out.toByteArray()));
        }
    }
}
