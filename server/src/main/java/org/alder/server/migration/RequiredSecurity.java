package org.alder.server.migration;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What a server asks of all clients before it looks at any rule, as rules that deny, which have to stand before all others: of slapd
 * {@code require}, {@code security}, {@code disallow} and {@code restrict}; what 389 and OpenDJ say of it is said in these words. One thread.
 */
final class RequiredSecurity {
    private static final String WRITES = "add, write, selfWrite, delete, rename";

    private final String place;
    private final List<String> rules = new ArrayList<>();
    private final List<String> open = new ArrayList<>();

    /** @param suffix where it holds; null for everywhere */
    RequiredSecurity(ForeignSetting setting, String suffix) {
        this.place = suffix == null ? "" : " in " + SlapdSubject.quoted(suffix);
        for (String word : setting.words()) {
            String lower = word.toLowerCase(Locale.ROOT);
            switch (setting.name()) {
                case "require", "requires" -> require(lower);
                case "security" -> strength(lower);
                case "disallow", "disallows" -> disallow(lower);
                default -> restrict(lower);
            }
        }
    }

    List<String> rules() {
        return rules;
    }

    /** What could not be said. */
    List<String> open() {
        return open;
    }

    private void deny(String rights, String subject) {
        rules.add("deny " + rights + place + " to " + subject);
    }

    private void require(String word) {
        switch (word) {
            case "authc" -> deny("all", "anonymous");
            case "sasl", "strong" -> {
                deny("all", "anonymous or mechanism SIMPLE");
                deny("authenticate", "mechanism SIMPLE");
            }
            case "ldapv3", "bind", "none" -> {
                // There is no LDAPv2 here, and who has bound anonymously is as good as who has not.
            }
            default -> open.add(word + " has no counterpart");
        }
    }

    private void strength(String word) {
        int equals = word.indexOf('=');
        String bits = word.substring(equals + 1);
        if (equals < 0 || !bits.matches("\\d{1,3}")) {
            open.add(word + " has no counterpart");
            return;
        } else if (Integer.parseInt(bits) == 0) {
            return;
        }
        String least = "not ssf " + bits;
        switch (word.substring(0, equals)) {
            case "ssf", "transport" -> deny("all, authenticate", least);
            case "tls" -> deny("all, authenticate", "not tls or " + least);
            case "update_ssf", "update_transport" -> deny(WRITES, least);
            case "update_tls" -> deny(WRITES, "not tls or " + least);
            case "simple_bind" -> deny("authenticate", "mechanism SIMPLE and " + least);
            default -> open.add(word + " has no counterpart: say it with tls and ssf in access rules");
        }
    }

    private void disallow(String word) {
        switch (word) {
            case "bind_simple" -> deny("authenticate", "mechanism SIMPLE");
            case "bind_anon" -> open.add("bind_anon refuses the bind, and not what is anonymous: rules say what that may");
            default -> open.add(word + " has no counterpart");
        }
    }

    /** Operations that are refused. */
    private void restrict(String word) {
        Set<String> rights = new LinkedHashSet<>();
        switch (word) {
            case "bind" -> rights.add("authenticate");
            case "add", "delete", "rename", "compare" -> rights.add(word);
            case "modify" -> rights.add("write, selfWrite");
            case "search" -> rights.add("search, read");
            case "read" -> rights.add("view");
            case "write" -> rights.add(WRITES);
            case "all" -> rights.add("all, authenticate");
            default -> open.add(word + " has no counterpart");
        }
        if (!rights.isEmpty()) {
            deny(String.join(", ", rights), "anyone");
        }
    }
}
