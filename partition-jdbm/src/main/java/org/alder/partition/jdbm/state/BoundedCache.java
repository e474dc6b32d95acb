package org.alder.partition.jdbm.state;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Weigher;
import com.github.benmanes.caffeine.cache.stats.CacheStats;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.alder.partition.store.CacheStatus;

/** A map bounded by bytes that forgets what is used least, and counts its hits. Thread safe. */
final class BoundedCache<K, V> {
    private final String name;
    private volatile long limitBytes;
    private final Cache<K, V> cache;

    BoundedCache(String name, long limitBytes, Weigher<K, V> bytesOf) {
        this.name = name;
        this.limitBytes = limitBytes;
        this.cache = Caffeine.newBuilder().maximumWeight(limitBytes).weigher(bytesOf).executor(Runnable::run).recordStats()
                .build();
    }

    V get(K key) {
        return cache.getIfPresent(key);
    }

    void put(K key, V value) {
        if (limitBytes > 0) {
            cache.put(key, value);
        }
    }

    /** Shows all that is kept, in no order; counts as no lookup. */
    void forEach(BiConsumer<K, V> visitor) {
        cache.asMap().forEach(visitor);
    }

    void forget(Predicate<K> unwanted) {
        cache.asMap().keySet().removeIf(unwanted);
    }

    long limitBytes() {
        return limitBytes;
    }

    /** Forgets at once what is too much. */
    void limit(long bytes) {
        limitBytes = bytes;
        cache.policy().eviction().orElseThrow().setMaximum(bytes);
    }

    void clear() {
        cache.invalidateAll();
    }

    CacheStatus.Cache status() {
        CacheStats stats = cache.stats();
        long bytes = cache.policy().eviction().orElseThrow().weightedSize().orElse(0);
        return new CacheStatus.Cache(name, limitBytes, bytes, cache.estimatedSize(), stats.hitCount(), stats.missCount());
    }
}
