package org.alder.ldif;

import java.util.List;

/**
 * One record of an LDIF file (RFC 2849). Records are immutable by agreement: the byte arrays they carry belong to the
 * record, nobody writes to them, so a record may be handed to another thread as it is.
 */
public sealed interface LdifRecord permits LdifEntry, LdifDelete, LdifModify, LdifModifyDn {

    /** The distinguished name as written in the file, neither parsed nor normalised; empty for the root DSE. */
    String dn();

    /** Line of the {@code dn:} in the input, counted from 1; 0 for a record that was not read from a file. */
    long line();

    /** The controls of a change record in file order; empty for a content record. */
    List<LdifControl> controls();
}
