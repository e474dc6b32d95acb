package org.alder.server.config;

import java.nio.file.Path;

/**
 * Where a secret is; the secret itself does not stand in a configuration, which is copied, mailed and kept in version control.
 * Immutable.
 *
 * @param name the path of a file, which is found from the folder of the configuration, or the name of a variable; empty for none
 */
public record SecretReference(Kind kind, String name) {
    static final String FORM = "file:PATH or env:NAME";
    static final String FORM_OR_NONE = FORM + ", or none";
    static final String FORM_OR_PATH = "the path of a file, or env:NAME";
    private static final String FILE = "file:";
    private static final String ENVIRONMENT = "env:";

    /** What it refers to. */
    public enum Kind { FILE, ENVIRONMENT, NONE }

    /** The same where a path alone is a file. @throws IllegalArgumentException if it is the name of no variable */
    static SecretReference parseOrPath(String text) {
        ValueType.require(!text.isEmpty());
        return text.startsWith(FILE) || text.startsWith(ENVIRONMENT) ? parse(text) : file(text);
    }

    private static SecretReference file(String name) {
        // Of what no file is called this throws.
        return new SecretReference(Kind.FILE, Path.of(name).toString());
    }

    /** @throws IllegalArgumentException if it is not of the form, as a secret itself mostly is not */
    static SecretReference parse(String text) {
        if (text.equals(Key.NONE)) {
            return new SecretReference(Kind.NONE, "");
        }
        boolean file = text.startsWith(FILE);
        ValueType.require(file && text.length() > FILE.length() || text.matches(ENVIRONMENT + "[A-Za-z_][A-Za-z0-9_]*"));
        String name = text.substring(text.indexOf(':') + 1);
        return file ? file(name) : new SecretReference(Kind.ENVIRONMENT, name);
    }

    /** As it would be written, so that it means the same from any folder. */
    String located(Path folder) {
        return switch (kind) {
            case FILE -> FILE + folder.resolve(name).normalize();
            case ENVIRONMENT -> ENVIRONMENT + name;
            case NONE -> Key.NONE;
        };
    }
}
