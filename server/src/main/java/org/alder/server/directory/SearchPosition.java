package org.alder.server.directory;

/**
 * Where a search that is read page by page stands.
 *
 * @param partition position of the partition in the configuration
 * @param id the last entry's ID in it
 * @param returned entries returned so far, on all pages
 */
public record SearchPosition(int partition, long id, long returned) {
    public static final SearchPosition START = new SearchPosition(0, 0, 0);
}
