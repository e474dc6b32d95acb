package org.alder.server.migration;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;

/**
 * Makes a configuration of the settings of OpenLDAP's slapd, in the order in which they stand; those of other servers are said in its
 * words. One thread.
 */
final class SlapdMigration {
    /** Databases that hold entries of their own. */
    private static final Set<String> STORES = Set.of("mdb", "hdb", "bdb", "ldbm", "ldif", "wt");
    private static final Set<String> UNNEEDED = Set.of(
            "pidfile", "argsfile", "modulepath", "moduleload", "loglevel", "logfile", "directory", "mode", "maxsize",
            "checkpoint", "cachesize", "idlcachesize", "dncachesize", "cachefree", "searchstack", "threads", "threadqueues",
            "listener-threads", "listenerthreads", "tool-threads", "toolthreads", "dbconfig", "dirtyread", "envflags",
            "maxreaders", "maxentrysize", "rtxnsize", "lastmod", "monitoring", "backend", "concurrency", "conn_max_pending",
            "connmaxpending", "connmaxpendingauth", "conn_max_pending_auth", "gentlehup", "attributeoptions", "configfile",
            "configdir", "authzpolicy", "authz-policy", "reverselookup", "reverse-lookup", "localssf", "maxfilterdepth",
            "maxderefdepth", "schemadn", "syncusesubentry", "addcontentacl", "writetimeout", "indexhash64", "indexintlen",
            "indexsubstrifmaxlen", "indexsubstrifminlen", "indexsubstranylen", "indexsubstranystep",
            "saslauxpropsdontusecopyignore", "dbcachesize", "dbidlcachesize", "dblinearindex", "dbnosync", "dbmaxsize",
            "dbmaxreaders", "dbmode", "dbsearchstack", "dbmaxentrysize", "dbrtxnsize", "dbcheckpoint", "dbenvflags",
            "dbdncachesize", "dbcachefree", "dbdirtyread", "dbshmkey", "shm_key", "password-hash", "sp-checkpoint",
            "syncprov-checkpoint", "spcheckpoint", "syncprov-sessionlog", "spsessionlog", "spnopresent", "spreloadhint",
            "syncprov-reloadhint", "sockbuf_max_incoming", "sockbuf_max_incoming_auth", "sockbufmaxincoming",
            "sockbufmaxincomingauth", "tlsrandfile", "tlsdhparamfile", "tlsecname", "serverid", "ppolicydisablewrite",
            "ppolicysendnetscapecontrols", "index_substr_if_minlen", "index_substr_if_maxlen", "index_substr_any_len",
            "index_substr_any_step", "index_intlen", "index_hash64", "hidden", "extraattrs", "saslsecprops", "sasl-secprops",
            "tlscrlcheck");

    private final MigratedConfiguration target;
    private final RulesSource rules;
    private String administrator;
    private final MigrationReport report;
    private final SlapdLimits limits = new SlapdLimits();
    private final List<ForeignSetting> globalAccess = new ArrayList<>();
    private final List<ForeignSetting> limitRules = new ArrayList<>();
    private final List<ForeignSetting> acis = new ArrayList<>();
    private final List<ForeignSetting> items = new ArrayList<>();
    private final List<String> suffixes = new ArrayList<>();
    private final List<ForeignSetting> globalSecurity = new ArrayList<>();
    private final List<ForeignSetting> security = new ArrayList<>();
    /** Null outside of a database, or in one that has no counterpart. */
    private SlapdDatabase database;
    private MigratedConfiguration.Part part;
    private String type = "";
    private String overlay = "";
    private String suffix;
    private final List<ForeignSetting> access = new ArrayList<>();
    private boolean isReadOnly;
    private boolean isPasswordTold;

    SlapdMigration(MigratedConfiguration target, RulesSource rules, MigrationReport report) {
        this.target = target;
        this.rules = rules;
        this.report = report;
    }

