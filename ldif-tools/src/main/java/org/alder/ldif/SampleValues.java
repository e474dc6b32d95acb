package org.alder.ldif;

/** What the values of generated users look like. */
public enum SampleValues {
    /** Random letters, as the first benchmarks of the field used: they hardly compress. */
    RANDOM,
    /** Names, titles, places and addresses that repeat as those of people do. */
    REALISTIC
}
