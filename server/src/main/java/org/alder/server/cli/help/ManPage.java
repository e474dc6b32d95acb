package org.alder.server.cli.help;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Manual pages in the form of man(7). picocli's own generator writes AsciiDoc, which only Asciidoctor, a Ruby program of 30 MB, makes a manual
 * page of; a build would need both. Stateless.
 */
public final class ManPage {
    private static final String SECTION = ".1";

    private ManPage() {
    }

    /** Of the program, and of every verb: the pages by the names of their files. */
    public static Map<String, String> all(CommandSpec root) {
        Map<String, String> pages = new TreeMap<>();
        List<Manual> manuals = Manual.all(root.commandLine());
        pages.put(root.name() + SECTION, ofAll(String.join(" ", root.usageMessage().description()), manuals, root.version()[0]));
        manuals.forEach(manual -> pages.put(fileName(manual.name()), of(manual, root.version()[0], List.of(root.name()))));
        return pages;
    }

    /** @param name of a verb, such as {@code alder search}, or of the program */
    public static String fileName(String name) {
        return name.replace(' ', '-') + SECTION;
    }

    /** Of one verb: alder-VERB(1). @param others the names of the other pages */
    private static String of(Manual manual, String version, List<String> others) {
        StringBuilder page = new StringBuilder(4096);
        head(page, manual.name().replace(' ', '-'), manual.description(), version);
        page.append(".SH SYNOPSIS\n").append(text(manual.synopsis())).append("\n.SH DESCRIPTION\n").append(text(manual.description())).append('\n');
        items(page, "ARGUMENTS", manual.parameters());
        items(page, "OPTIONS", manual.options());
        if (!manual.examples().isEmpty()) {
            page.append(".SH EXAMPLES\n.nf\n");
            manual.examples().forEach(line -> page.append(text(line)).append('\n'));
            page.append(".fi\n");
        }
        page.append(".SH EXIT STATUS\n0: done. 1: not done, and standard error says why. 2: a wrong call. 130: stopped by Ctrl\\-C."
                + " 141: nobody reads its results to the end.\n");
        seeAlso(page, others);
        return page.toString();
    }

    /** Of the program: alder(1). */
    private static String ofAll(String description, List<Manual> manuals, String version) {
        StringBuilder page = new StringBuilder(4096);
        head(page, "alder", description, version);
        page.append(".SH SYNOPSIS\nalder VERB [OPTION...]\n.SH DESCRIPTION\n").append(text(description)).append("\n.SH VERBS\n");
        manuals.forEach(each -> page.append(".TP\n.B ").append(text(each.name())).append('\n').append(text(firstSentence(each.description())))
                .append('\n'));
        page.append(".SH ENVIRONMENT\n.TP\n.B JAVA_HOME\nwhich Java runs it\n.TP\n.B ALDER_JAVA_OPTS\nfurther options of Java's own, such as"
                + " \\-Xmx4g\n.TP\n.B ALDER_ADMIN_PASSWORD\nthe administrator's password\n");
        seeAlso(page, manuals.stream().map(each -> each.name().replace(' ', '-')).toList());
        return page.toString();
    }

    private static void head(StringBuilder page, String name, String description, String version) {
        page.append(".TH ").append(text(name.toUpperCase(Locale.ROOT))).append(" 1 \"\" \"").append(text(version)).append("\"\n.SH NAME\n")
                .append(text(name)).append(" \\- ").append(text(firstSentence(description))).append('\n');
    }

    private static void items(StringBuilder page, String title, List<Manual.Item> items) {
        if (!items.isEmpty()) {
            page.append(".SH ").append(title).append('\n');
            items.forEach(item -> page.append(".TP\n.B ").append(text(item.names())).append('\n').append(text(item.text())).append('\n'));
        }
    }

    private static void seeAlso(StringBuilder page, List<String> names) {
        page.append(".SH SEE ALSO\n");
        names.forEach(name -> page.append(".BR ").append(text(name)).append(" (1)\n"));
    }

    private static String firstSentence(String text) {
        int end = text.indexOf(". ");
        return end < 0 ? text.replaceFirst("\\.$", "") : text.substring(0, end);
    }

    /** What troff would act upon is written so that it is shown. */
    private static String text(String text) {
        String escaped = text.replace("\\", "\\e").replace("-", "\\-");
        return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
    }
}
