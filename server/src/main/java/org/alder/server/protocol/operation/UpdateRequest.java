package org.alder.server.protocol.operation;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.dn.Dn;
import org.alder.partition.dn.Rdn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.request.Modification;
import org.alder.partition.schema.Schema;
import org.alder.server.audit.AuditLevel;
import org.alder.server.audit.AuditLine;
import org.alder.server.audit.AuditedRequest;
import org.alder.server.control.OperationKind;
import org.alder.server.directory.Change;
import org.alder.server.directory.Directory;
import org.alder.server.directory.OperationContext;
import org.alder.server.protocol.LdapMessage;
import org.alder.server.protocol.Responses;

/** What a request to change an entry says (RFC 4511 4.6 to 4.9): decoded, but no name in it is parsed yet. */
interface UpdateRequest extends AuditedRequest {
    /** Of the entry, as it was sent. */
    String dn();

    /** Parses the names. @throws DirectoryException invalidDNSyntax or undefinedAttributeType */
    Bound bind(Schema schema) throws DirectoryException;

    @Override
    default AuditLevel level() {
        return AuditLevel.WRITES;
    }

    /** The change that is asked for, to be made in a directory. */
    @FunctionalInterface
    interface Bound {
        CompletableFuture<Change> make(Directory directory, OperationContext context);
    }

    /** Reads a request that is positioned at its operation's tag. */
    @FunctionalInterface
    interface Decoder {
        UpdateRequest decode(BerReader reader) throws BerException, DirectoryException;
    }

    /** The kinds of requests there are. */
    enum Kind {
        ADD(OperationKind.ADD, LdapMessage.ADD, Responses.ADD, Add::decode),
        MODIFY(OperationKind.MODIFY, LdapMessage.MODIFY, Responses.MODIFY, Modify::decode),
        DELETE(OperationKind.DELETE, LdapMessage.DELETE, Responses.DELETE, Delete::decode),
        MODIFY_DN(OperationKind.MODIFY_DN, LdapMessage.MODIFY_DN, Responses.MODIFY_DN, ModifyDn::decode);

        final OperationKind operation;
        final int requestTag;
        final int responseTag;
        final Decoder decoder;

        Kind(OperationKind operation, int requestTag, int responseTag, Decoder decoder) {
            this.operation = operation;
            this.requestTag = requestTag;
            this.responseTag = responseTag;
            this.decoder = decoder;
        }
    }

    /** RFC 4511 4.7. */
    record Add(String dn, List<Attribute> attributes) implements UpdateRequest {
        static Add decode(BerReader reader) throws BerException, DirectoryException {
            int outer = reader.enter(LdapMessage.ADD);
            String dn = Dn.text(reader.readBytes(BerWriter.OCTET_STRING));
            List<Attribute> attributes = new ArrayList<>();
            int list = reader.enter(BerWriter.SEQUENCE);
            while (reader.hasMore()) {
                Attribute attribute = attribute(reader);
                if (attribute.values().isEmpty()) {
                    throw new DirectoryException(ResultCode.PROTOCOL_ERROR, "attribute " + attribute.description() + " has no values");
                }
                attributes.add(attribute);
            }
            reader.leave(list);
            reader.leaveFully(outer);
            return new Add(dn, attributes);
        }

        @Override
        public void describe(AuditLine line) {
            line.text("target", dn).list("attributes");
            attributes.forEach(each -> line.change(null, each.description(), each.values()));
            line.endList();
        }

        @Override
        public Bound bind(Schema schema) throws DirectoryException {
            Dn target = Dn.parse(schema, dn);
            return (directory, context) -> directory.add(context, target, attributes);
        }
    }

