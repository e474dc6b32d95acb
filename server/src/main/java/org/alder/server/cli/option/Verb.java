package org.alder.server.cli.option;

import java.util.concurrent.Callable;

/**
 * One verb of the command line, a picocli command. Modules above this one contribute theirs through {@link
 * java.util.ServiceLoader}. The value of {@code call} is the exit status; {@link CommandException} and the project's own
 * exceptions become a message and status 1.
 */
public interface Verb extends Callable<Integer> {
    /**
     * What is told when the program is stopped before the end, such as by Ctrl-C: what was done, and what was not. Asked at that moment, on
     * another thread; null if there is nothing to say, or the verb says it itself.
     */
    default String whenInterrupted() {
        return "stopped before the end";
    }
}
