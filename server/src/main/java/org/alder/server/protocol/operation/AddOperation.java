package org.alder.server.protocol.operation;

import java.util.ArrayList;
import java.util.List;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.schema.Schema;
import org.alder.server.control.ControlRegistry;
import org.alder.server.control.OperationKind;
import org.alder.server.control.RequestControls;
import org.alder.server.directory.Directory;
import org.alder.server.protocol.Exchange;
import org.alder.server.protocol.LdapMessage;
import org.alder.server.protocol.Operation;
import org.alder.server.protocol.Responses;

/** Add (RFC 4511 4.7). */
final class AddOperation implements Operation {
    private final Directory directory;
    private final Schema schema;
    private final ControlRegistry controls;

    AddOperation(Directory directory, Schema schema, ControlRegistry controls) {
        this.directory = directory;
        this.schema = schema;
        this.controls = controls;
    }

    @Override
    public OperationKind kind() {
        return OperationKind.ADD;
    }

    @Override
    public int requestTag() {
        return LdapMessage.ADD;
    }

    @Override
    public int responseTag() {
        return Responses.ADD;
    }

    @Override
    public void handle(Exchange exchange, BerReader request) throws BerException, DirectoryException {
        Parameters parameters = Parameters.decode(request);
        RequestControls accepted = exchange.controls(controls);
        Dn dn = Dn.parse(schema, parameters.dn());
        ReadEntries entries = new ReadEntries(schema, accepted);
        exchange.update(context -> directory.add(context, dn, parameters.attributes()).thenApply(entries::controls));
    }

    record Parameters(String dn, List<Attribute> attributes) {
        static Parameters decode(BerReader reader) throws BerException, DirectoryException {
            int outer = reader.enter(LdapMessage.ADD);
            String dn = Dn.text(reader.readBytes(BerWriter.OCTET_STRING));
            List<Attribute> attributes = new ArrayList<>();
            int list = reader.enter(BerWriter.SEQUENCE);
            while (reader.hasMore()) {
                attributes.add(attribute(reader));
            }
            reader.leave(list);
            reader.leaveFully(outer);
            return new Parameters(dn, attributes);
        }

        private static Attribute attribute(BerReader reader) throws BerException, DirectoryException {
            int outer = reader.enter(BerWriter.SEQUENCE);
            String description = reader.readString(BerWriter.OCTET_STRING);
            List<byte[]> values = Values.decode(reader);
            reader.leave(outer);
            if (values.isEmpty()) {
                throw new DirectoryException(ResultCode.PROTOCOL_ERROR, "attribute " + description + " has no values");
            }
            return new Attribute(description, values);
        }
    }
}
