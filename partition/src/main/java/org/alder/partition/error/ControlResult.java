package org.alder.partition.error;

/** Result codes that belong to controls and are registered outside of RFC 4511. */
public enum ControlResult {
    /** RFC 2891 and draft-ietf-ldapext-ldapv3-vlv-09: a list view without an order. */
    SORT_CONTROL_MISSING(60),
    /** draft-ietf-ldapext-ldapv3-vlv-09. */
    OFFSET_RANGE_ERROR(61),
    /** draft-ietf-ldapext-ldapv3-vlv-09: the view's own result code, in its control, says why. */
    VIRTUAL_LIST_VIEW_ERROR(76),
    /** RFC 4528. */
    ASSERTION_FAILED(122),
    /** RFC 4370. */
    AUTHORIZATION_DENIED(123),
    /** RFC 4533: the client has to ask again, without a cookie unless it is given one. */
    SYNC_REFRESH_REQUIRED(4096),
    /** draft-zeilenga-ldap-noop: it would have succeeded. */
    NO_OPERATION(16654);

    private final int code;

    ControlResult(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }
}
