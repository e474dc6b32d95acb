package org.alder.server.directory;

import org.alder.partition.schema.AttributeType;

/** What somebody may do with one entry, in the letters of 389 DS. Immutable. */
public interface EffectiveRights {
    /** All rights. */
    EffectiveRights ALL = new EffectiveRights() {
        @Override
        public String ofEntry() {
            return "adnv";
        }

        @Override
        public String of(AttributeType type) {
            return "rswocWO";
        }
    };

    /** Of {@code a} add such an entry, {@code d} delete it, {@code n} give it another name, {@code v} see it; those that he may. */
    String ofEntry();

    /**
     * Of {@code r} read, {@code s} search, {@code w} add values, {@code o} remove them, {@code c} compare, {@code W} add his own
     * name, {@code O} remove it; those that he may.
     */
    String of(AttributeType type);
}
