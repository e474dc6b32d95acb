package org.alder.partition.bookkeeper.compare;

import java.io.IOException;
import java.util.List;

/**
 * Where members write what others read who hold the same partition: small texts by names, the last one counts. A text that was written shows
 * soon. Thread safe.
 */
public interface Board {
    /** Null where there is none. @throws IOException where it cannot be reached */
    byte[] read(String name) throws IOException;

    void write(String name, byte[] text) throws IOException;

    void remove(String name) throws IOException;

    /** The names of the members that are here and have what the log has, or soon will. */
    List<String> members() throws IOException;
}
