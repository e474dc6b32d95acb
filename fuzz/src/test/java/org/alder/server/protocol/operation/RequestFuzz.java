package org.alder.server.protocol.operation;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.unboundid.asn1.ASN1Exception;
import com.unboundid.asn1.ASN1Sequence;
import com.unboundid.ldap.protocol.AddRequestProtocolOp;
import com.unboundid.ldap.protocol.CompareRequestProtocolOp;
import com.unboundid.ldap.protocol.DeleteRequestProtocolOp;
import com.unboundid.ldap.protocol.ExtendedRequestProtocolOp;
import com.unboundid.ldap.protocol.LDAPMessage;
import com.unboundid.ldap.protocol.ModifyDNRequestProtocolOp;
import com.unboundid.ldap.protocol.ModifyRequestProtocolOp;
import com.unboundid.ldap.protocol.ProtocolOp;
import com.unboundid.ldap.protocol.SearchRequestProtocolOp;
import com.unboundid.ldap.sdk.LDAPException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.alder.fuzz.Named;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.filter.FilterFuzz;
import org.alder.server.audit.AuditedRequest;
import org.alder.server.audit.AuditedText;
import org.alder.server.control.ControlRegistry;
import org.alder.server.control.OperationKind;
import org.alder.server.control.RequestControl;
import org.alder.server.control.RequestLimits;
import org.alder.server.control.search.PagedResults;
import org.alder.server.control.search.PageCookie;
import org.alder.server.control.search.SortedPageCookie;
import org.alder.server.control.search.SyncCookie;
import org.alder.server.directory.ContentState;
import org.alder.server.extended.PasswordModify;
import org.alder.server.protocol.LdapMessage;
import org.alder.server.protocol.search.SearchParameters;

/** Requests with their controls and values, up to where the directory is asked. */
public final class RequestFuzz {
    private static final ControlRegistry REGISTRY = new ControlRegistry(Controls.ALL, () -> RequestLimits.STANDARD);
    private static final PasswordModify PASSWORD_MODIFY = new PasswordModify(null, null, null, null);
    private static final byte[] SEARCH = {'s'};
    /** With what a request may be refused before anybody looks at the directory. */
    private static final Set<ResultCode> REFUSALS = Set.of(ResultCode.PROTOCOL_ERROR, ResultCode.INVALID_DN_SYNTAX,
            ResultCode.ADMIN_LIMIT_EXCEEDED, ResultCode.UNAVAILABLE_CRITICAL_EXTENSION, ResultCode.UNWILLING_TO_PERFORM,
            ResultCode.CONSTRAINT_VIOLATION, ResultCode.AUTH_METHOD_NOT_SUPPORTED);

    private RequestFuzz() {
    }

    public static void request(byte[] input) {
        try {
            LdapMessage message = LdapMessage.decode(input, 0, input.length);
            assertTrue(message.decodedBytes() > 0);
            Object operation = operation(message);
            if (operation instanceof AuditedRequest audited) {
                AuditedText.require(audited::describe);
            }
            for (OperationKind kind : OperationKind.values()) {
                accept(message.controls(), kind);
            }
            compare(input, operation);
        } catch (BerException e) {
            assertTrue("no message", !e.getMessage().isEmpty());
        } catch (DirectoryException e) {
            assertTrue(e.resultCode() + " " + e.getMessage(), REFUSALS.contains(e.resultCode()));
        }
    }

    private static void accept(List<RequestControl> controls, OperationKind kind) {
        try {
            REGISTRY.accept(controls, kind);
        } catch (DirectoryException e) {
            assertTrue(e.resultCode() + " " + e.getMessage(), REFUSALS.contains(e.resultCode()));
        }
    }

    private static Object operation(LdapMessage message) throws BerException, DirectoryException {
        BerReader reader = message.operation();
        return switch (message.tag()) {
            case LdapMessage.BIND -> BindOperation.Parameters.decode(reader);
            case LdapMessage.SEARCH -> SearchParameters.decode(reader, RequestLimits.STANDARD);
            case LdapMessage.ADD -> UpdateRequest.Add.decode(reader);
            case LdapMessage.MODIFY -> UpdateRequest.Modify.decode(reader);
            case LdapMessage.DELETE -> UpdateRequest.Delete.decode(reader);
            case LdapMessage.MODIFY_DN -> UpdateRequest.ModifyDn.decode(reader);
            case LdapMessage.COMPARE -> CompareOperation.Parameters.decode(reader);
            case LdapMessage.EXTENDED -> ExtendedOperations.Parameters.decode(reader);
            case LdapMessage.ABANDON -> reader.readInt(LdapMessage.ABANDON);
            default -> null;
        };
    }

