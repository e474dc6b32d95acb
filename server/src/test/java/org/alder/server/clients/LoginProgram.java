package org.alder.server.clients;

import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A program of a page that is given a user and a password, and says who that is.
 *
 * @param command without these two
 * @param folder where it runs
 */
record LoginProgram(List<String> command, Path folder) {
    /** A Java program of one file. @param options of the Java virtual machine */
    static LoginProgram java(Path source, String... options) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(options));
        command.add(source.getFileName().toString());
        return new LoginProgram(command, source.getParent());
    }

    Program.Outcome run(String user, String password) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(command);
        all.add(user);
        all.add(password);
        return Program.run(all, Map.of(), "", folder);
    }

    void letsAliceInByHerPasswordAlone() throws IOException, InterruptedException {
        assertEquals("welcome Alice Anderson\n", run("alice", Site.ALICE_PASSWORD).succeeds());
        assertEquals("wrong password\n", run("alice", "alice").succeeds());
        assertEquals("no such user\n", run("al*", Site.ALICE_PASSWORD).succeeds());
    }
}
