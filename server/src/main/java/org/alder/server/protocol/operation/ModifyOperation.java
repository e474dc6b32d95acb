package org.alder.server.protocol.operation;

import java.util.ArrayList;
import java.util.List;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.schema.Schema;
import org.alder.partition.update.Modification;
import org.alder.server.control.ControlRegistry;
import org.alder.server.control.OperationKind;
import org.alder.server.control.RequestControls;
import org.alder.server.directory.Directory;
import org.alder.server.protocol.Exchange;
import org.alder.server.protocol.LdapMessage;
import org.alder.server.protocol.Operation;
import org.alder.server.protocol.Responses;

/** Modify (RFC 4511 4.6, increment RFC 4525). */
final class ModifyOperation implements Operation {
    private final Directory directory;
    private final Schema schema;
    private final ControlRegistry controls;

    ModifyOperation(Directory directory, Schema schema, ControlRegistry controls) {
        this.directory = directory;
        this.schema = schema;
        this.controls = controls;
    }

    @Override
    public OperationKind kind() {
        return OperationKind.MODIFY;
    }

    @Override
    public int requestTag() {
        return LdapMessage.MODIFY;
    }

    @Override
    public int responseTag() {
        return Responses.MODIFY;
    }

    @Override
    public void handle(Exchange exchange, BerReader request) throws BerException, DirectoryException {
        Parameters parameters = Parameters.decode(request);
        RequestControls accepted = exchange.controls(controls);
        Dn dn = Dn.parse(schema, parameters.dn());
        ReadEntries entries = new ReadEntries(schema, accepted);
        exchange.update(context -> directory.modify(context, dn, parameters.modifications()).thenApply(entries::controls));
    }

    record Parameters(String dn, List<Modification> modifications) {
        static Parameters decode(BerReader reader) throws BerException, DirectoryException {
            int outer = reader.enter(LdapMessage.MODIFY);
            String dn = Dn.text(reader.readBytes(BerWriter.OCTET_STRING));
            List<Modification> modifications = new ArrayList<>();
            int list = reader.enter(BerWriter.SEQUENCE);
            while (reader.hasMore()) {
                modifications.add(modification(reader));
            }
            reader.leave(list);
            reader.leaveFully(outer);
            return new Parameters(dn, modifications);
        }

        private static Modification modification(BerReader reader) throws BerException, DirectoryException {
            int outer = reader.enter(BerWriter.SEQUENCE);
            Modification.Kind kind = kind(reader.readInt(BerWriter.ENUMERATED));
            int change = reader.enter(BerWriter.SEQUENCE);
            String description = reader.readString(BerWriter.OCTET_STRING);
            List<byte[]> values = Values.decode(reader);
            reader.leave(change);
            reader.leave(outer);
            return new Modification(kind, description, values);
        }

        private static Modification.Kind kind(int code) throws DirectoryException {
            Modification.Kind kind = Modification.Kind.ofCode(code);
            if (kind == null) {
                throw new DirectoryException(ResultCode.PROTOCOL_ERROR, "modification type " + code + ", expected 0 to 3");
            }
            return kind;
        }
    }
}
