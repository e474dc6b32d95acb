package org.alder.perf.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.alder.perf.client.Load;
import org.alder.perf.process.OpenLdap;
import org.alder.perf.process.Peer;
import org.alder.perf.process.PeerProcess;

/**
 * Two of OpenLDAP's servers, each of which takes updates and copies the other's (multi-provider replication), of which one gets all updates: mirror mode. An
 * update is acknowledged when it is on one disk; the other server copies it then. One thread; whoever starts them closes them.
 */
final class MirroredSlapd implements Deployment, AutoCloseable {
    private final List<PeerProcess> servers;

    /** Both with the same entries. */
    MirroredSlapd(OpenLdap installed, Path work, Path ldif, long entries) throws IOException, InterruptedException {
        servers = installed.serveMirrored(work, ldif, entries);
    }

    @Override
    public String label() {
        return "OpenLDAP, two in mirror mode";
    }

    @Override
    public Load.Login administrator() {
        return new Load.Login(OpenLdap.ADMINISTRATOR, Peer.PASSWORD);
    }

    @Override
    public List<Integer> ports() {
        return List.of(servers.get(0).port());
    }

    @Override
    public List<Integer> copies() {
        return servers.stream().map(PeerProcess::port).toList();
    }

    @Override
    public List<Long> processes() {
        return servers.stream().map(PeerProcess::process).toList();
    }

    @Override
    public double cpuSeconds() {
        return servers.stream().mapToDouble(PeerProcess::cpuSeconds).sum();
    }

    @Override
    public void close() {
        servers.forEach(PeerProcess::close);
    }
}