    void run(List<ForeignSetting> settings) throws MigrationException {
        rule("grant view in base \"\" to anyone", "the root DSE and the schema are there for everybody, as there");
        rule("grant view in base \"cn=schema\" to anyone", "");
        rule("grant view in base \"cn=Subschema\" to anyone", "");
        rule("deny all in \"cn=Monitor\" to anyone", "administrators alone see cn=Monitor");
        if (rules != RulesSource.SETTINGS) {
            rule("grant authenticate to anyone", "whoever has a password logs in, as there");
        }
        for (ForeignSetting setting : settings) {
            take(setting);
        }
        endDatabase();
        instructions();
        for (ForeignSetting setting : globalSecurity) {
            require(setting, null);
        }
        for (ForeignSetting setting : globalAccess) {
            access(setting, new SlapdAccess(setting, null), null);
        }
        limits();
        if (target.partitions().isEmpty()) {
            throw new MigrationException("there is no database with a suffix: expected the configuration of a slapd with one");
        }
    }

    private void take(ForeignSetting setting) throws MigrationException {
        switch (setting.name()) {
            case "database" -> {
                endDatabase();
                type = setting.word(0).toLowerCase(Locale.ROOT);
                if (!STORES.contains(type) && !Set.of("config", "monitor", "frontend", "null").contains(type)) {
                    report.open(setting, "a database of this kind has no counterpart: what is in it is not served");
                }
            }
            case "overlay" -> overlay(setting);
            case "suffix" -> suffix(setting);
            case "rootdn" -> administrator(setting);
            case "rootpw" -> password(setting);
            case "index" -> {
                if (database != null) {
                    database.index(setting);
                }
            }
            case "access" -> (type.isEmpty() || type.equals("frontend") ? globalAccess : access).add(setting);
            case "limits" -> limitRules.add(setting);
            case "set" -> add(setting, setting.word(0), setting.word(1));
            case "setpartition" -> {
                if (database != null) {
                    database.key(setting);
                }
            }
            case "listen" -> report.open(setting, "Alder listens on 10389 and 10636 of this machine: listener says where else (docs/tls.md)");
            case "aci", "globalaci" -> acis.add(setting);
            case OpenDjPrivileges.OF_USERS, OpenDjPrivileges.OF_ROOT, OpenDjPrivileges.OF_ALL -> report.open(setting, OpenDjPrivileges.advice(setting));
            case "prescriptiveaci", "entryaci", "subentryaci" -> items.add(setting);
            case "sizelimit", "timelimit" -> {
                limits.take(setting.words(), setting.name().substring(0, 4));
                limits.open().forEach(each -> report.open(setting, each));
                limits.open().clear();
            }
            case "readonly" -> isReadOnly |= setting.isOn() && !type.isEmpty();
            case "ppolicy_default" -> add(setting, "passwordPolicyEntry", setting.word(0));
            case "ppolicy_use_lockout" -> {
                if (setting.isOn()) {
                    add(setting, "passwordPolicyTellLocks", "true");
                }
            }
            default -> takeRest(setting);
        }
    }

