package org.alder.server.migration;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What became of each setting of another server. One thread while it is made. */
public final class MigrationReport {
    private final List<String> mapped = new ArrayList<>();
    private final List<String> open = new ArrayList<>();
    private final Set<String> unneeded = new LinkedHashSet<>();

    void mapped(ForeignSetting setting, String what) {
        mapped.add(setting + ": " + what);
    }

    /** @param what why it is not taken over, and what to do about it */
    void open(ForeignSetting setting, String what) {
        open.add(setting + ": " + what);
    }

    void open(String what) {
        open.add(what);
    }

    /** What means nothing here. */
    void unneeded(ForeignSetting setting) {
        unneeded.add(setting.name());
    }

    /** What was taken over: file, line, setting, and what it has become. */
    public List<String> mapped() {
        return List.copyOf(mapped);
    }

    /** What was not: file, line, setting, and what to do about it. */
    public List<String> open() {
        return List.copyOf(open);
    }

    /** Names of settings that mean nothing here. */
    public List<String> unneeded() {
        return List.copyOf(unneeded);
    }
}
