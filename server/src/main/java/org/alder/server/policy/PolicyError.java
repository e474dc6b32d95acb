package org.alder.server.policy;

/** Why a policy refuses, by the numbers of the response control (draft-behera-ldap-password-policy-10 6.2). */
public enum PolicyError {
    PASSWORD_EXPIRED, ACCOUNT_LOCKED, CHANGE_AFTER_RESET, PASSWORD_MOD_NOT_ALLOWED, MUST_SUPPLY_OLD_PASSWORD,
    INSUFFICIENT_PASSWORD_QUALITY, PASSWORD_TOO_SHORT, PASSWORD_TOO_YOUNG, PASSWORD_IN_HISTORY,
    /** OpenLDAP's. */
    PASSWORD_TOO_LONG
}
