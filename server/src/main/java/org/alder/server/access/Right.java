package org.alder.server.access;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** What a rule grants or denies. Those to attributes are asked for each attribute, the others once for the whole entry. */
public enum Right {
    /** Filters, assertions and sort orders may use the attribute. */
    SEARCH("search", true),
    COMPARE("compare", true),
    /** Values are returned. Whoever may read no attribute of an entry is told that there is none. */
    READ("read", true),
    /** The entry may be added with this attribute. */
    ADD("add", true),
    DELETE("delete", false),
    WRITE("write", true),
    /** One's own DN may be added to the attribute's values, and taken from them. */
    SELF_WRITE("selfWrite", true),
    /** The entry may be given another name, or be moved away. */
    RENAME_OUT("renameOut", false),
    /** An entry may come here by that: asked under its new name. */
    RENAME_IN("renameIn", false),
    /** One may log in as the entry. */
    AUTHENTICATE("authenticate", false),
    /** One may act in the name of the entry. */
    PROXY("proxy", false);

    /** What {@code view} stands for. */
    static final Set<Right> VIEW = Collections.unmodifiableSet(EnumSet.of(SEARCH, COMPARE, READ));
    /** What {@code rename} stands for. */
    static final Set<Right> RENAME = Collections.unmodifiableSet(EnumSet.of(RENAME_OUT, RENAME_IN));
    /** What {@code all} stands for. */
    static final Set<Right> ALL = Collections.unmodifiableSet(EnumSet.complementOf(EnumSet.of(AUTHENTICATE, PROXY)));

    private final String word;
    private final boolean ofAttributes;

    Right(String word, boolean ofAttributes) {
        this.word = word;
        this.ofAttributes = ofAttributes;
    }

    /** As rules spell it. */
    public String word() {
        return word;
    }

    /** Whether it is a right to attributes, and not to whole entries. */
    public boolean isOfAttributes() {
        return ofAttributes;
    }
}