    /** What both libraries take for a request is the same one to both. */
    private static void compare(byte[] input, Object ours) {
        ProtocolOp other;
        try {
            other = LDAPMessage.decode(ASN1Sequence.decodeAsSequence(input)).getProtocolOp();
        } catch (ASN1Exception | LDAPException | RuntimeException e) {
            // It reads strictly what we skip, such as elements that RFC 4511 4 wants to be ignored.
            return;
        }
        if (ours instanceof SearchParameters search && other instanceof SearchRequestProtocolOp op) {
            assertEquals(op.getBaseDN(), search.base());
            assertEquals(op.getSizeLimit(), search.sizeLimit());
            assertEquals(op.getAttributes(), search.attributes());
            if (FilterFuzz.isText(search.filter())) {
                assertArrayEquals(op.getFilter().encode().encode(), FilterFuzz.encoded(search.filter()));
            }
        } else if (ours instanceof UpdateRequest.Add add && other instanceof AddRequestProtocolOp op) {
            assertEquals(op.getDN(), add.dn());
            assertEquals(op.getAttributes().size(), add.attributes().size());
            for (int i = 0; i < add.attributes().size(); i++) {
                assertEquals(op.getAttributes().get(i).getName(), add.attributes().get(i).description());
                requireValues(op.getAttributes().get(i).getValueByteArrays(), add.attributes().get(i).values());
            }
        } else if (ours instanceof UpdateRequest.Modify modify && other instanceof ModifyRequestProtocolOp op) {
            assertEquals(op.getDN(), modify.dn());
            for (int i = 0; i < modify.modifications().size(); i++) {
                assertEquals(op.getModifications().get(i).getModificationType().intValue(), modify.modifications().get(i).kind().ordinal());
                requireValues(op.getModifications().get(i).getValueByteArrays(), modify.modifications().get(i).values());
            }
        } else if (ours instanceof UpdateRequest.ModifyDn rename && other instanceof ModifyDNRequestProtocolOp op) {
            assertEquals(new UpdateRequest.ModifyDn(op.getDN(), op.getNewRDN(), op.deleteOldRDN(), op.getNewSuperiorDN()), rename);
        } else if (ours instanceof UpdateRequest.Delete delete && other instanceof DeleteRequestProtocolOp op) {
            assertEquals(op.getDN(), delete.dn());
        } else if (ours instanceof CompareOperation.Parameters compare && other instanceof CompareRequestProtocolOp op) {
            assertEquals(op.getDN() + op.getAttributeName(), compare.dn() + compare.description());
            assertArrayEquals(op.getAssertionValue().getValue(), compare.value());
        } else if (ours instanceof ExtendedOperations.Parameters extended && other instanceof ExtendedRequestProtocolOp op) {
            assertEquals(op.getOID(), extended.oid());
        }
    }

    private static void requireValues(byte[][] expected, List<byte[]> found) {
        assertArrayEquals(expected, found.toArray(new byte[0][]));
    }

    /** A line with the OID of a control, then its value; without the end of the line it has none. */
    public static void control(byte[] input) {
        Named control = Named.of(input);
        try {
            for (OperationKind kind : OperationKind.values()) {
                accept(List.of(new RequestControl(control.name(), true, control.rest())), kind);
            }
            PagedResults.Request paged = PagedResults.CONTROL.decode(control.rest(), RequestLimits.STANDARD);
            PageCookie.decode(paged.cookie(), SEARCH);
            SortedPageCookie.decode(paged.cookie(), SEARCH);
        } catch (DirectoryException e) {
            assertTrue(e.resultCode() + " " + e.getMessage(), REFUSALS.contains(e.resultCode()));
        }
    }

    /** The value of an extended request, taken for that of any. */
    public static void extended(byte[] input) {
        AuditedText.require(line -> PASSWORD_MODIFY.describe(input, line));
        try {
            TransactionEnd.Parameters.decode(input);
        } catch (DirectoryException e) {
            assertEquals(e.getMessage(), ResultCode.PROTOCOL_ERROR, e.resultCode());
        }
    }

    /** What a client gives back of what it got. */
    public static void cookie(byte[] input) {
        SyncCookie cookie = SyncCookie.parse(input);
        if (cookie.state() != null) {
            assertEquals(cookie.state(), SyncCookie.parse(cookie.bytes()).state());
            assertTrue(cookie.state() + " commits", cookie.state().commits().size() <= ContentState.MOST);
        }
    }
}
