package org.alder.partition.schema;

import org.alder.partition.error.DirectoryException;

/**
 * A substring rule made of a function for values and one for pieces. Its assertion syntax is Substring Assertion (RFC 4517
 * 3.3.30).
 */
final class SubstringRule implements MatchingRule {
    /** To the normal form of a piece; refuses with invalidAttributeSyntax. */
    interface PieceForm {
        byte[] of(byte[] piece, SubstringPosition position) throws DirectoryException;
    }

    private final String oid;
    private final String name;
    private final ValueRule.Form value;
    private final PieceForm piece;

    SubstringRule(String oid, String name, ValueRule.Form value, PieceForm piece) {
        this.oid = oid;
        this.name = name;
        this.value = value;
        this.piece = piece;
    }

    @Override
    public String oid() {
        return oid;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String syntaxOid() {
        return Syntax.SUBSTRING_ASSERTION;
    }

    @Override
    public byte[] normalize(byte[] stored) throws DirectoryException {
        return value.of(stored);
    }

    @Override
    public boolean supportsSubstring() {
        return true;
    }

    @Override
    public byte[] normalizeSubstring(byte[] text, SubstringPosition position) throws DirectoryException {
        return piece.of(text, position);
    }
}
