package org.alder.server.protocol.operation;

import java.util.ArrayList;
import java.util.List;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.schema.Schema;
import org.alder.server.control.ControlRegistry;
import org.alder.server.control.OperationKind;
import org.alder.server.control.ReadPoint;
import org.alder.server.control.RequestControls;
import org.alder.server.control.ResponseControl;
import org.alder.server.directory.Change;
import org.alder.server.directory.Directory;
import org.alder.server.protocol.Exchange;
import org.alder.server.protocol.HandedUpdates;
import org.alder.server.protocol.Operation;
import org.alder.server.protocol.QueuedUpdate;

/** Add, delete, modify and modify DN, which differ in what their requests say ({@link UpdateRequest}). */
final class UpdateOperation implements Operation {
    private final UpdateRequest.Kind kind;
    private final Directory directory;
    private final Schema schema;
    private final ControlRegistry controls;
    private final HandedUpdates handed;

    UpdateOperation(UpdateRequest.Kind kind, Directory directory, Schema schema, ControlRegistry controls, HandedUpdates handed) {
        this.handed = handed;
        this.kind = kind;
        this.directory = directory;
        this.schema = schema;
        this.controls = controls;
    }

    @Override
    public OperationKind kind() {
        return kind.operation;
    }

    @Override
    public int requestTag() {
        return kind.requestTag;
    }

    @Override
    public int responseTag() {
        return kind.responseTag;
    }

    @Override
    public void handle(Exchange exchange, BerReader request) throws BerException, DirectoryException {
        UpdateRequest asked = kind.decoder.decode(request);
        exchange.about(asked);
        RequestControls accepted = exchange.controls(controls);
        UpdateRequest.Bound update = asked.bind(schema);
        QueuedUpdate.Update made = context -> update.make(directory, context).thenApply(change ->
                change == Change.UNSEEN && !accepted.has(ReadPoint.CONTROL) ? QueuedUpdate.Made.PLAIN : made(change, accepted));
        if (exchange.isInTransaction()) {
            exchange.queue(Dn.parse(schema, asked.dn()), handed.mayBePart(), made);
            return;
        }
        exchange.hold();
        if (handed.mayBe(exchange)) {
            handed.make(exchange, Dn.parse(schema, asked.dn()), exchange.request(), otherwise -> exchange.update(made, otherwise));
        } else {
            exchange.update(made, failure -> false);
        }
    }

    /** When the change is shown here. */
    private QueuedUpdate.Made made(Change change, RequestControls accepted) {
        List<ResponseControl> controls = new ArrayList<>(new ReadEntries(schema, accepted).controls(change));
        if (accepted.has(ReadPoint.CONTROL)) {
            controls.add(handed.written().response());
        }
        return new QueuedUpdate.Made(change.note(), controls);
    }
}
