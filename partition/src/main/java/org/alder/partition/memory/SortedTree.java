package org.alder.partition.memory;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A sorted map that is never changed: a change gives another one, which shares all but a few nodes with it. A treap: its depth is
 * that of a tree into which the keys came in random order. Immutable, thread safe.
 */
final class SortedTree<K, V> {
    private record Node<K, V>(K key, V value, int priority, Node<K, V> left, Node<K, V> right) {
        Node<K, V> withLeft(Node<K, V> other) {
            return other == left ? this : new Node<>(key, value, priority, other, right);
        }

        Node<K, V> withRight(Node<K, V> other) {
            return other == right ? this : new Node<>(key, value, priority, left, other);
        }
    }

    private final Comparator<? super K> order;
    private final Node<K, V> root;
    private final int size;

    private SortedTree(Comparator<? super K> order, Node<K, V> root, int size) {
        this.order = order;
        this.root = root;
        this.size = size;
    }

    static <K, V> SortedTree<K, V> empty(Comparator<? super K> order) {
        return new SortedTree<>(order, null, 0);
    }

    int size() {
        return size;
    }

    /** @return null if there is none */
    V get(K key) {
        Node<K, V> node = root;
        while (node != null) {
            int compared = order.compare(key, node.key);
            if (compared == 0) {
                return node.value;
            }
            node = compared < 0 ? node.left : node.right;
        }
        return null;
    }

    SortedTree<K, V> with(K key, V value) {
        return new SortedTree<>(order, with(root, key, value), get(key) == null ? size + 1 : size);
    }

    private Node<K, V> with(Node<K, V> node, K key, V value) {
        if (node == null) {
            return new Node<>(key, value, ThreadLocalRandom.current().nextInt(), null, null);
        }
        int compared = order.compare(key, node.key);
        if (compared == 0) {
            return new Node<>(node.key, value, node.priority, node.left, node.right);
        }
        if (compared < 0) {
            Node<K, V> left = with(node.left, key, value);
            return left.priority > node.priority ? left.withRight(node.withLeft(left.right)) : node.withLeft(left);
        }
        Node<K, V> right = with(node.right, key, value);
        return right.priority > node.priority ? right.withLeft(node.withRight(right.left)) : node.withRight(right);
    }

    SortedTree<K, V> without(K key) {
        return get(key) == null ? this : new SortedTree<>(order, without(root, key), size - 1);
    }

    private Node<K, V> without(Node<K, V> node, K key) {
        int compared = order.compare(key, node.key);
        if (compared == 0) {
            return joined(node.left, node.right);
        }
        return compared < 0 ? node.withLeft(without(node.left, key)) : node.withRight(without(node.right, key));
    }

    private Node<K, V> joined(Node<K, V> left, Node<K, V> right) {
        if (left == null || right == null) {
            return left == null ? right : left;
        }
        return left.priority > right.priority ? left.withRight(joined(left.right, right))
                : right.withLeft(joined(left, right.left));
    }

    /** Walks the keys from this one, inclusive, upwards. */
    Cursor<K, V> from(K key) {
        Cursor<K, V> cursor = new Cursor<>();
        Node<K, V> node = root;
        while (node != null) {
            boolean ahead = order.compare(node.key, key) >= 0;
            if (ahead) {
                cursor.ahead.push(node);
            }
            node = ahead ? node.left : node.right;
        }
        return cursor;
    }

    /** Before the first key at the start. One thread. */
    static final class Cursor<K, V> {
        private final Deque<Node<K, V>> ahead = new ArrayDeque<>();
        private Node<K, V> current;

        boolean next() {
            current = ahead.poll();
            for (Node<K, V> node = current == null ? null : current.right; node != null; node = node.left) {
                ahead.push(node);
            }
            return current != null;
        }

        K key() {
            return current.key;
        }

        V value() {
            return current.value;
        }
    }
}
