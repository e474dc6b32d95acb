package org.alder.partition.schema.value;

import org.alder.partition.error.DirectoryException;

/**
 * A substring rule made of a function for values and one for pieces. Its assertion syntax is Substring Assertion (RFC 4517
 * 3.3.30).
 */
record SubstringRule(String oid, String name, NormalForm value, PieceForm piece) implements MatchingRule {
    /** To the normal form of a piece; refuses with invalidAttributeSyntax. */
    interface PieceForm {
        byte[] of(byte[] piece, SubstringPosition position) throws DirectoryException;
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
