package org.alder.partition.schema.value;

import java.util.Arrays;
import org.alder.partition.error.DirectoryException;

/**
 * A matching rule (RFC 4512 4.1.3) as a mapping of values to normal forms. Equality of values is byte equality of their normal
 * forms; their order is the unsigned lexicographic order of the bytes. Normal forms are index keys: they are part of the on-disk
 * format.
 *
 * <p>Each rule has its own normal form: a value and an assertion are compared under the same rule object. The substring rules'
 * form differs from the equality rules' (RFC 4518 2.6.1 keeps the spaces that matter to pieces), so a substring test takes
 * {@code normalize(value)} and {@code normalizeSubstring(piece, ...)} of one and the same rule.
 *
 * <p>Implementations are immutable and thread safe. An argument is never changed; the result may be the argument itself, so
 * neither may be changed by the caller.
 */
public interface MatchingRule {
    /** Of the rule of Active Directory that follows names from entry to entry; it has no meaning for single values. */
    String IN_CHAIN = "1.2.840.113556.1.4.1941";

    String oid();

    /** The primary name, such as {@code caseIgnoreMatch}. */
    String name();

    /** The assertion's syntax. */
    String syntaxOid();

    /**
     * The normal form of a stored value.
     *
     * @throws DirectoryException invalidAttributeSyntax if the rule cannot read the value
     */
    byte[] normalize(byte[] value) throws DirectoryException;

    /**
     * The normal form of an asserted value. It differs from {@link #normalize} where the assertion's syntax is not the value's
     * (the first-component rules, RFC 4517 4.2.15 and 4.2.27).
     *
     * @throws DirectoryException invalidAttributeSyntax if the rule cannot read the assertion
     */
    default byte[] normalizeAssertion(byte[] assertion) throws DirectoryException {
        return normalize(assertion);
    }

    /** The equality rule whose normal forms stand in the order of this ordering rule; null if this is no ordering rule. */
    default MatchingRule orderOf() {
        return null;
    }

    /** Whether this is an ordering rule: in an extensible match, it asks for what is before the assertion (RFC 4517 4.2). */
    default boolean isOrdering() {
        return orderOf() != null;
    }

    /** Whether the normal form of ASCII text without spaces at its ends and runs of them is the text in lower case. */
    default boolean foldsPlainText() {
        return false;
    }

    /** Whether this is a substring rule. */
    default boolean supportsSubstring() {
        return false;
    }

    /**
     * The normal form of a piece: a value matches if its {@link #normalize} form starts with the initial piece, ends with the
     * final piece and holds the others between them, in order and without overlap.
     *
     * @throws DirectoryException invalidAttributeSyntax if the rule cannot read the piece
     * @throws UnsupportedOperationException if this is not a substring rule
     */
    default byte[] normalizeSubstring(byte[] piece, SubstringPosition position) throws DirectoryException {
        throw new UnsupportedOperationException(name() + " is not a substring rule");
    }

    /** Whether a value matches an assertion if their normal forms are equal; else {@link #matches} says so, without an index. */
    default boolean comparesForms() {
        return true;
    }

    /**
     * Whether a stored value matches an assertion.
     *
     * @param assertion in normal form
     * @throws DirectoryException invalidAttributeSyntax if the rule cannot read the value
     */
    default boolean matches(byte[] value, byte[] assertion) throws DirectoryException {
        return Arrays.equals(normalize(value), assertion);
    }
}
