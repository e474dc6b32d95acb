package org.alder.server.protocol.operation;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.schema.Schema;
import org.alder.server.audit.AuditLevel;
import org.alder.server.audit.AuditLine;
import org.alder.server.audit.AuditedRequest;
import org.alder.server.control.ControlRegistry;
import org.alder.server.control.OperationKind;
import org.alder.server.directory.Directory;
import org.alder.server.protocol.Exchange;
import org.alder.server.protocol.LdapMessage;
import org.alder.server.protocol.LdapResult;
import org.alder.server.protocol.Operation;
import org.alder.server.protocol.Responses;

/** Compare (RFC 4511 4.10); on a worker thread, since what an attribute is compared with may have to be searched for. */
final class CompareOperation implements Operation {
    private final Directory directory;
    private final Schema schema;
    private final ControlRegistry controls;

    CompareOperation(Directory directory, Schema schema, ControlRegistry controls) {
        this.directory = directory;
        this.schema = schema;
        this.controls = controls;
    }

    @Override
    public OperationKind kind() {
        return OperationKind.COMPARE;
    }

    @Override
    public int requestTag() {
        return LdapMessage.COMPARE;
    }

    @Override
    public int responseTag() {
        return Responses.COMPARE;
    }

    @Override
    public void handle(Exchange exchange, BerReader request) throws BerException, DirectoryException {
        Parameters parameters = Parameters.decode(request);
        exchange.about(parameters);
        exchange.controls(controls);
        Dn dn = Dn.parse(schema, parameters.dn());
        exchange.leave(() -> {
            CompletableFuture<Boolean> comparison;
            try {
                comparison = directory.compare(exchange.context(), dn, parameters.description(), parameters.value());
            } catch (DirectoryException | RuntimeException e) {
                if (exchange.isAbandoned()) {
                    exchange.endStopped();
                    return;
                }
                throw e;
            }
            exchange.endWith(comparison, equal -> exchange.answer(
                    LdapResult.of(equal ? ResultCode.COMPARE_TRUE : ResultCode.COMPARE_FALSE, "")));
        });
    }

    record Parameters(String dn, String description, byte[] value) implements AuditedRequest {
        @Override
        public AuditLevel level() {
            return AuditLevel.ALL;
        }

        @Override
        public void describe(AuditLine line) {
            line.text("target", dn).list("compared").change(null, description, List.of(value));
            line.endList();
        }

        static Parameters decode(BerReader reader) throws BerException, DirectoryException {
            int outer = reader.enter(LdapMessage.COMPARE);
            String dn = Dn.text(reader.readBytes(BerWriter.OCTET_STRING));
            int assertion = reader.enter(BerWriter.SEQUENCE);
            String description = reader.readString(BerWriter.OCTET_STRING);
            byte[] value = reader.readBytes(BerWriter.OCTET_STRING);
            reader.leaveFully(assertion);
            reader.leaveFully(outer);
            return new Parameters(dn, description, value);
        }
    }
}
