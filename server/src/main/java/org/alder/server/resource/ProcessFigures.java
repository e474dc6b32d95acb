package org.alder.server.resource;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;

/** The figures of the process at one moment, by the names of the attributes of cn=Monitor that show them. Stateless. */
public final class ProcessFigures {
    private ProcessFigures() {
    }

    public static Map<String, String> now() {
        Runtime runtime = Runtime.getRuntime();
        long collected = ManagementFactory.getGarbageCollectorMXBeans().stream().mapToLong(GarbageCollectorMXBean::getCollectionTime)
                .filter(millis -> millis > 0).sum();
        Map<String, String> figures = new LinkedHashMap<>();
        figures.put("alderHeapBytes", Long.toString(runtime.totalMemory() - runtime.freeMemory()));
        figures.put("alderHeapLimitBytes", Long.toString(runtime.maxMemory()));
        figures.put("alderGcMillis", Long.toString(collected));
        figures.put("alderThreads", Integer.toString(ManagementFactory.getThreadMXBean().getThreadCount()));
        return figures;
    }
}