    private void takeRest(ForeignSetting setting) throws MigrationException {
        if (setting.words().size() == 1 && List.of("false", "0", "off", "no").contains(setting.word(0).toLowerCase(Locale.ROOT))
                || MigratedSchema.DIRECTIVES.contains(setting.name())) {
            return;
        }
        switch (setting.name()) {
            case "idletimeout" -> add(setting, "idleTimeoutSeconds", setting.word(0));
            case "referral" -> add(setting, "superiorReferral", setting.word(0));
            case "lastbind" -> report.mapped(setting, "the last login is always noted (lastLoginSeconds)");
            case "lastbind-precision" -> add(setting, "lastLoginSeconds", setting.word(0));
            case "tlscertificatefile" -> file(setting, "tlsCertificateFile");
            case "tlscertificatekeyfile" -> file(setting, "tlsKeyFile");
            case "tlscacertificatefile" -> file(setting, "tlsAuthorityFile");
            case "tlscrlfile" -> file(setting, "tlsRevocationFile");
            case "tlsverifyclient" -> clientCertificates(setting);
            case "tlsprotocolmin" -> {
                if (setting.word(0).equals("3.4")) {
                    add(setting, "tlsProtocol", "TLSv1.3");
                } else {
                    report.unneeded(setting);
                }
            }
            case "syncrepl", "mirrormode", "multiprovider", "updateref" -> report.open(setting, "Alder is no consumer of replication; others can"
                    + " replicate from it (docs/synchronization.md)");
            case "security", "require", "requires", "disallow", "disallows", "restrict" ->
                (type.isEmpty() || type.equals("frontend") ? globalSecurity : security).add(setting);
            case "authz-regexp", "authzregexp" -> report.open(setting, "say it with identityMapping (docs/authentication.md)");
            case "include" -> report.open(setting, "there is no such file: what is in it is missing here");
            default -> {
                if (UNNEEDED.contains(setting.name())) {
                    report.unneeded(setting);
                } else if (!(database != null && database.overlay(overlay, setting))) {
                    report.open(setting, "not known, or without a counterpart");
                }
            }
        }
    }

    private void overlay(ForeignSetting setting) {
        overlay = setting.word(0).toLowerCase(Locale.ROOT);
        switch (overlay) {
            case "memberof" -> {
                if (database != null) {
                    database.memberOf(setting);
                }
            }
            case "refint", "unique", "ppolicy", "dynlist", "constraint" -> {
                // Their directives say what becomes of them.
            }
            case "syncprov" -> report.mapped(setting, "changes are always served to who synchronizes (docs/synchronization.md)");
            case "sssvlv", "deref", "valsort" -> report.mapped(setting, "sorting, list views and dereferencing are always there");
            case "accesslog", "auditlog" -> report.open(setting, "the audit log has it: audit: writes (docs/security.md)");
            default -> report.open(setting, "this overlay has no counterpart");
        }
    }

    private void suffix(ForeignSetting setting) throws MigrationException {
        if (!STORES.contains(type)) {
            return;
        }
        if (part != null) {
            endPartition();
        }
        part = target.partition(setting.word(0), setting.toString());
        if (part == null) {
            report.open(setting, "not a suffix that a partition can have");
            return;
        }
        suffix = setting.word(0);
        suffixes.add(suffix);
        database = new SlapdDatabase(part, report);
        report.mapped(setting, "a partition");
    }

    /** Who administers the configuration database has nothing to do here. */
    private void administrator(ForeignSetting setting) throws MigrationException {
        if (!STORES.contains(type)) {
            report.unneeded(setting);
        } else if (setting.word(0).equals(administrator)) {
            return;
        } else if (administrator != null) {
            report.open(setting, "there is one administratorDn for all partitions: put this one into the group that administrators names");
        } else {
            administrator = setting.word(0);
            add(setting, "administratorDn", administrator);
        }
    }

    private void password(ForeignSetting setting) {
        if (STORES.contains(type) && !isPasswordTold) {
            isPasswordTold = true;
            report.open(setting, "the administrator's password is not in the configuration: the first start makes one in DATA/admin.password, or"
                    + " write yours into that file");
        }
    }

    private void file(ForeignSetting setting, String key) throws MigrationException {
        if (Files.isReadable(Path.of(setting.word(0)).toAbsolutePath())) {
            add(setting, key, Path.of(setting.word(0)).toAbsolutePath().normalize().toString());
        } else {
            report.open(setting, "cannot be read from here: " + key + " names it");
        }
    }

    private void clientCertificates(ForeignSetting setting) throws MigrationException {
        switch (setting.word(0).toLowerCase(Locale.ROOT)) {
            case "never" -> report.unneeded(setting);
            case "allow", "try" -> add(setting, "tlsClientCertificate", "optional");
            default -> add(setting, "tlsClientCertificate", "required");
        }
    }

