package org.alder.partition.check;

/** Told now and then, on the checking thread, how far a check is. */
@FunctionalInterface
public interface CheckProgress {
    /** Tells nobody. */
    CheckProgress NONE = (phase, done, total) -> { };

    /**
     * @param phase what is being read, such as {@code entries} or {@code index uid}
     * @param total how many there will be, 0 if that is not known
     */
    void update(String phase, long done, long total);
}
