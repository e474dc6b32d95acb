package org.alder.server.clients;

import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.ClassRule;
import org.junit.Test;

/** python-ldap and ldap3: the recipes, and what else programs do with them ({@code src/test/resources/clients}). */
public class PythonTest {
    private static String python;

    @ClassRule
    public static final Site SITE = new Site(PythonTest::requireModules);

    /** Debian's modules are for Debian's python3, which need not be the first one on the PATH. */
    private static Void requireModules() throws IOException, InterruptedException {
        for (String each : List.of("python3", "/usr/bin/python3")) {
            if (Program.isOnPath(each) && Program.run(List.of(each, "-c", "import ldap, ldap3")).status() == 0) {
                python = each;
            }
        }
        Program.require(python != null,
                "python3 with python-ldap and ldap3 (Debian: apt-get install python3-ldap python3-ldap3)");
        return null;
    }

    private static Program.Outcome login(String page, String file, String user, String password) throws Exception {
        return login(SITE.recipe(page), file, user, password);
    }

    private static Program.Outcome login(Recipe recipe, String file, String user, String password) throws Exception {
        return Program.run(List.of(python, recipe.write(file, SITE.newFolder()).toString(), user, password));
    }

    private static String traffic(String script) throws Exception {
        return Program.run(List.of(python, Path.of("src", "test", "resources", "clients", script).toString(), SITE.url(),
                SITE.adminPassword())).succeeds();
    }

    @Test
    public void pythonLdapRecipe() throws Exception {
        assertEquals("welcome Bob B\u00f6ttcher\n", login("python-ldap", "login.py", "bob", Site.BOB_PASSWORD).succeeds());
        login("python-ldap", "login.py", "bob", "wrong").failsWith("wrong password");
        login("python-ldap", "login.py", "*", "wrong").failsWith("no such user");
    }

    @Test
    public void ldap3Recipe() throws Exception {
        assertEquals("welcome Bob B\u00f6ttcher\n", login("ldap3", "login3.py", "bob", Site.BOB_PASSWORD).succeeds());
        login("ldap3", "login3.py", "bob", "wrong").failsWith("wrong password");
        login("ldap3", "login3.py", "*", "wrong").failsWith("no such user");
    }

    @Test
    public void aServerThatIsNotKnownIsRefused() throws Exception {
        login(SITE.recipe("python-ldap").with(Site.AUTHORITY, SITE.stranger()), "login.py", "bob", Site.BOB_PASSWORD)
                .failsWith("CONNECT_ERROR");
        login(SITE.recipe("ldap3").with(Site.AUTHORITY, SITE.stranger()), "login3.py", "bob", Site.BOB_PASSWORD)
                .failsWith("CERTIFICATE_VERIFY_FAILED");
    }

    @Test
    public void pythonLdap() throws Exception {
        assertEquals("done\n", traffic("python_ldap_traffic.py"));
    }

    @Test
    public void ldap3() throws Exception {
        assertEquals("done\n", traffic("ldap3_traffic.py"));
    }
}
