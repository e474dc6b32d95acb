package org.alder.server.protocol.operation;

import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.schema.Schema;
import org.alder.server.control.ControlRegistry;
import org.alder.server.control.OperationKind;
import org.alder.server.control.RequestControls;
import org.alder.server.directory.Directory;
import org.alder.server.protocol.Exchange;
import org.alder.server.protocol.LdapMessage;
import org.alder.server.protocol.Operation;
import org.alder.server.protocol.Responses;

/** Delete (RFC 4511 4.8). */
final class DeleteOperation implements Operation {
    private final Directory directory;
    private final Schema schema;
    private final ControlRegistry controls;

    DeleteOperation(Directory directory, Schema schema, ControlRegistry controls) {
        this.directory = directory;
        this.schema = schema;
        this.controls = controls;
    }

    @Override
    public OperationKind kind() {
        return OperationKind.DELETE;
    }

    @Override
    public int requestTag() {
        return LdapMessage.DELETE;
    }

    @Override
    public int responseTag() {
        return Responses.DELETE;
    }

    @Override
    public void handle(Exchange exchange, BerReader request) throws BerException, DirectoryException {
        String dn = Dn.text(request.readBytes(LdapMessage.DELETE));
        RequestControls accepted = exchange.controls(controls);
        Dn target = Dn.parse(schema, dn);
        ReadEntries entries = new ReadEntries(schema, accepted);
        exchange.update(context -> directory.delete(context, target).thenApply(entries::controls));
    }
}
