package org.alder.partition.request;

/**
 * A part of an ordered list: some entries before and behind a target (draft-ietf-ldapext-ldapv3-vlv-09). Immutable.
 *
 * @param before how many entries before the target, 0 or more
 * @param after how many behind it, 0 or more
 */
public record ListWindow(int before, int after, Target target) {
    /** Which entry the window is about. */
    public sealed interface Target {
        /**
         * The entry in this place, if the list is as long as the client thinks; else the one as far down the list in proportion.
         *
         * @param offset from 1 to contentCount, or without an end if that is 0
         * @param contentCount how long the client thinks the list is, 0 for no idea
         */
        record Offset(long offset, long contentCount) implements Target {
            /** The place, from 1, in a list that is so long; 0 if it is empty. */
            public long in(long length) {
                if (length == 0 || offset <= 1) {
                    return Math.min(1, length);
                }
                if (contentCount == 0) {
                    return Math.min(offset, length);
                }
                return offset >= contentCount ? length : Math.max(1, Math.round((double) length * offset / contentCount));
            }
        }

        /** The first entry that is not before this one. @param form a value by the rule of the order's first part */
        record Value(byte[] form) implements Target {
        }
    }
}
