package org.alder.server.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.alder.partition.text.Utf8;
import org.alder.server.cli.client.ServerConnection;
import org.alder.server.cli.option.CommandException;
import org.alder.server.wire.Listener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The service manager that has started this process and wants to be told how it is, as sd_notify(3) says; where none does, nothing
 * happens. Thread safe; closed by whoever made it.
 *
 * <p>Notices are datagrams to a unix-domain socket, which Java does not have: the program {@code systemd-notify} sends them, so a unit
 * needs {@code NotifyAccess=all}. That is a child of a few milliseconds at the start, at the stop and for each look of the watchdog.
 */
final class ServiceManager implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ServiceManager.class);
    /** systemd-notify itself waits five seconds for its notice to be taken. */
    private static final int NOTICE_SECONDS = 30;

    /** The command that sends notices; null where nobody wants any. */
    private final List<String> notify;
    /** In microseconds; 0 where nobody wants to hear that the server answers. */
    private final long watchdogMicros;
    private volatile Thread watchdog;

    private ServiceManager(List<String> notify, long watchdogMicros) {
        this.notify = notify;
        this.watchdogMicros = watchdogMicros;
    }

    /** By what the manager has put into the environment of its service. */
    static ServiceManager of(Map<String, String> environment) {
        return of(environment, List.of("systemd-notify"));
    }

    /** @param notify the command, to which notices are given as arguments */
    static ServiceManager of(Map<String, String> environment, List<String> notify) {
        boolean isWanted = !environment.getOrDefault("NOTIFY_SOCKET", "").isEmpty();
        String pid = environment.get("WATCHDOG_PID");
        boolean isMine = pid == null || pid.equals(Long.toString(ProcessHandle.current().pid()));
        String micros = environment.getOrDefault("WATCHDOG_USEC", "");
        return new ServiceManager(isWanted ? notify : null, isWanted && isMine && micros.matches("\\d{1,18}") ? Long.parseLong(micros) : 0);
    }

    /**
     * From now on the server serves, and the watchdog looks.
     *
     * @param listeners those that there are, by their URLs and in their order; the watchdog asks for them each time
     * @param entry that is searched for to see whether the server answers
     */
    void tellReady(Supplier<Map<String, Listener>> listeners, String entry) {
        tell("READY=1", "STATUS=serving on " + String.join(" ", listeners.get().keySet()));
        if (watchdogMicros == 0) {
            return;
        }
        if (inClear(listeners.get()) == null) {
            LOG.warn("the watchdog cannot see whether the server answers: it asks over ldapi, or over ldap without a proxy, and there is no"
                    + " such listener (add one such as listener: ldapi://%2Frun%2Falder%2Fldapi); it tells that the process runs, no more");
        }
        watchdog = new Thread(() -> watch(listeners, entry), "alder-watchdog");
        watchdog.setDaemon(true);
        watchdog.start();
    }

    /** The server ends of its own accord. */
    void tellStopping() {
        close();
        tell("STOPPING=1", "STATUS=stopping");
    }

    /** A unix-domain socket first: there a program of this machine has a place also when addresses are short of connections. */
    private static String inClear(Map<String, Listener> listeners) {
        String found = null;
        for (Map.Entry<String, Listener> each : listeners.entrySet()) {
            Listener listener = each.getValue();
            if (listener.scheme() == Listener.Scheme.LDAPI) {
                return each.getKey();
            }
            if (found == null && listener.scheme() == Listener.Scheme.LDAP && listener.proxies().isEmpty()) {
                found = each.getKey().replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
            }
        }
        return found;
    }

    /**
     * Twice in each interval it opens a connection as any client does and waits for the answer to a search in the first partition: that
     * takes those who accept and read, the directory and the store. A server that is overloaded answers, with busy. One that does not
     * answer keeps this thread waiting, so the manager hears nothing and starts it anew.
     */
    private void watch(Supplier<Map<String, Listener>> listeners, String entry) {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                String url = inClear(listeners.get());
                if (url == null || answers(url, entry)) {
                    tell("WATCHDOG=1");
                }
                TimeUnit.MICROSECONDS.sleep(watchdogMicros / 2);
            }
        } catch (InterruptedException e) {
            LOG.debug("the watchdog looks no more", e);
        }
    }

    private static boolean answers(String url, String entry) {
        try (ServerConnection server = ServerConnection.openInClear(url)) {
            server.awaitAnswer(entry);
            return true;
        } catch (IOException | CommandException e) {
            LOG.warn("the watchdog got no answer from {}: {}", url, e.getMessage());
            return false;
        }
    }

    private void tell(String... notices) {
        if (notify == null) {
            return;
        }
        List<String> command = new ArrayList<>(notify);
        command.addAll(List.of(notices));
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            if (!process.waitFor(NOTICE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                LOG.warn("{} has not ended within {} seconds: the service manager was not told {}", notify.get(0), NOTICE_SECONDS, notices[0]);
            } else if (process.exitValue() != 0) {
                String said = Utf8.shown(process.getInputStream().readAllBytes()).strip();
                LOG.warn("{} ended with status {} ({}): the service manager was not told {}", notify.get(0), process.exitValue(), said,
                        notices[0]);
            }
        } catch (IOException e) {
            LOG.warn("{} cannot be run ({}): the service manager was not told {}, and may take this server for one that does not start;"
                    + " install it, or have Type=exec and no WatchdogSec in the unit", notify.get(0), e.getMessage(), notices[0]);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The watchdog looks no more. */
    @Override
    public void close() {
        Thread looking = watchdog;
        if (looking != null) {
            looking.interrupt();
        }
    }
}
