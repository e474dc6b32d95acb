package org.alder.partition.schema.value;

import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.directory.api.ldap.model.schema.SyntaxChecker;

/**
 * The one door to the LDAP API's syntax checkers, which end some values that are wrong with an exception instead of a no: a value
 * whose check does not come to an end is not of the syntax. Thread safe, since the checkers are.
 *
 * @param checker called with each value, so that a checker's classes are loaded only when there is a value for it
 */
record ApiCheck(Supplier<SyntaxChecker> checker) implements Predicate<byte[]> {
    @Override
    public boolean test(byte[] value) {
        SyntaxChecker loaded = checker.get();
        try {
            return loaded.isValidSyntax(value);
        } catch (RuntimeException | StackOverflowError e) {
            return false;
        }
    }
}
