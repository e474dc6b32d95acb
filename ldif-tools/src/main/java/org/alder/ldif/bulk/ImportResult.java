package org.alder.ldif.bulk;

/** What a bulk load did: entries that are in the new generation, and records that went to the reject file. */
public record ImportResult(long loaded, long rejected) {
}
