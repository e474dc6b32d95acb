package org.alder.partition.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * On a test method: it shows that a requirement of an RFC is met. docs/conformance.md is made of these annotations, and
 * ConformanceTest in perf/ fails where the two differ.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@Repeatable(Requirements.class)
public @interface Requirement {
    /** The number of the RFC. */
    int rfc();

    /** One or several sections, as the RFC numbers them. */
    String section();

    /** What is required, in a few words. */
    String text();
}
