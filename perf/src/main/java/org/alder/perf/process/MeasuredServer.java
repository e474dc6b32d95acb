package org.alder.perf.process;

import java.io.IOException;

/** A directory server of its own process on this machine, whose CPU time and memory a benchmark reads. One thread. */
public abstract class MeasuredServer implements AutoCloseable {
    private final ChildProcess child;
    private final int port;

    MeasuredServer(Process process, int port) {
        this.child = new ChildProcess(process);
        this.port = port;
    }

    /** On 127.0.0.1. */
    public int port() {
        return port;
    }

    /** Where TLS begins at once, on 127.0.0.1. @throws IOException if it does so nowhere */
    public abstract int tlsPort() throws IOException;

    /** Its number on this machine. */
    public long process() {
        return child.process().pid();
    }

    /** User and system time the server has used so far, in seconds; NaN where the system does not tell. */
    public double cpuSeconds() {
        return child.cpuSeconds();
    }

    /** Resident memory in bytes, mapped files included, or -1 where the system does not tell. */
    public long residentBytes() {
        return child.bytes("VmRSS");
    }

    /** Stops the server and waits until it has ended. */
    @Override
    public void close() {
        child.close();
    }
}
