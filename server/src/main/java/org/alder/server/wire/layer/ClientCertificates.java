package org.alder.server.wire.layer;

/** Whether clients show certificates. One that is shown has to be valid in any case. */
public enum ClientCertificates {
    OFF, OPTIONAL, REQUIRED
}
