package org.alder.partition.filter;

import org.alder.partition.dn.Dn;

/** What somebody may know of entries. Thread safe; the answer for one state of an entry does not change. */
public interface EntryAccess {
    /** Everything of all entries. */
    EntryAccess ALL = new Everywhere(AttributeAccess.ALL);
    /** Everything of all entries but passwords, keys and their like. */
    EntryAccess ALL_BUT_SECRETS = new Everywhere(AttributeAccess.ALL_BUT_SECRETS);

    /** What may be known of every entry alike, so that none has to be asked for; null if it depends on the entry. */
    AttributeAccess everywhere();

    /** What may be known of one entry: {@link AttributeAccess#NONE} if it is not to be found at all. */
    AttributeAccess of(CandidateEntry entry);

    /** Whether there is an entry of this name as far as may be known, if there is one; null if that depends on what is in it. */
    default Boolean mayFind(Dn dn) {
        return everywhere() == null ? null : (Boolean) (everywhere() != AttributeAccess.NONE);
    }

    /** What may be known of other entries, where an attribute of this one is worked out of them. */
    default EntryAccess ofOthers() {
        return this;
    }

    /** Whether it is everything but perhaps secrets, of all entries: then what is worked out of other entries is as it is. */
    static boolean isOfAll(EntryAccess access) {
        AttributeAccess everywhere = access.everywhere();
        return everywhere == AttributeAccess.ALL || everywhere == AttributeAccess.ALL_BUT_SECRETS;
    }

    /** The same of all entries. */
    record Everywhere(AttributeAccess everywhere) implements EntryAccess {
        @Override
        public AttributeAccess of(CandidateEntry entry) {
            return everywhere;
        }
    }
}
