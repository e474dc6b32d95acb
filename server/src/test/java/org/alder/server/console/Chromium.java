package org.alder.server.console;

import static org.junit.Assert.assertTrue;
import static org.junit.Assert.fail;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.alder.partition.testing.Await;
import org.alder.partition.text.JsonReader;
import org.alder.partition.text.JsonText;

/** A page in a headless Chromium, by its DevTools protocol (https://chromedevtools.github.io/devtools-protocol/). One thread. */
final class Chromium implements AutoCloseable {
    private static final int WIDTH = 1280;
    private static final int HEIGHT = 900;

    /** What the distributions call it. Ubuntu's are snaps, which cannot use a folder of ours: they are not among these. */
    private static final List<String> PROGRAMS = List.of("/usr/bin/chromium", "/usr/bin/google-chrome", "/usr/bin/google-chrome-stable");

    private final Process process;
    private final Path profile;
    private final Thread atTheEnd = new Thread(this::kill);
    private final Map<Integer, CompletableFuture<Map<?, ?>>> waiting = new ConcurrentHashMap<>();
    private final List<String> faults = new CopyOnWriteArrayList<>();
    private WebSocket socket;
    private int lastId;

    private Chromium(Process process, Path profile) {
        this.process = process;
        this.profile = profile;
        Runtime.getRuntime().addShutdownHook(atTheEnd);
    }

    /** The one of {@code -Dalder.test.browser}, or one that is installed; null if there is none. */
    static Path installed() throws IOException, InterruptedException {
        String named = System.getProperty("alder.test.browser");
        for (String program : named == null ? PROGRAMS : List.of(named)) {
            if (Files.isExecutable(Path.of(program)) && isBrowser(program)) {
                return Path.of(program);
            }
        }
        return null;
    }

    private static boolean isBrowser(String program) throws IOException, InterruptedException {
        Process asked = new ProcessBuilder(program, "--version").redirectErrorStream(true).start();
        asked.getOutputStream().close();
        String said = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return asked.waitFor(Await.SECONDS, TimeUnit.SECONDS) && asked.exitValue() == 0 && said.contains("Chrom");
    }

    /** @param profile an empty folder */
    static Chromium open(Path program, Path profile) throws Exception {
        boolean root = System.getProperty("user.name").equals("root");
        Chromium chromium = root ? null : open(program, profile, true);
        return chromium == null ? open(program, profile, false) : chromium;
    }

    /**
     * @param sandbox whether the browser guards itself against its pages: it never does as root, nor where the machine has neither user
     *     namespaces nor the helper that has the right instead. Its pages are ours
     * @return null if it does not start with its sandbox
     */
    private static Chromium open(Path program, Path profile, boolean sandbox) throws Exception {
        List<String> command = new ArrayList<>(List.of(program.toString(), "--headless=new", "--disable-gpu", "--no-first-run",
                "--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--lang=en",
                "--remote-debugging-port=0", "--user-data-dir=" + profile, "--window-size=" + WIDTH + "," + HEIGHT));
        if (!sandbox) {
            command.add("--no-sandbox");
        }
        command.add("about:blank");
        Path output = profile.resolve("output");
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().put("HOME", profile.toString());
        Chromium chromium = new Chromium(builder.start(), profile);
        boolean opened = false;
        try {
            Path portFile = profile.resolve("DevToolsActivePort");
            Await.until("the browser's port", () -> !chromium.process.isAlive() || Files.exists(portFile) && Files.readAllLines(portFile).size() > 1);
            if (!chromium.process.isAlive()) {
                String said = Files.readString(output);
                assertTrue("the browser has ended: " + said, sandbox && said.contains("sandbox"));
                return null;
            }
            chromium.attach("http://127.0.0.1:" + Files.readAllLines(portFile).get(0));
            opened = true;
            return chromium;
        } finally {
            if (!opened) {
                chromium.close();
            }
        }
    }

    private void attach(String url) throws Exception {
        HttpClient http = HttpClient.newHttpClient();
        HttpResponse<String> page = http.send(HttpRequest.newBuilder(URI.create(url + "/json/new?about:blank"))
                .PUT(HttpRequest.BodyPublishers.noBody()).build(), HttpResponse.BodyHandlers.ofString());
        String address = (String) ((Map<?, ?>) JsonReader.parse(page.body())).get("webSocketDebuggerUrl");
        socket = Await.result("the page", http.newWebSocketBuilder().buildAsync(URI.create(address), new Receiver()));
        ask("Page.enable", Map.of());
        ask("Runtime.enable", Map.of());
        ask("Log.enable", Map.of());
    }

