package org.alder.server.cli;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.alder.partition.text.JsonText;
import org.alder.server.auth.PasswordSettings;
import org.alder.server.auth.Passwords;
import org.alder.server.auth.scheme.Argon2Cost;
import org.alder.server.cli.option.CommandException;
import org.alder.server.cli.option.JsonOption;
import org.alder.server.cli.option.Verb;
import org.alder.server.cli.option.WrongCallException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Finds what Argon2id may take on this machine for a login not to take longer than is wanted. Changes nothing. */
@Command(name = "calibrate", mixinStandardHelpOptions = true,
        description = "Find the Argon2id settings with which hashing a password, and so a login, takes a given time on this machine. Run it with "
                + "the server's heap (ALDER_JAVA_OPTS), on an idle machine.",
        footer = {"  alder calibrate --millis 250"})
final class CalibrateVerb implements Verb {
    private static final int TRIES = 5;
    private static final int MOST_PASSES = 1000;

    @Option(names = "--millis", paramLabel = "N", defaultValue = "100", description = "How long a login may take, in milliseconds (default: "
            + "${DEFAULT-VALUE}).")
    private long millis;

    @Mixin
    private JsonOption json;

    @Override
    public Integer call() throws CommandException {
        if (millis < 1) {
            throw new WrongCallException("--millis " + millis + ": expected at least 1");
        }
        Argon2Cost cost = Argon2Cost.STANDARD;
        double took = measured(cost);
        while (2 * took <= millis && 2L * cost.kibibytes() <= Argon2Cost.mostKibibytes()) {
            cost = new Argon2Cost(2 * cost.kibibytes(), cost.passes(), cost.lanes());
            took = measured(cost);
        }
        double pass = took / cost.passes();
        int passes = (int) Math.max(cost.passes(), Math.min(MOST_PASSES, Math.floor(millis / pass)));
        cost = new Argon2Cost(cost.kibibytes(), passes, cost.lanes());
        if (json.isOn()) {
            Map<String, Object> facts = new LinkedHashMap<>();
            facts.put("millis", Math.round(pass * passes));
            facts.put("argon2Bytes", cost.kibibytes() * 1024L);
            facts.put("argon2Passes", cost.passes());
            System.out.println(JsonText.of(facts));
            return 0;
        }
        System.out.println("# one password takes about " + String.format(Locale.ROOT, "%.0f", pass * passes) + " ms");
        System.out.println("argon2Bytes: " + cost.kibibytes() + "k");
        System.out.println("argon2Passes: " + cost.passes());
        return 0;
    }

    /** The best of some tries, in milliseconds: the first ones are slower than the server will be. */
    private static double measured(Argon2Cost cost) {
        Passwords passwords = new Passwords(PasswordSettings.STANDARD.withArgon2(cost));
        long best = Long.MAX_VALUE;
        for (int i = 0; i < TRIES; i++) {
            long start = System.nanoTime();
            passwords.hashed(new byte[] {1});
            best = Math.min(best, System.nanoTime() - start);
        }
        return (double) best / TimeUnit.MILLISECONDS.toNanos(1);
    }
}
