package org.alder.partition.schema;

import org.alder.partition.error.DirectoryException;

/** A function from values to normal forms. Pure. */
interface NormalForm {
    /** @throws DirectoryException invalidAttributeSyntax for a value that has none */
    byte[] of(byte[] value) throws DirectoryException;
}
