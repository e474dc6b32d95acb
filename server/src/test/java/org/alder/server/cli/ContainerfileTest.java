package org.alder.server.cli;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.alder.server.config.ConfigurationReader;
import org.alder.server.config.ServerConfiguration;
import org.alder.server.config.ServerKeys;
import org.junit.Test;

/**
 * The Containerfile of the tarball, held against what the tarball has and what the command line takes: no engine that builds it is needed.
 * {@code .ci/packages} runs its commands from the unpacked tarball.
 */
public class ContainerfileTest {
    private static final Path SOURCES = Path.of("../distribution/src");
    private static final String HOME = "/opt/alder/";
    private static final Pattern EXEC_FORM = Pattern.compile("\\[\"[^\"]*\"(, \"[^\"]*\")*\\]");

    /** One instruction: its name, and what stands behind it, on one line. */
    private record Instruction(String name, String text) {
        /** The words of its exec form, wherever it begins. */
        List<String> words() {
            String form = text.substring(text.indexOf('['));
            assertTrue("not an exec form: " + this, EXEC_FORM.matcher(form).matches());
            List<String> words = new ArrayList<>();
            Matcher word = Pattern.compile("\"([^\"]*)\"").matcher(form);
            while (word.find()) {
                words.add(word.group(1));
            }
            return words;
        }
    }

    private static List<Instruction> all(String name) throws IOException {
        String text = Files.readString(SOURCES.resolve("container/Containerfile")).replaceAll("(?m)^#.*\n", "").replaceAll("\\\\\n\\s*", "");
        return text.lines().filter(line -> !line.isBlank()).map(line -> line.split(" ", 2)).map(line -> new Instruction(line[0], line[1]))
                .filter(each -> each.name.equals(name)).toList();
    }

    private static Instruction only(String name) throws IOException {
        List<Instruction> all = all(name);
        assertEquals(name + " stands once: " + all, 1, all.size());
        return all.get(0);
    }

    /** The value behind an option of a call. */
    private static String option(List<String> words, String name) {
        return words.get(words.indexOf(name) + 1);
    }

    @Test
    public void whatItCopiesAndRunsIsInTheTarball() throws IOException {
        String layout = Files.readString(SOURCES.resolve("assembly.xml"));
        List<String> used = new ArrayList<>(List.of(only("ENTRYPOINT").words().get(0).replace(HOME, ""),
                only("HEALTHCHECK").words().get(0).replace(HOME, "")));
        Matcher run = Pattern.compile(HOME + "(\\S+) prepare").matcher(all("RUN").toString());
        assertTrue("prepare is not run: " + all("RUN"), run.find());
        used.add(run.group(1));
        List<Instruction> copied = all("COPY");
        assertEquals(". /opt/alder", copied.get(0).text);
        copied.subList(1, copied.size()).forEach(each -> used.add(each.text.split(" ")[0]));
        for (String file : used) {
            String folder = file.substring(0, file.indexOf('/'));
            assertTrue(file, Files.isRegularFile(SOURCES.resolve(file)));
            assertTrue(file, layout.contains("<directory>${project.basedir}/src/" + folder + "</directory><outputDirectory>" + folder
                    + "</outputDirectory>"));
        }
    }

    @Test
    public void itRunsAsAUserWithANumberWhoOwnsTheVolume() throws IOException {
        Matcher user = Pattern.compile("([1-9]\\d+):([1-9]\\d+)").matcher(only("USER").text);
        assertTrue(only("USER").text, user.matches());
        String made = all("RUN").get(0).text;
        assertTrue(made, made.contains("groupadd --gid " + user.group(2) + " ") && made.contains("useradd --uid " + user.group(1) + " --gid "
                + user.group(2) + " "));
        assertEquals(List.of("/var/lib/alder"), only("VOLUME").words());
        assertEquals("ALDER_DATA=/var/lib/alder", only("ENV").text);
        assertTrue(made, made.endsWith("install -d -m 0700 -o " + user.group(1) + " -g " + user.group(2) + " /var/lib/alder"));
    }

    @Test
    public void itServesTheVolumeByTheConfigurationThatItCopies() throws IOException {
        String copied = all("COPY").get(1).text.split(" ")[1];
        for (List<String> call : List.of(only("CMD").words(), only("HEALTHCHECK").words())) {
            assertEquals("/var/lib/alder", option(call, "--data"));
            assertEquals(copied, option(call, "--conf"));
        }
        List<String> health = only("HEALTHCHECK").words();
        Alder.commandLine().parseArgs(only("CMD").words().toArray(String[]::new));
        Alder.commandLine().parseArgs(health.subList(1, health.size()).toArray(String[]::new));
    }

    @Test
    public void itOffersThePortsThatTheServerListensOn() throws Exception {
        ServerConfiguration configuration = ConfigurationReader.read(SOURCES.resolve("container/config.ldif"));
        assertEquals("0.0.0.0", configuration.get(ServerKeys.LISTEN_HOST));
        int port = configuration.get(ServerKeys.LISTEN_PORT);
        assertEquals(port + " " + (port + 636 - 389), only("EXPOSE").text);
    }
}
