package org.alder.server.migration;

import java.util.List;
import java.util.Locale;

/** What OpenDJ's privileges let their holders do, which no rule of its own says, and what to do about that here. Stateless. */
final class OpenDjPrivileges {
    /** Of a user, or of a subtree's users: whose they are, and which one. */
    static final String OF_USERS = "ds-privilege-name";
    /** Those that all root users have. */
    static final String OF_ROOT = "ds-cfg-default-root-privilege-name";
    /** Those that everybody has, in effect, as they are not asked for. */
    static final String OF_ALL = "ds-cfg-disabled-privilege";

    private OpenDjPrivileges() {
    }

    /** Collects those of an entry of the configuration. */
    static void add(ForeignEntry entry, List<ForeignSetting> settings) {
        for (String attribute : List.of(OF_ROOT, OF_ALL)) {
            List<String> names = entry.values(attribute);
            if (!names.isEmpty()) {
                settings.add(entry.setting(attribute, attribute, names.toArray(String[]::new)));
            }
        }
        entry.addEach(OF_USERS, OF_USERS, settings);
    }

    /** Why it is not taken over, and what to do. */
    static String advice(ForeignSetting setting) {
        return switch (setting.name()) {
            case OF_ROOT -> "there are no privileges here: administratorDn, and the members of the group that administrators names, may do everything. Put the"
                    + " other root users there";
            case OF_ALL -> "there it is not asked for, so whoever the access rules let may do it; here the rules alone decide, and what only administrators may"
                    + " stays theirs";
            default -> "of \"" + setting.word(0) + "\": " + ofUser(setting.word(1).toLowerCase(Locale.ROOT), setting.word(0));
        };
    }

    private static String ofUser(String privilege, String dn) {
        if (privilege.startsWith("-")) {
            return "it takes a privilege away that root users have; here nobody has it but administrators";
        }
        return switch (privilege) {
            case "bypass-acl", "modify-acl", "config-read", "config-write", "update-schema", "backend-backup", "backend-restore", "ldif-import", "ldif-export",
                    "server-shutdown", "server-restart", "server-lockdown", "disconnect-client", "cancel-request", "privilege-change", "jmx-read", "jmx-write",
                    "jmx-notify", "data-sync", "subentry-write" -> "only administrators may: put the entry into the group that administrators names, if it is to";
            case "bypass-lockdown" -> "nothing here is locked down: not needed";
            case "password-reset" -> "write grant write of userPassword in \"...\" to \"" + dn + '"';
            case "proxied-auth" -> "write grant proxy in \"...\" to \"" + dn + '"';
            case "unindexed-search" -> "write a limitRule with examined for it (docs/limits.md)";
            default -> "no counterpart";
        };
    }
}
