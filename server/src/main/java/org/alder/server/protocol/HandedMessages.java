package org.alder.server.protocol;

import java.util.List;
import java.util.Set;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.error.ResultCode;
import org.alder.server.control.RequestControl;
import org.alder.server.control.TransactionSpecification;

/** The messages that members of a cluster hand on to each other, and the responses. Stateless. */
public final class HandedMessages {
    private static final String START_TRANSACTION = "1.3.6.1.1.21.1";
    private static final String END_TRANSACTION = "1.3.6.1.1.21.3";
    private static final String PASSWORD_MODIFY = "1.3.6.1.4.1.4203.1.11.1";
    private static final Set<Integer> UPDATES = Set.of(LdapMessage.ADD, LdapMessage.DELETE, LdapMessage.MODIFY, LdapMessage.MODIFY_DN);
    private static final int CONTROLS = 0xA0;
    private static final int NAME = 0x80;
    private static final int VALUE = 0x81;
    private static final int REFERRAL = 0xA3;
    private static final int RESPONSE_NAME = 0x8A;
    private static final int RESPONSE_VALUE = 0x8B;
    /** Of a request that no client has sent: none of theirs that is under way has it. */
    private static final int OWN_ID = Integer.MAX_VALUE;

    private HandedMessages() {
    }

    /**
     * A response.
     *
     * @param id  0 for one that nobody has asked for
     * @param oid of an extended response; null where it has none
     * @param value of that; null where it has none
     */
    public record Response(int id, LdapResult result, String oid, byte[] value) {
        public boolean isSuccess() {
            return result.code() == ResultCode.SUCCESS;
        }

        /** Whether it says that the failure behind it comes of this server's leading no more. */
        public boolean isNotLeader() {
            return Responses.NOT_LEADER_NOTICE.equals(oid);
        }

        /** Whether it says that a transaction was given up. */
        public boolean isAborted() {
            return Responses.ABORTED_TRANSACTION_NOTICE.equals(oid);
        }
    }

    public static Response response(byte[] bytes) throws BerException {
        BerReader in = new BerReader(bytes);
        in.enter(BerWriter.SEQUENCE);
        int id = in.readInt(BerWriter.INTEGER);
        int outer = in.enter(in.peekTag());
        int number = in.readInt(BerWriter.ENUMERATED);
        String matched = in.readString(BerWriter.OCTET_STRING);
        String message = in.readString(BerWriter.OCTET_STRING);
        if (in.peekTag() == REFERRAL) {
            in.skip();
        }
        String oid = in.peekTag() == RESPONSE_NAME ? in.readString(RESPONSE_NAME) : null;
        byte[] value = in.peekTag() == RESPONSE_VALUE ? in.readBytes(RESPONSE_VALUE) : null;
        in.leave(outer);
        return new Response(id, new LdapResult(code(number), matched, message, List.of()), oid, value);
    }

    private static ResultCode code(int number) {
        ResultCode known = ResultCode.of(number);
        return known == null ? ResultCode.OTHER : known;
    }

    /**
     * Looks whether it is what is handed on.
     *
     * @param isEnd whether it is to be the end of a transaction instead of an update
     * @return whether it is a modifyDN, which may change what another member leads than the one that is asked
     * @throws BerException where it is no update
     */
    public static boolean requireUpdate(byte[] bytes, boolean isEnd) throws BerException {
        LdapMessage message = LdapMessage.decode(bytes, 0, bytes.length);
        boolean isUpdate = UPDATES.contains(message.tag());
        if (message.tag() == LdapMessage.EXTENDED) {
            String oid = extended(message).oid;
            isUpdate = oid.equals(isEnd ? END_TRANSACTION : PASSWORD_MODIFY);
        } else if (isEnd) {
            isUpdate = false;
        }
        if (!isUpdate || message.id() == 0) {
            throw new BerException("a request that is not handed on, of tag " + message.tag());
        }
        return message.tag() == LdapMessage.MODIFY_DN;
    }

    /** @param value null for none */
    private record Extended(String oid, byte[] value) {
    }

