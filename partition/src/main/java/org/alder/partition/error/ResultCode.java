package org.alder.partition.error;

/** How an operation ends: the result codes of RFC 4511 Appendix A that Alder knows, and those of other documents. */
public enum ResultCode {
    SUCCESS(0, "success"),
    OPERATIONS_ERROR(1, "operationsError"),
    PROTOCOL_ERROR(2, "protocolError"),
    TIME_LIMIT_EXCEEDED(3, "timeLimitExceeded"),
    SIZE_LIMIT_EXCEEDED(4, "sizeLimitExceeded"),
    COMPARE_FALSE(5, "compareFalse"),
    COMPARE_TRUE(6, "compareTrue"),
    AUTH_METHOD_NOT_SUPPORTED(7, "authMethodNotSupported"),
    STRONGER_AUTH_REQUIRED(8, "strongerAuthRequired"),
    REFERRAL(10, "referral"),
    ADMIN_LIMIT_EXCEEDED(11, "adminLimitExceeded"),
    UNAVAILABLE_CRITICAL_EXTENSION(12, "unavailableCriticalExtension"),
    CONFIDENTIALITY_REQUIRED(13, "confidentialityRequired"),
    SASL_BIND_IN_PROGRESS(14, "saslBindInProgress"),
    NO_SUCH_ATTRIBUTE(16, "noSuchAttribute"),
    UNDEFINED_ATTRIBUTE_TYPE(17, "undefinedAttributeType"),
    INAPPROPRIATE_MATCHING(18, "inappropriateMatching"),
    CONSTRAINT_VIOLATION(19, "constraintViolation"),
    ATTRIBUTE_OR_VALUE_EXISTS(20, "attributeOrValueExists"),
    INVALID_ATTRIBUTE_SYNTAX(21, "invalidAttributeSyntax"),
    NO_SUCH_OBJECT(32, "noSuchObject"),
    ALIAS_PROBLEM(33, "aliasProblem"),
    INVALID_DN_SYNTAX(34, "invalidDNSyntax"),
    ALIAS_DEREFERENCING_PROBLEM(36, "aliasDereferencingProblem"),
    INAPPROPRIATE_AUTHENTICATION(48, "inappropriateAuthentication"),
    INVALID_CREDENTIALS(49, "invalidCredentials"),
    INSUFFICIENT_ACCESS_RIGHTS(50, "insufficientAccessRights"),
    BUSY(51, "busy"),
    UNAVAILABLE(52, "unavailable"),
    UNWILLING_TO_PERFORM(53, "unwillingToPerform"),
    LOOP_DETECT(54, "loopDetect"),
    /** RFC 2891 and draft-ietf-ldapext-ldapv3-vlv-09: a list view without an order. */
    SORT_CONTROL_MISSING(60, "sortControlMissing"),
    /** draft-ietf-ldapext-ldapv3-vlv-09. */
    OFFSET_RANGE_ERROR(61, "offsetRangeError"),
    NAMING_VIOLATION(64, "namingViolation"),
    OBJECT_CLASS_VIOLATION(65, "objectClassViolation"),
    NOT_ALLOWED_ON_NON_LEAF(66, "notAllowedOnNonLeaf"),
    NOT_ALLOWED_ON_RDN(67, "notAllowedOnRDN"),
    ENTRY_ALREADY_EXISTS(68, "entryAlreadyExists"),
    OBJECT_CLASS_MODS_PROHIBITED(69, "objectClassModsProhibited"),
    AFFECTS_MULTIPLE_DSAS(71, "affectsMultipleDSAs"),
    /** draft-ietf-ldapext-ldapv3-vlv-09: the view's own result code, in its control, says why. */
    VIRTUAL_LIST_VIEW_ERROR(76, "virtualListViewError"),
    OTHER(80, "other"),
    /** RFC 3909, as the three that follow. */
    CANCELED(118, "canceled"),
    NO_SUCH_OPERATION(119, "noSuchOperation"),
    TOO_LATE(120, "tooLate"),
    CANNOT_CANCEL(121, "cannotCancel"),
    /** RFC 4528. */
    ASSERTION_FAILED(122, "assertionFailed"),
    /** RFC 4370. */
    AUTHORIZATION_DENIED(123, "authorizationDenied"),
    /** RFC 4533: the client has to ask again, without a cookie unless it is given one. */
    SYNC_REFRESH_REQUIRED(4096, "e-syncRefreshRequired"),
    /** draft-zeilenga-ldap-noop: it would have succeeded. */
    NO_OPERATION(16654, "noOperation");

    private final int number;
    private final String text;

    ResultCode(int number, String text) {
        this.number = number;
        this.text = text;
    }

    /** Null for one that is not known. */
    public static ResultCode of(int number) {
        for (ResultCode each : values()) {
            if (each.number == number) {
                return each;
            }
        }
        return null;
    }

    /** As it is sent. */
    public int number() {
        return number;
    }

    /** As the documents write it. */
    public String text() {
        return text;
    }
}
