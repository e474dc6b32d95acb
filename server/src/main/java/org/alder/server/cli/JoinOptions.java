package org.alder.server.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.alder.partition.file.OwnerOnly;
import org.alder.partition.store.ClusterService;
import org.alder.server.assembly.DataFolder;
import org.alder.server.cli.client.InvitationCall;
import org.alder.server.cli.option.CommandException;
import org.alder.server.cli.option.WrongCallException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Option;

/** Which cluster a server is a member of: by a file, or by an invitation, which becomes one. */
final class JoinOptions {
    private static final Logger LOG = LoggerFactory.getLogger(JoinOptions.class);
    private static final int MOST_TOKEN_BYTES = 1000;

    @Option(names = "--cluster", paramLabel = "FILE", description = "Serve the partitions as a member of the cluster of this file, whose members"
            + " all have the same entries. Default: alone.")
    private Path clusterFile;

    @Option(names = "--join", paramLabel = "HOST:PORT", description = "Become a member of the cluster of the server that answers LDAP there, or ldaps://HOST:PORT, by an invitation (cluster invite),"
            + " with an empty data folder. What the invitation has is kept in DATA/cluster; where that is there already, nobody is asked, and it is as with"
            + " --cluster DATA/cluster/member.conf.")
    private String join;

    @Option(names = "--join-ca", paramLabel = "F", description = "For --join: the certificates to trust for TLS, in PEM; it is started where the address is not that of ldaps. What the invitation has"
            + " proves itself in any case. Default: those that Java trusts, and no TLS but with ldaps.")
    private Path authority;

    @Option(names = "--join-token-file", paramLabel = "F", description = "A file with the token that cluster invite has printed, for the first start with --join.")
    private Path tokenFile;

    void check() throws WrongCallException {
        if (join != null && clusterFile != null) {
            throw new WrongCallException("--join and --cluster: expected one of the two");
        }
        if (join == null && tokenFile != null) {
            throw new WrongCallException("--join-token-file: expected --join HOST:PORT, too");
        }
        if (join == null && authority != null) {
            throw new WrongCallException("--join-ca: expected --join HOST:PORT, too");
        }
        if (join != null) {
            new InvitationCall(join, authority);
        }
    }

    /** As a member. @return null for a server that stands alone */
    ClusterService.Cluster join(DataFolder folder) throws IOException, CommandException {
        if (join == null && clusterFile == null) {
            return null;
        }
        ClusterService service = ClusterVerb.service();
        return service.join(join == null ? clusterFile : invited(service, folder), folder.cluster());
    }

    private Path invited(ClusterService service, DataFolder folder) throws IOException, CommandException {
        Path file = service.accepted(folder.cluster());
        if (Files.exists(file)) {
            LOG.info("this is a member by {} already: nobody is asked for an invitation", file);
            return file;
        }
        if (tokenFile == null) {
            throw new WrongCallException("--join: expected --join-token-file, with what \"alder cluster invite\" has printed, as " + file + " is not there yet");
        }
        if (folder.hasPartitions()) {
            throw new CommandException("there are partitions in " + folder.path() + ": a machine that joins by an invitation begins with an empty data folder");
        }
        if (!Files.isRegularFile(tokenFile) || Files.size(tokenFile) > MOST_TOKEN_BYTES) {
            throw new CommandException(tokenFile + " is no file with the one line that \"alder cluster invite\" has printed");
        }
        if (OwnerOnly.isOpenToOthers(tokenFile)) {
            LOG.warn("{} is open to other users of this machine, and whoever reads it can become a member in place of this machine: chmod o= {}", tokenFile, tokenFile);
        }
        return service.accept(folder.cluster(), Files.readString(tokenFile, StandardCharsets.ISO_8859_1), new InvitationCall(join, authority));
    }
}
