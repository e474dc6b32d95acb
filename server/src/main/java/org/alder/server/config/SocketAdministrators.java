package org.alder.server.config;

/** Who is the administrator on a unix-domain socket because of who he is on the machine. */
public enum SocketAdministrators {
    OWNERS, NONE
}
