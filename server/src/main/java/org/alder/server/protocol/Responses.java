package org.alder.server.protocol;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.error.ResultCode;
import org.alder.server.control.ResponseControl;

/** Encodes the responses that are not search entries (RFC 4511 4.1.9, 4.4.1, 4.5.2, 4.12). */
public final class Responses {
    public static final int BIND = 0x61;
    public static final int SEARCH_ENTRY = 0x64;
    static final int SEARCH_REFERENCE = 0x73;
    public static final int SEARCH_DONE = 0x65;
    public static final int MODIFY = 0x67;
    public static final int ADD = 0x69;
    public static final int DELETE = 0x6B;
    public static final int MODIFY_DN = 0x6D;
    public static final int COMPARE = 0x6F;
    public static final int EXTENDED = 0x78;

    private static final int INTERMEDIATE = 0x79;
    private static final int INTERMEDIATE_NAME = 0x80;
    private static final int INTERMEDIATE_VALUE = 0x81;
    private static final int CONTROLS = 0xA0;
    private static final int REFERRAL = 0xA3;
    private static final int SERVER_SASL_CREDENTIALS = 0x87;
    private static final int RESPONSE_NAME = 0x8A;
    private static final int RESPONSE_VALUE = 0x8B;
    private static final String NOTICE_OF_DISCONNECTION = "1.3.6.1.4.1.1466.20036";
    static final String ABORTED_TRANSACTION_NOTICE = "1.3.6.1.1.21.4";
    /** Between members of a cluster alone: the failure that follows comes from a member that does not lead, and nothing was done. */
    static final String NOT_LEADER_NOTICE = "2.25.278641466010882381359084238697260762259.4.2";

    private Responses() {
    }

    public static void writeResult(BerWriter writer, int messageId, int tag, LdapResult result, List<ResponseControl> controls) {
        int message = writer.begin(BerWriter.SEQUENCE);
        writer.integer(BerWriter.INTEGER, messageId);
        int operation = writer.begin(tag);
        writeFields(writer, result);
        writer.end(operation);
        if (!controls.isEmpty()) {
            writeControls(writer, controls);
        }
        writer.end(message);
    }

    /** @param credentials of SASL; null if there are none */
    static byte[] bind(int messageId, LdapResult result, byte[] credentials, List<ResponseControl> controls) {
        BerWriter writer = new BerWriter(96);
        int message = writer.begin(BerWriter.SEQUENCE);
        writer.integer(BerWriter.INTEGER, messageId);
        int operation = writer.begin(BIND);
        writeFields(writer, result);
        if (credentials != null) {
            writer.octets(SERVER_SASL_CREDENTIALS, credentials);
        }
        writer.end(operation);
        if (!controls.isEmpty()) {
            writeControls(writer, controls);
        }
        writer.end(message);
        return writer.toByteArray();
    }

    /** @param name null if there is none  @param value null if there is none */
    static byte[] extended(int messageId, LdapResult result, String name, byte[] value) {
        BerWriter writer = new BerWriter(96);
        int message = writer.begin(BerWriter.SEQUENCE);
        writer.integer(BerWriter.INTEGER, messageId);
        int operation = writer.begin(EXTENDED);
        writeFields(writer, result);
        if (name != null) {
            writer.string(RESPONSE_NAME, name);
        }
        if (value != null) {
            writer.octets(RESPONSE_VALUE, value);
        }
        writer.end(operation);
        writer.end(message);
        return writer.toByteArray();
    }

    /** RFC 4511 4.4.1: the last message before the server closes the connection. */
    static byte[] noticeOfDisconnection(ResultCode code, String reason) {
        return extended(0, LdapResult.of(code, reason), NOTICE_OF_DISCONNECTION, null);
    }

    /** RFC 5805 2.4: the server has given a transaction up. */
    static byte[] abortedTransactionNotice(String id, LdapResult reason) {
        return extended(0, reason, ABORTED_TRANSACTION_NOTICE, id.getBytes(StandardCharsets.US_ASCII));
    }

    static byte[] notLeaderNotice(String why) {
        return extended(0, LdapResult.of(ResultCode.UNAVAILABLE, why), NOT_LEADER_NOTICE, null);
    }

    private static void writeFields(BerWriter writer, LdapResult result) {
        writer.integer(BerWriter.ENUMERATED, result.code().number());
        writer.string(BerWriter.OCTET_STRING, result.matchedDn());
        writer.string(BerWriter.OCTET_STRING, result.message());
        if (!result.referrals().isEmpty()) {
            int referral = writer.begin(REFERRAL);
            result.referrals().forEach(url -> writer.string(BerWriter.OCTET_STRING, url));
            writer.end(referral);
        }
    }

    /** RFC 4511 4.13. */
    public static void writeIntermediate(BerWriter writer, int messageId, String name, byte[] value) {
        int message = writer.begin(BerWriter.SEQUENCE);
        writer.integer(BerWriter.INTEGER, messageId);
        int operation = writer.begin(INTERMEDIATE);
        writer.string(INTERMEDIATE_NAME, name);
        writer.octets(INTERMEDIATE_VALUE, value);
        writer.end(operation);
        writer.end(message);
    }

    /** A search continuation (RFC 4511 4.5.2). */
    public static void writeReference(BerWriter writer, int messageId, List<String> urls) {
        int message = writer.begin(BerWriter.SEQUENCE);
        writer.integer(BerWriter.INTEGER, messageId);
        int operation = writer.begin(SEARCH_REFERENCE);
        urls.forEach(url -> writer.string(BerWriter.OCTET_STRING, url));
        writer.end(operation);
        writer.end(message);
    }

    /** Writes the controls of a message. */
    public static void writeControls(BerWriter writer, List<ResponseControl> controls) {
        writeControls(writer, CONTROLS, controls);
    }

    public static void writeControls(BerWriter writer, int tag, List<ResponseControl> controls) {
        int all = writer.begin(tag);
        for (ResponseControl control : controls) {
            int one = writer.begin(BerWriter.SEQUENCE);
            writer.string(BerWriter.OCTET_STRING, control.oid());
            if (control.value() != null) {
                writer.octets(BerWriter.OCTET_STRING, control.value());
            }
            writer.end(one);
        }
        writer.end(all);
    }
}
