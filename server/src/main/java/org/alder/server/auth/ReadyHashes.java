package org.alder.server.auth;

/** Who may store a password that is hashed already, or a lock such as {@code *}: nobody can tell what it is. */
public enum ReadyHashes { NONE, ADMINISTRATOR, ALL }
