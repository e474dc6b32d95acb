package org.alder.server.cli;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.alder.partition.testing.Await;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What a real zsh makes of the completion, if one is installed (Debian: apt-get install zsh): it is typed on a terminal of its own, with the tab key. */
public class ZshCompletionTest {
    private static final Path ZSH = Path.of("/usr/bin/zsh");
    /** Types a line and a tab into a shell that has the completion, and waits until it shows what is expected, or for two minutes. */
    private static final String SCRIPT = """
            zmodload zsh/zpty
            zpty -b shell "PATH=$1:$PATH TERM=dumb zsh -f -i"
            shown=""
            expect() {
              local piece end=$((SECONDS + 120))
              while [[ $shown != *"$1"* ]]; do
                if zpty -r -t shell piece; then shown+=$piece; elif (( SECONDS > end )); then print -r -- "expected $1, shown ${(V)shown}"; exit 1; else sleep 0.05; fi
              done
            }
            zpty -w shell "autoload -U compinit; compinit -u -D; source $2; print loa''ded"
            expect loaded
            while read -r typed shows; do
              shown=""
              zpty -w -n shell "alder ${typed//_/ }"$'\\t'
              expect "alder $shows"
              zpty -w -n shell $'\\x15'
            done
            zpty -d shell
            """;

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private Path file(String name, String text) throws Exception {
        return Files.writeString(temporary.getRoot().toPath().resolve(name), text);
    }

    @Test
    public void verbsOptionsAndWordsAreCompleted() throws Exception {
        assumeTrue("no " + ZSH, Files.isExecutable(ZSH));
        assertTrue(file("alder", "#!/bin/sh\n").toFile().setExecutable(true));
        Path completion = file("completion", CommandRun.of("completion", "zsh").succeeds().out());
        Path typed = file("typed", "conn connections \naccount_st account status \nexport_--out export --output \nconnections_req connections requests \n");
        Path output = temporary.getRoot().toPath().resolve("output");
        Process zsh = new ProcessBuilder(List.of(ZSH.toString(), "-f", file("script", SCRIPT).toString(), temporary.getRoot().toString(), completion.toString()))
                .redirectInput(typed.toFile()).redirectErrorStream(true).redirectOutput(output.toFile()).start();
        int status = Await.end("zsh", zsh);
        assertEquals(Files.readString(output), 0, status);
    }
}
