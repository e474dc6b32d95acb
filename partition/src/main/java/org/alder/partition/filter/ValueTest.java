package org.alder.partition.filter;

/** Tells whether a stored value, a range of bytes that must not be changed, is one that is asked for. Thread safe. */
@FunctionalInterface
public interface ValueTest {
    boolean matches(byte[] bytes, int offset, int length);
}
