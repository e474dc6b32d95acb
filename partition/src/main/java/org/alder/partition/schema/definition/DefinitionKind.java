package org.alder.partition.schema.definition;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The kinds of definitions a schema is made of (RFC 4512 4.1): the attribute of the subschema subentry that holds them, the
 * directive that starts them in an OpenLDAP schema file, and their keywords in the order of the grammar.
 */
public enum DefinitionKind {
    /** RFC 4512 4.1.5; with a name in some files of OpenLDAP's. */
    SYNTAX("ldapSyntaxes", "ldapsyntax", "", "NAME DESC"),
    /** RFC 4512 4.1.2. */
    ATTRIBUTE_TYPE("attributeTypes", "attributetype", "SUP EQUALITY ORDERING SUBSTR SYNTAX USAGE",
            "NAME DESC OBSOLETE SUP EQUALITY ORDERING SUBSTR SYNTAX SINGLE-VALUE COLLECTIVE NO-USER-MODIFICATION USAGE"),
    /** RFC 4512 4.1.1. */
    OBJECT_CLASS("objectClasses", "objectclass", "", "NAME DESC OBSOLETE SUP ABSTRACT STRUCTURAL AUXILIARY MUST MAY"),
    /** RFC 4512 4.1.6. */
    CONTENT_RULE("dITContentRules", "ditcontentrule", "", "NAME DESC OBSOLETE AUX MUST MAY NOT"),
    /** RFC 4512 4.1.7.2. */
    NAME_FORM("nameForms", "nameform", "OC", "NAME DESC OBSOLETE OC MUST MAY"),
    /** RFC 4512 4.1.7.1: the one kind that a number identifies, not an OID. */
    STRUCTURE_RULE("dITStructureRules", "ditstructurerule", "FORM", "NAME DESC OBSOLETE FORM SUP"),
    /** RFC 4512 4.1.3. */
    MATCHING_RULE("matchingRules", null, "SYNTAX", "NAME DESC OBSOLETE SYNTAX"),
    /** RFC 4512 4.1.4. */
    MATCHING_RULE_USE("matchingRuleUse", null, "", "NAME DESC OBSOLETE APPLIES");

    /** Of which an object class has one, or none (RFC 4512 4.1.1, kind). */
    static final List<String> CLASS_KINDS = List.of("ABSTRACT", "STRUCTURAL", "AUXILIARY");
    private static final List<String> FLAGS = List.of("OBSOLETE", "SINGLE-VALUE", "COLLECTIVE", "NO-USER-MODIFICATION");

    private static final Set<String> REFERENCES = Set.of("SUP", "EQUALITY", "ORDERING", "SUBSTR", "MUST", "MAY", "AUX", "NOT", "OC",
            "FORM", "APPLIES");

    private final String attribute;
    /** Null for what the server makes. */
    private final String directive;
    private final List<String> singles;
    private final List<String> keywords;

    DefinitionKind(String attribute, String directive, String singles, String keywords) {
        this.attribute = attribute;
        this.directive = directive;
        this.singles = List.of(singles.split(" "));
        this.keywords = List.of(keywords.split(" "));
    }

    /** The operational attribute of the subschema subentry whose values are these definitions (RFC 4512 4.2). */
    public String attribute() {
        return attribute;
    }

    /** Whether definitions of this kind are read and changed; those of the others the server makes of what it implements. */
    public boolean isEditable() {
        return directive != null;
    }

    public List<String> keywords() {
        return keywords;
    }

    static boolean isFlag(String keyword) {
        return FLAGS.contains(keyword) || CLASS_KINDS.contains(keyword);
    }

    /** Whether the keyword has one value, which is no list. */
    boolean isSingle(String keyword) {
        return keyword.equals("DESC") || singles.contains(keyword);
    }

    /** Whether the keyword's values name other definitions (RFC 4512 4.1, oids). */
    boolean isReference(String keyword) {
        return REFERENCES.contains(keyword) && !isNumber(keyword);
    }

    /** Whether the keyword's values are numbers of structure rules. */
    boolean isNumber(String keyword) {
        return this == STRUCTURE_RULE && keyword.equals("SUP");
    }

    /** @return null if no kind has this attribute; the prefix of OpenLDAP's configuration entries counts for nothing */
    static DefinitionKind ofAttribute(String name) {
        String plain = name.toLowerCase(Locale.ROOT);
        for (DefinitionKind kind : values()) {
            String own = kind.attribute.toLowerCase(Locale.ROOT);
            if (plain.equals(own) || plain.equals("olc" + own)) {
                return kind;
            }
        }
        return null;
    }

    /** @return null if no kind is started by this directive, which is written in the singular or in the plural */
    static DefinitionKind ofDirective(String word) {
        for (DefinitionKind kind : values()) {
            if (kind.isEditable() && (word.equalsIgnoreCase(kind.directive) || word.equalsIgnoreCase(kind.attribute))) {
                return kind;
            }
        }
        return null;
    }

    /** The attributes of the subschema subentry that can be changed. */
    public static List<String> attributes() {
        List<String> names = new ArrayList<>();
        for (DefinitionKind kind : values()) {
            if (kind.isEditable()) {
                names.add(kind.attribute);
            }
        }
        return names;
    }

    static List<String> directives() {
        List<String> names = new ArrayList<>();
        for (DefinitionKind kind : values()) {
            if (kind.isEditable()) {
                names.add(kind.directive);
            }
        }
        return names;
    }
}
