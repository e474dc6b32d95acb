package org.alder.server.control;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.alder.partition.ber.BerWriter;
import org.alder.server.policy.PolicyError;
import org.alder.server.policy.PolicyNotice;

/**
 * The controls by which a client is told what a password policy has to say. That of draft-behera-ldap-password-policy-10 6.2 is sent
 * to who asks for it, those of Netscape's directory server (draft-vchu-ldap-pwd-policy-00) with every bind that they fit.
 */
public final class PolicyControls {
    static final String PASSWORD_POLICY = "1.3.6.1.4.1.42.2.27.8.5.1";
    /** Of a password that has expired or is to be changed. */
    private static final String EXPIRED = "2.16.840.1.113730.3.4.4";
    /** Of one that is about to expire: in how many seconds. */
    private static final String EXPIRING = "2.16.840.1.113730.3.4.5";

    private static final int WARNING = 0xA0;
    private static final int EXPIRES_IN = 0x80;
    private static final int GRACE_LEFT = 0x81;
    private static final int ERROR = 0x81;

    private PolicyControls() {
    }

    /** @param asked whether the request has {@link MarkerControl#PASSWORD_POLICY}  @param bind whether it is a bind */
    public static List<ResponseControl> of(PolicyNotice notice, boolean asked, boolean bind) {
        List<ResponseControl> controls = new ArrayList<>(2);
        if (asked && (bind || notice != PolicyNotice.NONE)) {
            controls.add(new ResponseControl(PASSWORD_POLICY, value(notice)));
        }
        boolean expired = notice.graceLoginsLeft() >= 0 || notice.error() == PolicyError.PASSWORD_EXPIRED
                || notice.error() == PolicyError.CHANGE_AFTER_RESET;
        if (bind && expired) {
            controls.add(new ResponseControl(EXPIRED, ascii("0")));
        } else if (bind && notice.expiresInSeconds() >= 0) {
            controls.add(new ResponseControl(EXPIRING, ascii(Long.toString(notice.expiresInSeconds()))));
        }
        return controls;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] value(PolicyNotice notice) {
        BerWriter writer = new BerWriter(16);
        int sequence = writer.begin(BerWriter.SEQUENCE);
        if (notice.expiresInSeconds() >= 0 || notice.graceLoginsLeft() >= 0) {
            int warning = writer.begin(WARNING);
            if (notice.graceLoginsLeft() >= 0) {
                writer.integer(GRACE_LEFT, notice.graceLoginsLeft());
            } else {
                writer.integer(EXPIRES_IN, Math.min(notice.expiresInSeconds(), Integer.MAX_VALUE));
            }
            writer.end(warning);
        }
        if (notice.error() != null) {
            writer.integer(ERROR, notice.error().ordinal());
        }
        writer.end(sequence);
        return writer.toByteArray();
    }
}
