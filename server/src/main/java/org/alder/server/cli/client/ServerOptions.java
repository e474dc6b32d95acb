package org.alder.server.cli.client;

import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.alder.server.assembly.DataFolder;
import org.alder.server.cli.option.CommandException;
import org.alder.server.cli.option.DataOptions;
import org.alder.server.config.ConfigurationException;
import org.alder.server.config.ListenerLine;
import org.alder.server.config.ServerConfiguration;
import org.alder.server.config.ServerKeys;
import picocli.CommandLine.Option;

/** How the verbs that are about a running server get to it, and as whom. */
final class ServerOptions {
    @Option(names = {"-H", "--url"}, paramLabel = "U", description = "The address of the server. Default: the unix-domain socket in the data "
            + "folder, else that of the configuration, ldap://127.0.0.1:10389. TLS is started on connections to other machines.")
    private String url;

    @Option(names = "--ca", paramLabel = "F", description = "The certificates to trust for TLS, in PEM. Default: those that Java trusts.")
    private Path authority;

    @Option(names = {"-D", "--bind-dn"}, paramLabel = "DN", description = "The DN to log in as; \"\" for anonymous. Default: your system user, "
            + "on the server's unix-domain socket; elsewhere the administrator of the configuration.")
    private String bindDn;

    @Option(names = {"-y", "--password-file"}, paramLabel = "F", description = "The file with your password, as one line. Default, for the "
            + "administrator of the configuration: ALDER_ADMIN_PASSWORD, else DATA/admin.password. Others are asked on the terminal.")
    private Path passwordFile;

    /** Whether somebody is named to ask. */
    boolean isNamed() {
        return bindDn != null;
    }

    /** Whether it is said where the server is that is meant, which may have other data than the data folder has. */
    boolean namesServer() {
        return url != null;
    }

    /** Whether it is said where the server is, or who asks it, so that no answer but the server's will do. */
    boolean isGiven() {
        return url != null || authority != null || bindDn != null || passwordFile != null;
    }

    /** A connection that has bound. The caller closes it. */
    ServerConnection open(DataOptions data) throws IOException, ConfigurationException, CommandException {
        ServerConfiguration configuration = data.configuration();
        return bound(connect(configuration, data.data()), configuration, data.data());
    }

    /** The same; null if no server has the data folder's unix-domain socket, and no URL says where else one is. */
    ServerConnection openIfRunning(DataOptions data) throws IOException, ConfigurationException, CommandException {
        if (url != null) {
            return open(data);
        }
        ServerConfiguration configuration = data.configuration();
        ServerConnection served = onSocket(data.data());
        return served == null ? null : bound(served, configuration, data.data());
    }

    private ServerConnection bound(ServerConnection server, ServerConfiguration configuration, DataFolder folder) throws IOException,
            ConfigurationException, CommandException {
        boolean done = false;
        try {
            boolean isNamed = bindDn != null || passwordFile != null;
            if (!"".equals(bindDn) && (isNamed || !server.bindAsOwnUser())) {
                String administrator = configuration.get(ServerKeys.ADMINISTRATOR_DN);
                String dn = bindDn == null ? administrator : bindDn;
                boolean asks = passwordFile == null && !dn.equalsIgnoreCase(administrator);
                server.bind(dn, asks ? TypedPassword.ask("Password of " + dn + ": ") : password(configuration, folder));
            }
            done = true;
            return server;
        } finally {
            if (!done) {
                server.close();
            }
        }
    }

    /** Null if nobody listens there: a server that was killed leaves the socket. @throws IOException if there may be one that cannot be asked */
    private static ServerConnection onSocket(DataFolder folder) throws IOException {
        if (!Files.exists(folder.socket())) {
            return null;
        }
        try {
            return ServerConnection.open(folder.socket());
        } catch (IOException e) {
            if (e instanceof ConnectException || !Files.exists(folder.socket())) {
                return null;
            }
            throw new IOException("the server on " + folder.socket() + " cannot be asked: " + e.getMessage(), e);
        }
    }

    private ServerConnection connect(ServerConfiguration configuration, DataFolder folder) throws IOException, CommandException {
        ServerConnection served = url == null ? onSocket(folder) : null;
        if (served != null) {
            return served;
        }
        return ServerConnection.open(url == null ? url(configuration) : url, authority);
    }

    private String password(ServerConfiguration configuration, DataFolder folder) throws ConfigurationException, CommandException {
        boolean configured = passwordFile == null && configuration.get(ServerKeys.ADMINISTRATOR_PASSWORD) != null;
        AdminPassword password = configured ? AdminPassword.configured(configuration)
                : AdminPassword.known(passwordFile, folder.adminPassword());
        if (configured && password.password() == null) {
            throw new CommandException("nobody logs in as the administrator of the configuration (administratorPassword: none): name an"
                    + " administrator with --bind-dn, and a file with the password with --password-file");
        }
        if (password == null) {
            throw new CommandException("there is no " + folder.adminPassword() + ": name the data folder of the server with --data, or a"
                    + " file with the password with --password-file");
        }
        return password.password();
    }

    private static String url(ServerConfiguration configuration) throws CommandException {
        List<ListenerLine> listeners = configuration.get(ServerKeys.LISTENER);
        if (listeners.isEmpty()) {
            return ListenerLine.localUrl(configuration.get(ServerKeys.LISTEN_HOST), configuration.get(ServerKeys.LISTEN_PORT));
        }
        return listeners.stream().map(ListenerLine::localUrl).filter(Objects::nonNull).findFirst().orElseThrow(() ->
                new CommandException("no listener takes programs of this machine without TLS: add one such as"
                        + " ldap://127.0.0.1:10389 or ldapi://%2Frun%2Falder%2Fldapi"));
    }
}
