package org.alder.partition.request;

/**
 * The scope of a search (RFC 4511 4.5.1.2, and subordinateSubtree of draft-sermersheim-ldap-subordinate-scope, {@code
 * ldapsearch -s children}).
 */
public enum SearchScope {
    BASE, ONE_LEVEL, SUBTREE, CHILDREN;

    /** @return null for a number no scope has */
    public static SearchScope ofCode(int code) {
        return code >= 0 && code < values().length ? values()[code] : null;
    }
}
