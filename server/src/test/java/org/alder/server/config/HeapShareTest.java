package org.alder.server.config;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.alder.ldif.LdifAttribute;
import org.alder.ldif.LdifEntry;
import org.junit.Test;

public class HeapShareTest {
    private static final long MIB = 1L << 20;

    private static Settings partition(String... lines) throws ConfigurationException {
        List<LdifAttribute> attributes = new ArrayList<>(List.of(LdifAttribute.of("suffix", "dc=a")));
        for (String line : lines) {
            attributes.add(LdifAttribute.of(line.split(": ")[0], line.split(": ")[1]));
        }
        return SettingsReader.read(Path.of(""), ConfigurationEntry.of("test.ldif", new LdifEntry("cn=a", attributes)), PartitionKeys.all());
    }

    private static Settings server(String... lines) throws ConfigurationException {
        List<LdifAttribute> attributes = new ArrayList<>(List.of(LdifAttribute.of("unfinishedBytes", 512 * MIB * 8 / 100 + ""),
                LdifAttribute.of("operationBytes", 512 * MIB * 15 / 100 + ""), LdifAttribute.of("passwordThreads", "2")));
        for (String line : lines) {
            attributes.removeIf(attribute -> attribute.description().equals(line.split(": ")[0]));
            attributes.add(LdifAttribute.of(line.split(": ")[0], line.split(": ")[1]));
        }
        return SettingsReader.read(Path.of(""), ConfigurationEntry.of("test.ldif", new LdifEntry("cn=config", attributes)), ServerKeys.all());
    }

    /** What is held at most: caches, memory layers with the transactions beside them, clients, hashing, and 7 of 64 parts for all else. */
    private static long most(Settings server, List<HeapShare> shares) {
        long partitions = shares.stream().mapToLong(share -> share.indexCacheBytes() + share.dnCacheBytes()
                + Math.max(Math.max(7 * share.memoryLayerBytes(), 3 * share.memoryLayerBytes() + share.heldLayerBytes())
                        + share.transactionBytes() / 4, share.memoryLayerBytes() + share.transactionBytes())).sum();
        return partitions + server.get(ServerKeys.UNFINISHED_BYTES) + server.get(ServerKeys.OPERATION_BYTES) + 512 * MIB / 64 * 7
                + Math.min(512 * MIB / 4, server.get(ServerKeys.ARGON2_BYTES) * server.get(ServerKeys.PASSWORD_THREADS));
    }

    @Test
    public void partitionsAndClientsTogetherNeverTakeMoreThanTheHeap() throws ConfigurationException {
        Settings one = partition("indexCacheBytes: 188m");
        for (String[] lines : new String[][] {{}, {"operationBytes: 200m"}, {"unfinishedBytes: 0", "operationBytes: 0"},
                {"unfinishedBytes: 128m", "operationBytes: 128m"}, {"argon2Bytes: 64m", "passwordThreads: 8"}}) {
            Settings server = server(lines);
            for (int partitions = 1; partitions <= 50; partitions++) {
                long most = most(server, HeapShare.divide(server, Collections.nCopies(partitions, one), 512 * MIB));
                assertTrue(partitions + " partitions, " + String.join(", ", lines) + ": " + most, most <= 512 * MIB);
            }
        }
    }

    @Test
    public void clientsThatMayHoldMoreThanHalfOfTheHeapAreRefusedWithKeyAndValue() throws ConfigurationException {
        for (String line : List.of("operationBytes: 300m", "unfinishedBytes: 100g")) {
            Settings greedy = server(line);
            Settings one = partition();
            ConfigurationException refusal = assertThrows(ConfigurationException.class,
                    () -> HeapShare.divide(greedy, List.of(one), 512 * MIB));
            String[] words = line.split(": ");
            assertTrue(refusal.getMessage(), refusal.getMessage().contains(", " + words[0] + ": "));
            assertTrue(refusal.getMessage(), refusal.getMessage().contains("more than 50 % of the heap of 536870912 bytes"));
            assertTrue(refusal.getMessage(), refusal.getMessage().contains(words[1].equals("300m") ? "314572800" : "107374182400"));
        }
    }

