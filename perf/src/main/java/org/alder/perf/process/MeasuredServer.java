package org.alder.perf.process;

import java.io.IOException;

/** A directory server of its own process on this machine, whose CPU time and memory a benchmark reads. One thread. */
public interface MeasuredServer extends AutoCloseable {
    /** On 127.0.0.1. */
    int port();

    /** Where TLS begins at once, on 127.0.0.1. @throws IOException if it does so nowhere */
    int tlsPort() throws IOException;

    /** User and system time the server has used so far, in seconds; NaN where the system does not tell. */
    double cpuSeconds();

    /** Resident memory in bytes, mapped files included, or -1 where the system does not tell. */
    long residentBytes() throws IOException;

    /** Stops the server and waits until it has ended. */
    @Override
    void close();
}
