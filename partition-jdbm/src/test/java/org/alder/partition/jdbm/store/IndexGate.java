package org.alder.partition.jdbm.store;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.testing.Await;

/** Keeps whoever builds indexes from going on, when all that he builds them from is laid down and nothing is built yet. Thread safe. */
final class IndexGate {
    private boolean closed;
    private boolean reached;
    /** Grows when it is opened: whoever waits then goes on, though it may be closed again at once. */
    private int openings;

    /** The real disk, on which a folder for sorted keys is only made while the gate is open. */
    Disk disk() {
        Class<?>[] seam = {Disk.class};
        return (Disk) Proxy.newProxyInstance(Disk.class.getClassLoader(), seam, (proxy, method, arguments) -> {
            if (method.getName().equals("createFolder") && ((Path) arguments[0]).endsWith("sort")) {
                pass();
            }
            try {
                return method.invoke(SystemDisk.INSTANCE, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
    }

    private synchronized void pass() throws InterruptedException {
        reached = true;
        notifyAll();
        int before = openings;
        while (closed && openings == before) {
            wait();
        }
    }

    synchronized void close() {
        closed = true;
        reached = false;
    }

    synchronized void open() {
        closed = false;
        openings++;
        notifyAll();
    }

    /** The next build is one that has not been here. */
    synchronized void forget() {
        reached = false;
    }

    synchronized boolean isReached() {
        return reached;
    }

    synchronized boolean isClosed() {
        return closed;
    }

    /** Waits until somebody waits at it. */
    void awaitReached() throws Exception {
        Await.until("a build of indexes has begun", this::isReached);
    }
}
