package org.alder.server.config;

import java.util.List;
import java.util.Set;

/**
 * What conf/config.ldif says about one partition's {@code reference}, {@code unique}, {@code constraint} and {@code autoNumber}
 * lines. Names are not looked up yet. Immutable.
 *
 * @param references attributes of index lines with eq
 */
public record RuleConfiguration(Set<String> references, String referencePlaceholder, boolean referencesMustExist,
        List<Unique> unique, List<Constraint> constraints, List<AutoNumber> autoNumbers) {

    /** The kinds a constraint line may name. */
    public enum Kind {
        REGEX, NEGREGEX, SIZE, COUNT, SET
    }

    /** @param base a DN, or null  @param filter or null */
    public record Unique(List<String> attributes, String base, String filter) {
    }

    public record Constraint(List<String> attributes, Kind kind, String argument) {
    }

    /** @param objectClass or null */
    public record AutoNumber(String attribute, long first, long last, String objectClass, String magic) {
    }
}