    private final class Receiver implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
            text.append(part);
            if (last) {
                take((Map<?, ?>) JsonReader.parse(text.toString()));
                text.setLength(0);
            }
            from.request(1);
            return null;
        }
    }

    private void take(Map<?, ?> message) {
        if (message.get("id") instanceof Double id) {
            waiting.remove(id.intValue()).complete(message);
        } else if ("Runtime.exceptionThrown".equals(message.get("method")) || "Log.entryAdded".equals(message.get("method"))) {
            faults.add(JsonText.of(message));
        }
    }

    /** What the page's script did wrong, and what the browser refused it, since this was asked last. */
    List<String> takeFaults() {
        List<String> taken = List.copyOf(faults);
        faults.removeAll(taken);
        return taken;
    }

    private Map<?, ?> ask(String method, Map<String, ?> parameters) throws Exception {
        Map<?, ?> told = tell(method, parameters);
        if (told.get("result") == null) {
            fail(method + ": " + told);
        }
        return (Map<?, ?>) told.get("result");
    }

    private Map<?, ?> tell(String method, Map<String, ?> parameters) throws Exception {
        int id = ++lastId;
        CompletableFuture<Map<?, ?>> answer = new CompletableFuture<>();
        waiting.put(id, answer);
        socket.sendText(JsonText.of(Map.of("id", id, "method", method, "params", parameters)), true);
        return Await.result(method, answer);
    }

    void go(String url) throws Exception {
        ask("Page.navigate", Map.of("url", url));
    }

    /** What the expression is on the page; null where that is no text, number or truth value. */
    Object evaluate(String expression) throws Exception {
        Map<?, ?> told = ask("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
        if (told.get("exceptionDetails") != null) {
            fail(expression + ": " + told);
        }
        return ((Map<?, ?>) told.get("result")).get("value");
    }

    /** Also of a page that gives way to another one meanwhile, where nothing can be asked. */
    void await(String expression) throws Exception {
        Map<String, ?> asked = Map.of("expression", "!!(" + expression + ")", "returnByValue", true);
        Await.until(expression, () -> tell("Runtime.evaluate", asked).get("result") instanceof Map<?, ?> told
                && told.get("result") instanceof Map<?, ?> found && Boolean.TRUE.equals(found.get("value")));
    }

    /** As a person would with the keyboard. */
    void type(String selector, String text) throws Exception {
        await("document.querySelector('" + selector + "')");
        evaluate("document.querySelector('" + selector + "').focus(); document.querySelector('" + selector + "').select()");
        ask("Input.insertText", Map.of("text", text));
        evaluate("document.querySelector('" + selector + "').dispatchEvent(new Event('change'))");
    }

    /** With the mouse, where the element is. */
    void click(String element) throws Exception {
        await(element);
        evaluate(element + ".scrollIntoView({block: 'center'})");
        String place = (String) evaluate("(() => { const at = " + element + ".getBoundingClientRect(); return (at.x + at.width / 2) + ' ' + (at.y + at.height / 2); })()");
        double x = Double.parseDouble(place.split(" ")[0]);
        double y = Double.parseDouble(place.split(" ")[1]);
        for (String type : List.of("mousePressed", "mouseReleased")) {
            ask("Input.dispatchMouseEvent", Map.of("type", type, "x", x, "y", y, "button", "left", "clickCount", 1));
        }
    }

    byte[] screenshot() throws Exception {
        return Base64.getDecoder().decode((String) ask("Page.captureScreenshot", Map.of("format", "png")).get("data"));
    }

    @Override
    public void close() throws IOException {
        if (socket != null) {
            socket.abort();
        }
        Runtime.getRuntime().removeShutdownHook(atTheEnd);
        kill();
    }

    /** All of it: some of its processes are nobody's children. */
    private void kill() {
        List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
        all.add(process.toHandle());
        ProcessHandle.allProcesses().filter(each -> each.info().commandLine().orElse("").contains(profile.toString())).forEach(all::add);
        all.forEach(ProcessHandle::destroyForcibly);
        try {
            Await.until("the browser's processes to end", () -> all.stream().noneMatch(ProcessHandle::isAlive));
        } catch (Exception e) {
            throw new IllegalStateException("the browser does not end", e);
        }
    }
}
