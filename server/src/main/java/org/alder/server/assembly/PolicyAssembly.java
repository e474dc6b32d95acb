package org.alder.server.assembly;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.schema.Schema;
import org.alder.server.config.ConfigurationException;
import org.alder.server.config.PasswordPolicyUse;
import org.alder.server.config.ServerConfiguration;
import org.alder.server.config.ServerKeys;
import org.alder.server.policy.PasswordPolicy;
import org.alder.server.policy.PasswordQuality;
import org.alder.server.policy.PolicySettings;
import org.alder.server.policy.WordList;

/** Makes the password policy of a configuration. Stateless. */
final class PolicyAssembly {
    /** With these beyond the first lock, locks have grown from a second to more than an hour. */
    private static final int FAILURES_BEYOND = 12;

    private PolicyAssembly() {
    }

    static PolicySettings settings(ServerConfiguration configuration, Schema schema) throws ConfigurationException {
        PolicySettings settings = PolicySettings.STANDARD.withTellsLocks(configuration.get(ServerKeys.PASSWORD_POLICY_TELL_LOCKS))
                .withLastLoginSeconds(configuration.get(ServerKeys.LAST_LOGIN_SECONDS));
        String entry = configuration.get(ServerKeys.PASSWORD_POLICY_ENTRY);
        Dn dn = null;
        try {
            dn = entry == null ? null : Dn.parse(schema, entry);
        } catch (DirectoryException e) {
            throw configuration.settings().fault(ServerKeys.PASSWORD_POLICY_ENTRY, e.getMessage());
        }
        boolean isOn = configuration.get(ServerKeys.PASSWORD_POLICY) == PasswordPolicyUse.ON;
        return settings.withEntry(dn).withQuality(quality(configuration)).withPolicy(isOn ? policy(configuration) : PasswordPolicy.NONE);
    }

    private static PasswordQuality quality(ServerConfiguration configuration) throws ConfigurationException {
        String file = configuration.get(ServerKeys.PASSWORD_POLICY_DICTIONARY_FILE);
        try {
            WordList words = file == null ? WordList.builtIn() : WordList.withFile(configuration.settings().path(file));
            return new PasswordQuality(0, 0, configuration.get(ServerKeys.PASSWORD_POLICY_MIN_CLASSES),
                    configuration.get(ServerKeys.PASSWORD_POLICY_OWN_NAMES), words);
        } catch (IOException e) {
            throw configuration.settings().fault(ServerKeys.PASSWORD_POLICY_DICTIONARY_FILE, e instanceof NoSuchFileException
                    ? "there is no file " + e.getMessage() : e.getMessage());
        }
    }

    private static PasswordPolicy policy(ServerConfiguration configuration) {
        PasswordPolicy.Change change = new PasswordPolicy.Change(configuration.get(ServerKeys.PASSWORD_POLICY_MIN_AGE_SECONDS),
                configuration.get(ServerKeys.PASSWORD_POLICY_HISTORY), configuration.get(ServerKeys.PASSWORD_POLICY_QUALITY),
                configuration.get(ServerKeys.PASSWORD_POLICY_MIN_LENGTH), configuration.get(ServerKeys.PASSWORD_POLICY_MAX_LENGTH),
                configuration.get(ServerKeys.PASSWORD_POLICY_MUST_CHANGE),
                configuration.get(ServerKeys.PASSWORD_POLICY_ALLOW_USER_CHANGE),
                configuration.get(ServerKeys.PASSWORD_POLICY_SAFE_MODIFY));
        PasswordPolicy.Aging aging = new PasswordPolicy.Aging(configuration.get(ServerKeys.PASSWORD_POLICY_MAX_AGE_SECONDS),
                configuration.get(ServerKeys.PASSWORD_POLICY_WARNING_SECONDS),
                configuration.get(ServerKeys.PASSWORD_POLICY_GRACE_LOGINS),
                configuration.get(ServerKeys.PASSWORD_POLICY_GRACE_SECONDS),
                configuration.get(ServerKeys.PASSWORD_POLICY_MAX_IDLE_SECONDS));
        int failures = configuration.get(ServerKeys.PASSWORD_POLICY_MAX_FAILURES);
        long lockoutSeconds = configuration.get(ServerKeys.PASSWORD_POLICY_LOCKOUT_SECONDS);
        PasswordPolicy.Lockout lockout = new PasswordPolicy.Lockout(failures > 0, failures,
                configuration.get(ServerKeys.PASSWORD_POLICY_FAILURE_SECONDS), lockoutSeconds,
                Math.max(lockoutSeconds, configuration.get(ServerKeys.PASSWORD_POLICY_MOST_LOCKOUT_SECONDS)),
                configuration.get(ServerKeys.PASSWORD_POLICY_MIN_DELAY_SECONDS),
                configuration.get(ServerKeys.PASSWORD_POLICY_MAX_DELAY_SECONDS), failures + FAILURES_BEYOND);
        return new PasswordPolicy(null, change, aging, lockout);
    }
}
