package org.alder.server.protocol.operation;

import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.dn.Dn;
import org.alder.partition.dn.Rdn;
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

/** Modify DN (RFC 4511 4.9). */
final class ModifyDnOperation implements Operation {
    private final Directory directory;
    private final Schema schema;
    private final ControlRegistry controls;

    ModifyDnOperation(Directory directory, Schema schema, ControlRegistry controls) {
        this.directory = directory;
        this.schema = schema;
        this.controls = controls;
    }

    @Override
    public OperationKind kind() {
        return OperationKind.MODIFY_DN;
    }

    @Override
    public int requestTag() {
        return LdapMessage.MODIFY_DN;
    }

    @Override
    public int responseTag() {
        return Responses.MODIFY_DN;
    }

    @Override
    public void handle(Exchange exchange, BerReader request) throws BerException, DirectoryException {
        Parameters parameters = Parameters.decode(request);
        RequestControls accepted = exchange.controls(controls);
        Dn dn = Dn.parse(schema, parameters.dn());
        Rdn newRdn = Rdn.parse(schema, parameters.newRdn());
        Dn newSuperior = parameters.newSuperior() == null ? null : Dn.parse(schema, parameters.newSuperior());
        ReadEntries entries = new ReadEntries(schema, accepted);
        exchange.update(context -> directory.rename(context, dn, newRdn, parameters.deleteOldRdn(), newSuperior)
                .thenApply(entries::controls));
    }

    /** @param newSuperior null if absent */
    record Parameters(String dn, String newRdn, boolean deleteOldRdn, String newSuperior) {
        private static final int NEW_SUPERIOR = 0x80;

        static Parameters decode(BerReader reader) throws BerException, DirectoryException {
            int outer = reader.enter(LdapMessage.MODIFY_DN);
            String dn = Dn.text(reader.readBytes(BerWriter.OCTET_STRING));
            String newRdn = Dn.text(reader.readBytes(BerWriter.OCTET_STRING));
            boolean deleteOldRdn = reader.readBoolean(BerWriter.BOOLEAN);
            String newSuperior = reader.peekTag() == NEW_SUPERIOR ? Dn.text(reader.readBytes(NEW_SUPERIOR)) : null;
            reader.leaveFully(outer);
            return new Parameters(dn, newRdn, deleteOldRdn, newSuperior);
        }
    }
}
