package org.alder.perf.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.alder.ldif.LdifGenerator;
import org.alder.perf.process.PageCache;
import org.alder.perf.report.Report;
import org.alder.server.cli.option.JsonOption;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What all benchmarks take: where to work, and where the report goes. */
public final class PerfOptions {
    private static final String INDEX = "index: ";

    @Option(names = "--work", paramLabel = "DIR",
            description = "Where data are kept while measuring. Default: a temporary folder.")
    private Path work;

    @Option(names = "--report", paramLabel = "DIR",
            description = "Also write the results here: as text, as JSON, and plots as SVG.")
    private Path report;

    @Option(names = "--seed", paramLabel = "S", description = "Seed of the data set. Default: ${DEFAULT-VALUE}.")
    private long seed = LdifGenerator.DEFAULT_SEED;

    @Option(names = "--drop-page-cache",
            description = "Empty the operating system's page cache before each measurement of a cold disk, which needs root and"
                    + " makes all programs of this machine read from the disk again. Without it nothing is measured cold.")
    private boolean dropPageCache;

    @Mixin
    private JsonOption json;

    /** The newest one; null before there is one. */
    private volatile WorkFolder folder;

    /** Empties the page cache if that is wanted. False, and nothing is done, if it is not wanted or not allowed. */
    public boolean dropPageCache() throws InterruptedException {
        return dropPageCache && PageCache.drop();
    }

    public boolean wantsPageCacheDropped() {
        return dropPageCache;
    }

    public long seed() {
        return seed;
    }

    public WorkFolder workFolder() throws IOException {
        WorkFolder made = WorkFolder.create(work);
        folder = made;
        return made;
    }

    /** Ends what is being measured, for a program that is being stopped. @return what there is to say of it, behind other words; may be empty */
    public String abandon() {
        WorkFolder made = folder;
        return made == null ? "" : "; " + made.abandon();
    }

    /** For whoever called, a person or a program. */
    void print(Report result) {
        System.out.print(json.isOn() ? result.jsonLine() + "\n" : result.text());
    }

    /** Does nothing where no folder was named. */
    public void write(Report result) throws IOException {
        if (report == null) {
            return;
        }
        write(report, result.benchmark() + ".txt", result.text());
        write(report, result.benchmark() + ".json", result.json());
        for (Map.Entry<String, String> plot : result.plots().entrySet()) {
            write(report, plot.getKey() + ".svg", plot.getValue());
        }
    }

    /** Makes the folder where it is not there. */
    public static void write(Path folder, String name, String content) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve(name), content);
    }

    /**
     * Writes a configuration with the peers' index set (conf/benchmark.ldif) and more lines for its partition, its last entry. An
     * index line takes the place of the one for the same attribute.
     */
    public static Path configuration(Path folder, String name, List<String> partitionLines) throws IOException {
        Path benchmark = Path.of(System.getProperty("alder.home", "."), "conf", "benchmark.ldif");
        List<String> lines = new ArrayList<>(Files.readAllLines(benchmark));
        for (String line : partitionLines) {
            if (line.startsWith(INDEX)) {
                String attribute = line.substring(0, line.indexOf(' ', INDEX.length()) + 1);
                lines.removeIf(other -> other.startsWith(attribute));
            }
        }
        lines.addAll(partitionLines);
        return Files.writeString(folder.resolve(name), String.join("\n", lines) + "\n");
    }
}