    private void add(ForeignSetting setting, String key, String value) throws MigrationException {
        if (target.server().has(key)) {
            report.open(setting, key + " is there already, from another database or line");
            return;
        }
        String problem = target.server().add(key, value, setting.toString());
        if (problem == null) {
            report.mapped(setting, key + ": " + value);
        } else {
            report.open(setting, problem);
        }
    }

    private void endDatabase() throws MigrationException {
        if (part != null) {
            endPartition();
        }
        access.clear();
        security.clear();
        type = "";
        overlay = "";
        isReadOnly = false;
    }

    private void endPartition() throws MigrationException {
        database.finish();
        for (ForeignSetting setting : security) {
            require(setting, suffix);
        }
        if (isReadOnly) {
            rule("deny add, write, selfWrite, delete, rename in " + SlapdSubject.quoted(suffix) + " to anyone", "readonly: administrators may write");
        }
        List<SlapdAccess> made = access.stream().map(setting -> new SlapdAccess(setting, suffix)).toList();
        hide(made);
        for (int i = 0; i < made.size(); i++) {
            access(access.get(i), made.get(i), suffix);
        }
        if (rules == RulesSource.SETTINGS && access.isEmpty() && globalAccess.isEmpty()) {
            rule("grant authenticate in " + SlapdSubject.quoted(suffix) + " to anyone", "slapd without access rules lets everybody read everything");
            rule("grant view in " + SlapdSubject.quoted(suffix) + " to anyone", "");
            report.open("the database " + suffix + " has no access rules: everybody reads everything, as at slapd, but for passwords. Write rules for it"
                    + " (docs/access-rules.md)");
        }
        part = null;
        database = null;
    }

    private void require(ForeignSetting setting, String place) throws MigrationException {
        RequiredSecurity required = new RequiredSecurity(setting, place);
        required.open().forEach(each -> report.open(setting, each));
        for (String rule : required.rules()) {
            String problem = target.server().addFirstRule(rule, setting.toString());
            if (problem == null) {
                report.mapped(setting, "accessRule: " + rule);
            } else {
                report.open(setting, "\"" + rule + "\" is refused: " + problem);
            }
        }
    }

    private void rule(String rule, String comment) throws MigrationException {
        String problem = target.server().addRule(rule, comment);
        if (problem != null) {
            report.open(comment + ": \"" + rule + "\" is refused: " + problem);
        }
    }

    /** slapd shows an entry to whom the first line says so that is about entries; here it is there for whoever may read an attribute, which former lines may say. */
    private void hide(List<SlapdAccess> made) throws MigrationException {
        for (int i = 0; i < made.size(); i++) {
            SlapdAccess hiding = made.get(i);
            List<SlapdAccess> former = made.subList(0, i);
            List<String> lines = hiding.hiding();
            if (!hiding.isOfEntries() || lines != null && lines.isEmpty() || former.stream().noneMatch(each -> each.showsMoreThan(hiding) && meet(each, hiding))) {
                continue;
            } else if (lines == null || former.stream().anyMatch(each -> each.touchesEntries() && meet(each, hiding))) {
                report.open(access.get(i), "who may read an attribute by a line before it is shown the names of entries that this one hides: if that is too"
                        + " much, write before all others: deny read of *, + in ... to ...");
                continue;
            }
            for (int line = 0; line < lines.size(); line++) {
                rule(lines.get(line), line == 0 ? "entries are shown as says " + access.get(i) : "");
            }
        }
    }

    private boolean meet(SlapdAccess one, SlapdAccess other) {
        try {
            Dn first = Dn.parse(target.schema(), one.base());
            Dn second = Dn.parse(target.schema(), other.base());
            return first.isDescendantOrSelf(second) || second.isDescendantOrSelf(first);
        } catch (DirectoryException e) {
            return true;
        }
    }

