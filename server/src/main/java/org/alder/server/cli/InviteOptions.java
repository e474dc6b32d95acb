package org.alder.server.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.alder.partition.store.ClusterService;
import org.alder.partition.text.JsonText;
import org.alder.server.cli.option.CommandException;
import org.alder.server.cli.option.WrongCallException;
import org.alder.server.cli.output.TerminalText;
import picocli.CommandLine.Option;

/** Which machine is invited into a cluster. */
final class InviteOptions {
    private static final int MOST_MINUTES = 7 * 24 * 60;
    private static final int MOST_PORT = 65_535;
    private static final int PORTS = 3;

    @Option(names = "--keys", paramLabel = "FOLDER", description = "Of invite: where cluster keys has made the authority, with ca.key. Default: none, for members that speak without TLS.")
    private Path keys;

    @Option(names = "--host", paramLabel = "HOST", description = "Of invite: the name or address that the new member listens on for the others.")
    private String host;

    @Option(names = "--url", paramLabel = "URL", description = "Of invite: where clients will find the new member.")
    private String url;

    @Option(names = "--ports", paramLabel = "BOOKIE,COPY,UPDATES", split = ",", description = "Of invite: where it listens there. Default: those of the first member, or for the name of a"
            + " member that is gone those that it had.")
    private List<Integer> ports;

    @Option(names = "--minutes", paramLabel = "N", description = "Of invite: how long it may wait. Default: 60.")
    private Integer minutes;

    boolean isGiven() {
        return Stream.of(keys, host, url, ports, minutes).anyMatch(each -> each != null);
    }

    void check() throws WrongCallException {
        if (host == null || url == null) {
            throw new WrongCallException("invite: expected --host and --url of the new member");
        }
        if (minutes != null && (minutes < 1 || minutes > MOST_MINUTES)) {
            throw new WrongCallException("--minutes " + minutes + ": expected a number from 1 to " + MOST_MINUTES);
        }
        if (ports != null && (ports.size() != PORTS || ports.stream().anyMatch(each -> each < 1 || each > MOST_PORT))) {
            throw new WrongCallException("--ports " + ports + ": expected three numbers from 1 to " + MOST_PORT + ", for the bookie, copies and updates");
        }
    }

    /** The token alone goes where results go, so that a file can take it. */
    void run(Path file, String member, boolean isJson) throws IOException, CommandException {
        ClusterService.Invitation made = ClusterVerb.service().invite(file,
                new ClusterService.Newcomer(member, url, host, ports == null ? List.of() : ports, keys, minutes == null ? 60 : minutes));
        if (isJson) {
            Map<String, Object> facts = new LinkedHashMap<>();
            facts.put("invited", member);
            facts.put("token", made.token());
            facts.put("ends", made.ends().toString());
            facts.put("advice", made.advice());
            System.out.println(JsonText.of(facts));
            return;
        }
        System.out.println(made.token());
        System.out.flush();
        System.err.println(member + " is invited until " + made.ends() + ". Put this line into a file of the new machine that its owner alone can read, and run there, with an"
                + " empty data folder and HOST:PORT of any member that is here:");
        System.err.println("  bin/alder start --data DATA --join HOST:PORT --join-token-file FILE");
        if (made.advice() != null) {
            System.err.println(TerminalText.shown("what is left to do: " + made.advice()));
        }
    }
}
