package org.alder.server.cli.client;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.alder.partition.ber.BerException;
import org.alder.partition.text.Counted;
import org.alder.partition.text.Utf8;
import org.alder.server.cli.option.CommandException;
import org.alder.server.client.LdapAnswer;
import org.alder.server.control.search.AccountUsability;
import org.alder.server.policy.AccountAttributes;
import org.alder.server.policy.AccountStanding;
import org.alder.server.policy.AccountState;

/** What state an account is in, and why, in words and in facts. Immutable. */
record AccountReport(LdapAnswer.Entry found, AccountState state, Instant now) {
    private static final String NOT_TOLD = "not told: the entry has no password, or who asks may not read its state";

    /** @return null if the server tells nothing of the account */
    private AccountStanding standing() throws CommandException {
        byte[] control = found.controls().get(AccountUsability.OID);
        if (control == null) {
            return null;
        }
        try {
            return AccountUsability.standing(control);
        } catch (BerException e) {
            throw new CommandException("the server's answer is no account usability control: " + e.getMessage(), e);
        }
    }

    Map<String, String> lines() throws CommandException {
        AccountStanding standing = standing();
        Map<String, String> lines = new LinkedHashMap<>();
        lines.put("account", found.dn());
        if (standing == null) {
            lines.put("state", NOT_TOLD);
            return lines;
        }
        List<String> reasons = reasons(standing);
        lines.put("state", reasons.isEmpty() ? "may log in" : String.join("; ", reasons));
        lines.put("password", (state.changed() == null ? "set at a time that is not known" : "set " + time(state.changed()))
                + (standing.expirySeconds() < 0 ? "" : ", expires " + after(standing.expirySeconds())));
        if (!state.failures().isEmpty()) {
            lines.put("failures", state.failures().size() + ", the last " + time(state.failures().get(state.failures().size() - 1)));
        }
        lines.put("last login", state.lastSuccess() == null ? "not known" : time(state.lastSuccess()));
        if (state.start() != null || state.end() != null) {
            lines.put("valid", (state.start() == null ? "" : "from " + time(state.start()) + ' ')
                    + (state.end() == null ? "" : "until " + time(state.end())));
        }
        lines.put("policy", policy() == null ? "of the subtree or the configuration" : policy());
        return lines;
    }

    Map<String, Object> facts() throws CommandException {
        AccountStanding standing = standing();
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("account", found.dn());
        if (standing == null) {
            facts.put("reasons", List.of(NOT_TOLD));
            return facts;
        }
        facts.put("usable", standing.isUsable());
        facts.put("reasons", reasons(standing));
        facts.put("inactive", standing.inactive());
        facts.put("mustChange", standing.reset());
        facts.put("expired", standing.expired());
        put(facts, "graceLogins", standing.expired() ? standing.graceLogins() : null);
        put(facts, "unlockSeconds", standing.unlockSeconds() < 0 ? null : standing.unlockSeconds());
        put(facts, "expirySeconds", standing.expirySeconds() < 0 ? null : standing.expirySeconds());
        facts.put("failures", state.failures().size());
        put(facts, "passwordSet", json(state.changed()));
        put(facts, "lastLogin", json(state.lastSuccess()));
        put(facts, "validFrom", json(state.start()));
        put(facts, "validUntil", json(state.end()));
        put(facts, "policy", policy());
        return facts;
    }

    private static void put(Map<String, Object> facts, String name, Object value) {
        if (value != null) {
            facts.put(name, value);
        }
    }

    private static Object json(Instant time) {
        return time == null ? null : time.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private String policy() {
        List<byte[]> named = found.byDescription().get("pwdPolicySubentry");
        return named == null ? null : Utf8.shown(named.get(0));
    }

    private List<String> reasons(AccountStanding standing) {
        List<String> reasons = new ArrayList<>();
        if (AccountState.FOREVER.equals(state.lockedSince())) {
            reasons.add("locked by an administrator, until it is unlocked");
        }
        if (state.disabled()) {
            reasons.add("out of use (nsAccountLock, ds-pwp-account-disabled or nsRoleDN), until it is unlocked");
        }
        if (state.start() != null && now.isBefore(state.start())) {
            reasons.add("not valid before " + time(state.start()) + " (pwdStartTime)");
        }
        if (state.end() != null && !now.isBefore(state.end())) {
            reasons.add("not valid since " + time(state.end()) + " (" + AccountAttributes.ENDS.stream()
                    .filter(found.byDescription()::containsKey).collect(Collectors.joining(", ")) + ')');
        }
        if (standing.inactive() && reasons.isEmpty()) {
            reasons.add(locked(standing));
        }
        if (standing.reset()) {
            reasons.add("the password has to be changed at the next login");
        }
        if (standing.expired()) {
            reasons.add("the password has expired" + (standing.graceLogins() > 0
                    ? ", and lets its user in " + standing.graceLogins() + " more times" : ""));
        }
        return reasons;
    }

    private String locked(AccountStanding standing) {
        if (state.lockedSince() != null) {
            return "locked after wrong passwords since " + time(state.lockedSince()) + ", until "
                    + (standing.unlockSeconds() < 0 ? "it is unlocked" : after(standing.unlockSeconds()));
        }
        if (state.inherited().unlocked() != null) {
            return "locked after wrong passwords at another server (accountUnlockTime), until "
                    + (standing.unlockSeconds() < 0 ? "it is unlocked" : after(standing.unlockSeconds()));
        }
        return standing.unlockSeconds() < 0 ? "not used for longer than the policy allows (pwdMaxIdle)"
                : "no password is taken after wrong ones until " + after(standing.unlockSeconds());
    }

    private String after(long seconds) {
        return time(now.plusSeconds(seconds)) + " (in " + duration(Duration.ofSeconds(seconds)) + ')';
    }

    private static String duration(Duration duration) {
        return duration.toDays() > 1 ? duration.toDays() + " days" : duration.toHours() > 1 ? duration.toHours() + " hours"
                : duration.toMinutes() > 1 ? duration.toMinutes() + " minutes" : Counted.of(duration.toSeconds(), "second");
    }

    private static String time(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
