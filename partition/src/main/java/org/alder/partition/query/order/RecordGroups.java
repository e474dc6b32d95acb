package org.alder.partition.query.order;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.alder.partition.id.IdSet;
import org.alder.partition.query.SearchCursor.Step;
import org.roaringbitmap.RoaringBitmap;

/**
 * Entries in the order of their values, which were read from them. What is kept is their places, in few large arrays: runs of about
 * a thousand that are sorted when they are full, and merged when they are read. An object or more for each place would have the garbage collector
 * stop everybody for as long as it takes to copy them all.
 */
final class RecordGroups implements EntryGroups {
    private static final int RUN_ENTRIES = 1024;
    private static final int RUN_BYTES = 256 << 10;
    /** Its place in the arrays of its run. */
    private static final int ENTRY_BYTES = 12;

    private final List<Run> runs;
    private List<Place> open = new ArrayList<>();
    private long openBytes;
    private long bytes;
    /** The runs that have more, the one whose next key is least first; null before the first step. */
    private PriorityQueue<RunCursor> merge;
    private byte[] key;
    private IdSet ids = IdSet.EMPTY;

    private record Place(byte[] key, int id) implements Comparable<Place> {
        @Override
        public int compareTo(Place other) {
            int byKey = Arrays.compareUnsigned(key, other.key);
            return byKey != 0 ? byKey : Integer.compareUnsigned(id, other.id);
        }
    }

    /**
     * Sorted places.
     *
     * @param keys one behind the other
     * @param ends where each ends
     */
    private record Run(byte[] keys, int[] ends, int[] ids) {
        static Run of(List<Place> places) {
            Place[] sorted = places.toArray(Place[]::new);
            Arrays.sort(sorted);
            byte[] keys = new byte[Arrays.stream(sorted).mapToInt(place -> place.key.length).sum()];
            int[] ends = new int[sorted.length];
            int[] ids = new int[sorted.length];
            int end = 0;
            for (int i = 0; i < sorted.length; i++) {
                byte[] key = sorted[i].key;
                System.arraycopy(key, 0, keys, end, key.length);
                end += key.length;
                ends[i] = end;
                ids[i] = sorted[i].id;
            }
            return new Run(keys, ends, ids);
        }

        int from(int place) {
            return place == 0 ? 0 : ends[place - 1];
        }
    }

    /** Where the reading of a run is. */
    private static final class RunCursor {
        static final Comparator<RunCursor> BY_KEY = (one, other) -> Arrays.compareUnsigned(one.run.keys, one.run.from(one.place),
                one.run.ends[one.place], other.run.keys, other.run.from(other.place), other.run.ends[other.place]);

        private final Run run;
        private int place;

        RunCursor(Run run) {
            this.run = run;
        }

        byte[] key() {
            return Arrays.copyOfRange(run.keys, run.from(place), run.ends[place]);
        }

        /** Goes on behind a key and adds the entries that have it. @return whether there are more */
        boolean take(byte[] key, RoaringBitmap into) {
            while (place < run.ids.length && Arrays.equals(run.keys, run.from(place), run.ends[place], key, 0, key.length)) {
                into.add(run.ids[place++]);
            }
            return place < run.ids.length;
        }
    }

    RecordGroups() {
        this(new ArrayList<>());
    }

    private RecordGroups(List<Run> runs) {
        this.runs = runs;
    }

    /** Before the first step only. */
    void add(byte[] place, long id) {
        open.add(new Place(place, (int) id));
        openBytes += place.length;
        bytes += ENTRY_BYTES + place.length;
        if (open.size() >= RUN_ENTRIES || openBytes >= RUN_BYTES) {
            closeRun();
        }
    }

    private void closeRun() {
        if (!open.isEmpty()) {
            runs.add(Run.of(open));
            open = new ArrayList<>();
            openBytes = 0;
        }
    }

    /** What the places take. */
    long bytes() {
        return bytes;
    }

    @Override
    public Step next(int most) {
        if (merge == null) {
            closeRun();
            merge = new PriorityQueue<>(RunCursor.BY_KEY);
            runs.forEach(run -> merge.add(new RunCursor(run)));
        }
        RunCursor first = merge.peek();
        if (first == null) {
            return Step.END;
        }
        key = first.key();
        RoaringBitmap found = new RoaringBitmap();
        do {
            merge.poll();
            if (first.take(key, found)) {
                merge.add(first);
            }
            first = merge.peek();
        } while (first != null && Arrays.equals(first.run.keys, first.run.from(first.place), first.run.ends[first.place], key, 0, key.length));
        ids = IdSet.wrap(found);
        return Step.MATCH;
    }

    @Override
    public byte[] key() {
        return key;
    }

    @Override
    public IdSet ids() {
        return ids;
    }

    @Override
    public boolean isReverse() {
        return false;
    }

    @Override
    public EntryGroups again() {
        return new RecordGroups(runs);
    }

    @Override
    public void close() {
        merge = null;
        ids = IdSet.EMPTY;
    }
}
