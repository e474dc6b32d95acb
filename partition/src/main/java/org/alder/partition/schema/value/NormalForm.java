package org.alder.partition.schema.value;

import org.alder.partition.error.DirectoryException;

/** A function from values to normal forms. Pure. */
public interface NormalForm {
    /** @throws DirectoryException invalidAttributeSyntax for a value that has none */
    byte[] of(byte[] value) throws DirectoryException;
}