    /** RFC 4511 4.6, increment RFC 4525. */
    record Modify(String dn, List<Modification> modifications) implements UpdateRequest {
        static Modify decode(BerReader reader) throws BerException, DirectoryException {
            int outer = reader.enter(LdapMessage.MODIFY);
            String dn = Dn.text(reader.readBytes(BerWriter.OCTET_STRING));
            List<Modification> modifications = new ArrayList<>();
            int list = reader.enter(BerWriter.SEQUENCE);
            while (reader.hasMore()) {
                int modification = reader.enter(BerWriter.SEQUENCE);
                Modification.Kind kind = kind(reader.readInt(BerWriter.ENUMERATED));
                Attribute change = attribute(reader);
                reader.leave(modification);
                modifications.add(new Modification(kind, change.description(), change.values()));
            }
            reader.leave(list);
            reader.leaveFully(outer);
            return new Modify(dn, modifications);
        }

        private static Modification.Kind kind(int code) throws DirectoryException {
            Modification.Kind kind = Modification.Kind.ofCode(code);
            if (kind == null) {
                throw new DirectoryException(ResultCode.PROTOCOL_ERROR, "modification type " + code + ", expected 0 to 3");
            }
            return kind;
        }

        @Override
        public void describe(AuditLine line) {
            line.text("target", dn).list("attributes");
            modifications.forEach(each -> line.change(each.kind().name().toLowerCase(Locale.ROOT), each.description(), each.values()));
            line.endList();
        }

        @Override
        public Bound bind(Schema schema) throws DirectoryException {
            Dn target = Dn.parse(schema, dn);
            return (directory, context) -> directory.modify(context, target, modifications);
        }
    }

    /** RFC 4511 4.8. */
    record Delete(String dn) implements UpdateRequest {
        static Delete decode(BerReader reader) throws BerException, DirectoryException {
            return new Delete(Dn.text(reader.readBytes(LdapMessage.DELETE)));
        }

        @Override
        public void describe(AuditLine line) {
            line.text("target", dn);
        }

        @Override
        public Bound bind(Schema schema) throws DirectoryException {
            Dn target = Dn.parse(schema, dn);
            return (directory, context) -> directory.delete(context, target);
        }
    }

    /** RFC 4511 4.9. @param newSuperior null if absent */
    record ModifyDn(String dn, String newRdn, boolean deleteOldRdn, String newSuperior) implements UpdateRequest {
        private static final int NEW_SUPERIOR = 0x80;

        static ModifyDn decode(BerReader reader) throws BerException, DirectoryException {
            int outer = reader.enter(LdapMessage.MODIFY_DN);
            String dn = Dn.text(reader.readBytes(BerWriter.OCTET_STRING));
            String newRdn = Dn.text(reader.readBytes(BerWriter.OCTET_STRING));
            boolean deleteOldRdn = reader.readBoolean(BerWriter.BOOLEAN);
            String newSuperior = reader.peekTag() == NEW_SUPERIOR ? Dn.text(reader.readBytes(NEW_SUPERIOR)) : null;
            reader.leaveFully(outer);
            return new ModifyDn(dn, newRdn, deleteOldRdn, newSuperior);
        }

        @Override
        public void describe(AuditLine line) {
            line.text("target", dn).text("newRdn", newRdn).flag("deleteOldRdn", deleteOldRdn).text("newSuperior", newSuperior);
        }

        @Override
        public Bound bind(Schema schema) throws DirectoryException {
            Dn target = Dn.parse(schema, dn);
            Rdn rdn = Rdn.parse(schema, newRdn);
            Dn superior = newSuperior == null ? null : Dn.parse(schema, newSuperior);
            return (directory, context) -> directory.rename(context, target, rdn, deleteOldRdn, superior);
        }
    }

    /** PartialAttribute (RFC 4511 4.1.7): it may have no values. */
    private static Attribute attribute(BerReader reader) throws BerException {
        int outer = reader.enter(BerWriter.SEQUENCE);
        String description = reader.readString(BerWriter.OCTET_STRING);
        List<byte[]> values = new ArrayList<>(2);
        int set = reader.enter(BerWriter.SET);
        while (reader.hasMore()) {
            values.add(reader.readBytes(BerWriter.OCTET_STRING));
        }
        reader.leave(set);
        reader.leave(outer);
        return new Attribute(description, values);
    }
}