    private static Extended extended(LdapMessage message) throws BerException {
        BerReader in = message.operation().copy();
        int outer = in.enter(LdapMessage.EXTENDED);
        String oid = in.readString(NAME);
        byte[] value = in.peekTag() == VALUE ? in.readBytes(VALUE) : null;
        in.leave(outer);
        return new Extended(oid, value);
    }

    /** What its sender is answered with where it was not made. */
    public static byte[] refusal(byte[] request, LdapResult result) throws BerException {
        LdapMessage message = LdapMessage.decode(request, 0, request.length);
        BerWriter out = new BerWriter(64);
        int tag = message.tag() == LdapMessage.DELETE ? Responses.DELETE : message.tag() + 1;
        Responses.writeResult(out, message.id(), tag, result, List.of());
        return out.toByteArray();
    }

    public static byte[] startOfTransaction() {
        BerWriter out = new BerWriter(64);
        int outer = out.begin(BerWriter.SEQUENCE);
        out.integer(BerWriter.INTEGER, OWN_ID);
        writeExtended(out, START_TRANSACTION, null);
        out.end(outer);
        return out.toByteArray();
    }

    /** The identifier of the transaction that has begun. @param response to {@link #startOfTransaction} */
    public static byte[] transactionOf(byte[] response) throws BerException {
        byte[] value = response(response).value;
        if (value == null) {
            throw new BerException("a transaction that has no identifier");
        }
        return value;
    }

    private static void writeExtended(BerWriter out, String oid, byte[] value) {
        int operation = out.begin(LdapMessage.EXTENDED);
        out.string(NAME, oid);
        if (value != null) {
            out.octets(VALUE, value);
        }
        out.end(operation);
    }

    /** The same update as a part of another transaction. */
    public static byte[] inTransaction(byte[] update, byte[] transaction) throws BerException {
        LdapMessage message = LdapMessage.decode(update, 0, update.length);
        BerReader operation = message.operation();
        BerWriter out = new BerWriter(update.length + 64);
        int outer = out.begin(BerWriter.SEQUENCE);
        out.integer(BerWriter.INTEGER, message.id());
        out.raw(update, operation.position(), operation.limit() - operation.position());
        writeControls(out, message.controls(), transaction);
        out.end(outer);
        return out.toByteArray();
    }

    private static void writeControls(BerWriter out, List<RequestControl> controls, byte[] transaction) {
        int all = out.begin(CONTROLS);
        for (RequestControl each : controls) {
            boolean names = each.oid().equals(TransactionSpecification.CONTROL.oid());
            byte[] value = names ? transaction : each.value();
            int one = out.begin(BerWriter.SEQUENCE);
            out.string(BerWriter.OCTET_STRING, each.oid());
            if (each.critical()) {
                out.bool(BerWriter.BOOLEAN, true);
            }
            if (value != null) {
                out.octets(BerWriter.OCTET_STRING, value);
            }
            out.end(one);
        }
        out.end(all);
    }

    /** The end of a transaction that is a part of one of several shards. */
    public static byte[] endOfPart(PreparedPart part) {
        BerWriter out = new BerWriter(256);
        int outer = out.begin(BerWriter.SEQUENCE);
        out.integer(BerWriter.INTEGER, OWN_ID);
        writeExtended(out, PreparedPart.OID, part.encode());
        out.end(outer);
        return out.toByteArray();
    }

    /** The same end, of another transaction. */
    public static byte[] endOfTransaction(byte[] end, byte[] transaction) throws BerException {
        LdapMessage message = LdapMessage.decode(end, 0, end.length);
        BerWriter value = new BerWriter(32);
        int sequence = value.begin(BerWriter.SEQUENCE);
        value.octets(BerWriter.OCTET_STRING, transaction);
        value.end(sequence);
        BerWriter out = new BerWriter(64);
        int outer = out.begin(BerWriter.SEQUENCE);
        out.integer(BerWriter.INTEGER, message.id());
        writeExtended(out, END_TRANSACTION, value.toByteArray());
        if (!message.controls().isEmpty()) {
            writeControls(out, message.controls(), transaction);
        }
        out.end(outer);
        return out.toByteArray();
    }
}