    @Test
    public void severalPartitionsTogetherNeverTakeMoreThanTheHeap() throws ConfigurationException {
        // Of a heap of 512 MiB caches of 37 %, layers of 64 MiB.
        Settings one = partition("indexCacheBytes: 188m");
        for (int partitions = 1; partitions <= 50; partitions++) {
            List<HeapShare> shares = HeapShare.divide(server(), Collections.nCopies(partitions, one), 512 * MIB);
            assertTrue(partitions + " partitions", most(server(), shares) <= 512 * MIB);
            assertEquals(1, shares.stream().distinct().count());
        }
    }

    @Test
    public void whatThereIsRoomForIsNotCut() throws ConfigurationException {
        Settings one = partition("indexCacheBytes: 160m", "memoryLayerBytes: 8m");
        HeapShare share = HeapShare.divide(server(), List.of(one), 512 * MIB).get(0);
        assertEquals(new HeapShare(8 * MIB, share.heldLayerBytes(), 160 * MIB, 8 * MIB, share.transactionBytes()), share);
        HeapShare large = HeapShare.divide(server(), List.of(partition("indexCacheBytes: 2g")), 8192 * MIB).get(0);
        assertEquals(64 * MIB, large.memoryLayerBytes());
    }

    /** What searches may keep in memory is what the layers that wait for the disk leave, or less where the key says so. */
    @Test
    public void layersThatSearchesReadGetWhatOthersLeave() throws ConfigurationException {
        HeapShare cut = HeapShare.divide(server(), List.of(layers()), 512 * MIB).get(0);
        assertEquals(4.0, (double) cut.heldLayerBytes() / cut.memoryLayerBytes(), 0.001);
        HeapShare small = HeapShare.divide(server(), List.of(layers("memoryLayerBytes: 1m")), 512 * MIB).get(0);
        assertEquals("the same in all", 7 * cut.memoryLayerBytes(), 3 * small.memoryLayerBytes() + small.heldLayerBytes(), MIB);
        List<HeapShare> said = HeapShare.divide(server(), List.of(layers("heldLayerBytes: 2m"), layers("heldLayerBytes: 2g")), 512 * MIB);
        assertEquals(2 * MIB, said.get(0).heldLayerBytes());
        assertEquals(4.0, (double) said.get(1).heldLayerBytes() / said.get(1).memoryLayerBytes(), 0.001);
    }

    private static Settings layers(String... lines) throws ConfigurationException {
        return partition(Stream.concat(Stream.of("indexCacheBytes: 150m"), Stream.of(lines)).toArray(String[]::new));
    }

    @Test
    public void largerPartitionsGetMore() throws ConfigurationException {
        List<HeapShare> shares = HeapShare.divide(server(), List.of(partition("indexCacheBytes: 200m"),
                partition("indexCacheBytes: 100m"), partition("indexCacheBytes: 0")),
                512 * MIB);
        assertEquals(2.0, (double) shares.get(0).indexCacheBytes() / shares.get(1).indexCacheBytes(), 0.001);
        assertEquals("caches that are off stay off", 0, shares.get(2).dnCacheBytes());
    }

    @Test
    public void onePartitionThatWantsMoreThanAllMayHaveIsRefused() throws ConfigurationException {
        for (String[] lines : new String[][] {{"indexCacheBytes: 100g"}, {"indexCacheBytes: 210m"},
                {"memoryLayerBytes: 300m", "indexCacheBytes: 0"}}) {
            Settings standard = server();
            Settings greedy = partition(lines);
            ConfigurationException refusal = assertThrows(ConfigurationException.class,
                    () -> HeapShare.divide(standard, List.of(greedy), 512 * MIB));
            assertTrue(refusal.getMessage(), refusal.getMessage().contains("more than 40 % of the heap of 536870912 bytes"));
            assertTrue(refusal.getMessage(), refusal.getMessage().contains(lines[0].split(":")[0]));
        }
    }

    /** The first start with what comes with Alder noted three keys, of which one got half a percent less. */
    @Test
    public void onlyWhatIsMuchLessThanItsKeySaysIsNoted() throws ConfigurationException {
        Settings said = partition("memoryLayerBytes: 64m", "indexCacheBytes: 128m");
        assertTrue(new PartitionConfiguration("a", said, new HeapShare(63 * MIB, MIB, 128 * MIB, 0, 0)).heapNote().isEmpty());
        String note = new PartitionConfiguration("a", said, new HeapShare(63 * MIB, MIB, 32 * MIB, 0, 0)).heapNote().orElseThrow();
        assertTrue(note, note.startsWith("partition a gets 32 of the 128 MiB that indexCacheBytes says: "));
    }
}
