package org.alder.perf.report;

/**
 * What other directory servers reached on the project's measuring machine: text to stand beside our figures. Measured on
 * 2026-11-20 with a load client on raw BER over loopback, 100,000 users of the same data set and the same indexes. CPU is user
 * and system time of the server for each operation or entry.
 */
public final class PeerFigures {
    /** Where the figures come from; belongs under every table that shows them. */
    public static final String SOURCE = "Others: measured 2026-11-20 on 2 vCPU Xeon, 24 GiB, JDK 17, 100,000 entries unless said,"
            + " not in the same run as ours: OpenLDAP 2.5.13 mdb, 389 DS 2.3.1, OpenDJ 5.0.3 JE.";

    public static final String EQUALITY_1 = "OpenLDAP 6.6-18k/s, 35-47 us; 389 DS 6.8k, 99-144; OpenDJ 4.9k, 69-84";
    public static final String EQUALITY_8 = "OpenLDAP 27-30k/s, 35-47 us; 389 DS 8.8k, 99-144; OpenDJ 16k, 69-84";
    public static final String EQUALITY_32 = "OpenLDAP 34k/s, 35-47 us; 389 DS 10k, 99-144; OpenDJ 21k, 69-84";
    public static final String INITIALS_ALL = "OpenLDAP 151k entries/s, 9.7 us/entry; 389 DS 29k, 42; OpenDJ 35k, 39";
    public static final String INITIALS_NONE = "OpenLDAP 6.0 us/entry; 389 DS 30; OpenDJ 31";
    public static final String AND_TWO = "p50: OpenLDAP 29 ms (2M: 3,170); 389 DS 82; OpenDJ 1,011";
    public static final String AND_THREE = "p50: OpenLDAP 0.56 ms (2M: 13.0); 389 DS 1.6; OpenDJ 3.5";
    public static final String UNINDEXED = "OpenLDAP 92-146 ms (2M: 1,900); 389 DS 743-906; OpenDJ 1,200-2,473";
    public static final String ADDS_1 = "OpenLDAP 465-646/s, 740 us; 389 DS 328, 1400-1600; OpenDJ with fsync 768";
    public static final String ADDS_8 = "OpenLDAP 538/s, 740 us; 389 DS 626, 1400-1600; OpenDJ with fsync 1,613";
    public static final String MODIFIES_1 = "OpenLDAP 1,290-1,513/s, 330 us; 389 DS 636-759, 700; OpenDJ with fsync 1,489";
    public static final String MODIFIES_8 = "OpenLDAP 1,229/s, 330 us; 389 DS 1,185-1,600, 700; OpenDJ with fsync 2,706";
    public static final String DISK = "OpenLDAP 1.9 KB/entry; 389 DS 3.0; OpenDJ 0.79";

    private PeerFigures() {
    }

    /** @return empty if nobody measured this number of connections */
    public static String equality(int connections) {
        return switch (connections) {
            case 1 -> EQUALITY_1;
            case 8 -> EQUALITY_8;
            case 32 -> EQUALITY_32;
            default -> "";
        };
    }

    /** @return empty if nobody measured this number of connections */
    public static String adds(int connections) {
        return connections == 1 ? ADDS_1 : connections == 8 ? ADDS_8 : "";
    }

    /** @return empty if nobody measured this number of connections */
    public static String modifies(int connections) {
        return connections == 1 ? MODIFIES_1 : connections == 8 ? MODIFIES_8 : "";
    }
}
