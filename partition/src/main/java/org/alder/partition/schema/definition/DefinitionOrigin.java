package org.alder.partition.schema.definition;

/**
 * Where a definition was read.
 *
 * @param line its first line, from 1; 0 for what no file holds yet
 */
public record DefinitionOrigin(Layer layer, String file, int line) {
    /** What may be done about a definition. */
    public enum Layer {
        /** Part of the server. */
        BUILT_IN,
        /** From a file of the administrator's. */
        FILE,
        /** Added over LDAP, and changed that way. */
        ONLINE
    }

    @Override
    public String toString() {
        return line == 0 ? file : file + ", line " + line;
    }
}
