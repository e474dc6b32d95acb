package org.alder.server.policy;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.alder.partition.entry.Attribute;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.server.auth.scheme.SaslPrep;

/**
 * What an entry tells of its user, as far as passwords are made of it: the values of uid, cn, sn, givenName and displayName, the words
 * of these, and what stands before the at sign of mail. Small letters, four of them at least. Thread safe.
 */
public final class OwnWords {
    /** Of one entry; whoever has more names is no person. */
    private static final int MOST_VALUES = 50;
    private static final int MOST_BYTES = 256;

    private final Schema schema;
    private final List<AttributeType> names = new ArrayList<>();
    private final AttributeType mail;

    public OwnWords(Schema schema) {
        this.schema = schema;
        for (String name : List.of("uid", "cn", "sn", "givenName", "displayName")) {
            AttributeType type = schema.attributeType(name);
            if (type != null) {
                names.add(type);
            }
        }
        this.mail = schema.attributeType("mail");
    }

    /** Those of an entry with these attributes. */
    public Collection<String> of(Iterable<Attribute> attributes) {
        Set<String> words = new LinkedHashSet<>();
        int values = 0;
        for (Attribute attribute : attributes) {
            AttributeDescription description = schema.descriptionOrNull(attribute.description());
            boolean isMail = description != null && description.type() == mail;
            if (isMail || description != null && names.contains(description.type())) {
                for (byte[] value : attribute.values()) {
                    if (value.length <= MOST_BYTES && values++ < MOST_VALUES) {
                        add(words, WordList.folded(SaslPrep.text(value)), isMail);
                    }
                }
            }
        }
        return words;
    }

    private static void add(Set<String> words, String value, boolean isMail) {
        int at = value.indexOf('@');
        String name = isMail && at >= 0 ? value.substring(0, at) : value;
        addLong(words, name);
        for (String part : name.split("[^\\p{L}\\p{N}]+")) {
            addLong(words, part);
        }
    }

    private static void addLong(Set<String> words, String word) {
        if (word.codePointCount(0, word.length()) >= PasswordQuality.LEAST_WORD) {
            words.add(word);
        }
    }
}
