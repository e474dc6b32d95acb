package org.alder.server.control;

/**
 * What a virtual list view control asks for.
 *
 * @param before how many entries before the target
 * @param after how many behind it
 * @param offset the target's place, from 1; of use if there is no value
 * @param contentCount how long the client thinks the list is, 0 for no idea
 * @param value the target is the first entry not before this value; null if it is wanted by its offset. Not to be changed
 */
public record ListViewRequest(int before, int after, int offset, int contentCount, byte[] value) {
}
