package org.alder.server.config;

/** Whether there are password policies. */
public enum PasswordPolicyUse {
    ON, NONE
}