    private void access(ForeignSetting setting, SlapdAccess access, String place) throws MigrationException {
        access.open().forEach(each -> report.open(setting, each));
        int made = 0;
        for (String rule : access.rules()) {
            String problem = target.server().addRule(rule, made == 0 ? setting.toString() : "");
            if (problem != null) {
                report.open(setting, "\"" + rule + "\" is refused, and all is denied instead: " + problem);
                rule(place == null ? "deny all to anyone" : "deny all in " + SlapdSubject.quoted(place) + " to anyone", "instead of: " + setting);
                return;
            }
            made++;
        }
        if (made > 0) {
            report.mapped(setting, made + " access rules");
        }
    }

    /** The rules of ACIs: those in entries may deny what others allow, so without these nothing is granted. */
    private void instructions() throws MigrationException {
        if (rules == RulesSource.SETTINGS) {
            return;
        } else if (rules == RulesSource.ENTRIES_NOT_READ) {
            report.open("who may do what stands in the entries (aci): give the file of the entries with --entries, and rules are made of it. Without,"
                    + " users log in and see nothing");
            return;
        } else if (rules == RulesSource.NONE) {
            rule("grant view to users", "without access control, everybody could do everything");
            report.open("access control was off, and everybody could change everything: here, whoever has logged in sees all but passwords, and the"
                    + " administrator alone changes it, until there are access rules (docs/access-rules.md)");
            return;
        }
        if (rules == RulesSource.ENTRIES_OF_APACHEDS) {
            acis.forEach(report::unneeded);
            new ItemRules(target, target.suffixes(suffixes), report).take(items);
            return;
        }
        items.forEach(report::unneeded);
        AciRules made = new AciRules(target.schema(), rules == RulesSource.ENTRIES_OF_389, target.suffixes(suffixes), report);
        acis.forEach(made::take);
        Map<ForeignSetting, Integer> counts = new LinkedHashMap<>();
        for (AciRules.Line line : made.lines()) {
            String comment = counts.containsKey(line.aci()) ? "" : line.aci().toString();
            String problem = target.server().addRule(line.rule(), comment);
            if (problem == null) {
                counts.merge(line.aci(), 1, Integer::sum);
            } else {
                report.open(line.aci(), "\"" + line.rule() + "\" is refused" + (line.closed().isEmpty() ? ": " : ", and all is denied instead: ") + problem);
                closed(line);
            }
        }
        counts.forEach((aci, count) -> report.mapped(aci, count + " access rules"));
    }

    private void closed(AciRules.Line line) throws MigrationException {
        if (!line.closed().isEmpty() && target.server().addRule(line.closed(), "instead of: " + line.aci()) != null) {
            rule("deny all to anyone", "instead of: " + line.aci());
        }
    }

    private void limits() throws MigrationException {
        SlapdLimits.Bounds size = limits.size();
        SlapdLimits.Bounds time = limits.time();
        target.server().add("sizeLimit", Long.toString(size.hard()), "the size limit");
        target.server().add("sizeLimitUnasked", Long.toString(size.soft()), "the soft one");
        target.server().add("timeLimitSeconds", Long.toString(time.hard()), "the time limit");
        target.server().add("timeLimitSecondsUnasked", Long.toString(time.soft()), "the soft one");
        for (ForeignSetting setting : limitRules) {
            SlapdLimits some = new SlapdLimits(limits);
            some.take(setting.words().subList(Math.min(1, setting.words().size()), setting.words().size()), "");
            some.open().forEach(each -> report.open(setting, each));
            String subject = SlapdSubject.of(List.of(setting.word(0)));
            if (subject == null) {
                report.open(setting, setting.word(0) + " has no counterpart");
            } else if (!some.rule().isEmpty()) {
                String rule = some.rule() + " to " + subject;
                String problem = target.server().add("limitRule", rule, setting.toString());
                if (problem == null) {
                    report.mapped(setting, "limitRule: " + rule);
                } else {
                    report.open(setting, problem);
                }
            }
        }
    }
}
