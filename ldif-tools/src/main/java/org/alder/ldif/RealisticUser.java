package org.alder.ldif;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntUnaryOperator;

/**
 * The attributes of a user who could be somebody: the same attributes as those of random letters, with values from small lists,
 * in which common names are more frequent than rare ones. The lists and the order of the draws are part of the data set: do not
 * change them. Stateless.
 */
final class RealisticUser {
    private static final String[] GIVEN_NAMES = """
        Maria James Anna John Emma Robert Sofia Michael Laura David Julia Daniel Sarah Thomas Elena Peter Nina Martin
        Clara Andreas Eva Lucas Ines Stefan Marta Paul Lena Jonas Carla Felix Irene Oliver Hanna Simon Alice Victor Rosa
        Hugo Zoé José Chloé André Søren Jürgen Łukasz Aiko Wei Priya Omar Fatima Yusuf Ngozi""".split("\\s+");
    private static final String[] FAMILY_NAMES = """
        Smith Müller Garcia Johnson Schmidt Martin Rossi Brown Jensen Silva Novak Schneider Dubois Williams Fischer
        Lopez Jones Weber Moreau Hansen Kowalski Miller Meyer Ferrari Davis Wagner Nguyen Becker Laurent Andersson
        Wilson Hoffmann Costa Taylor Schulz Nielsen Anderson Koch Bianchi Moore Richter Okafor Tanaka Chen Kumar Haddad
        Van-den-Berg O'Brien Fernández Lindström Petrović Papadopoulos""".split("\\s+");
    private static final String[] TITLES = {"Software Engineer", "Account Manager", "Sales Representative", "Project Manager",
        "Office Assistant", "Data Analyst", "Customer Support Specialist", "Systems Administrator", "Financial Controller",
        "Human Resources Partner", "Product Designer", "Warehouse Supervisor", "Field Technician", "Legal Counsel",
        "Head of Research"};
    static final String[] DEPARTMENTS = {"Engineering", "Sales", "Finance", "Human Resources", "Operations", "Marketing",
        "Customer Service", "Research", "Legal", "Logistics"};
    private static final String[] STREETS = {"Main Street", "Station Road", "Church Lane", "Bahnhofstraße", "Rue de la Gare",
        "Park Avenue", "Via Roma", "Calle Mayor", "Market Square", "High Street", "Mill Road", "Gartenweg", "King's Road",
        "Oak Drive"};
    /** City, state, beginning of the postal code, country code of the telephone. */
    private static final String[][] CITIES = {{"London", "england", "EC", "+44 20"}, {"Berlin", "berlin", "10", "+49 30"},
        {"Paris", "ile-de-france", "75", "+33 1"}, {"New York", "ny", "100", "+1 212"}, {"Madrid", "madrid", "28", "+34 91"},
        {"Milano", "lombardia", "20", "+39 02"}, {"Hamburg", "hamburg", "20", "+49 40"}, {"Chicago", "il", "606", "+1 312"},
        {"København", "hovedstaden", "21", "+45 33"}, {"Kraków", "malopolskie", "30", "+48 12"},
        {"Lyon", "rhone-alpes", "69", "+33 4"},
        {"Zürich", "zh", "80", "+41 44"}};

    private RealisticUser() {
    }

    /** @param below draws a number from 0 up to its argument */
    static List<LdifAttribute> attributes(long i, IntUnaryOperator below) {
        String given = common(GIVEN_NAMES, below);
        String family = common(FAMILY_NAMES, below);
        String[] city = CITIES[below.applyAsInt(CITIES.length)];
        String street = (1 + below.applyAsInt(200)) + " " + STREETS[below.applyAsInt(STREETS.length)];
        String postalCode = city[2] + digits(below, 3);
        int department = below.applyAsInt(DEPARTMENTS.length);
        String title = common(TITLES, below);
        List<LdifAttribute> attributes = new ArrayList<>(24);
        add(attributes, "uid", "user." + i);
        add(attributes, "initials", ascii(given).substring(0, 1) + ascii(family).substring(0, 1));
        add(attributes, "description", title + ", " + DEPARTMENTS[department] + ", " + city[0]);
        add(attributes, "pager", city[3] + " " + digits(below, 6));
        add(attributes, "cn", given + " " + family);
        add(attributes, "postalCode", postalCode);
        add(attributes, "st", city[1]);
        add(attributes, "street", street);
        add(attributes, "l", city[0]);
        LdifGenerator.OBJECT_CLASSES.forEach(objectClass -> add(attributes, "objectClass", objectClass));
        add(attributes, "sn", family);
        add(attributes, "homePhone", city[3] + " " + digits(below, 7));
        add(attributes, "mobile", city[3] + " " + digits(below, 7));
        add(attributes, "telephoneNumber", city[3] + " 555 " + digits(below, 4));
        add(attributes, "mail", ascii(given) + "." + ascii(family) + "." + i + "@example.com");
        add(attributes, "givenName", given);
        add(attributes, "postalAddress", street + "$" + postalCode + " " + city[0]);
        add(attributes, "title", title);
        add(attributes, "employeeNumber", Long.toString(i));
        add(attributes, "userPassword", "password");
        add(attributes, "employeeType", below.applyAsInt(2) == 0 ? "alpha" : "beta");
        add(attributes, "departmentNumber", Integer.toString(department));
        return attributes;
    }

    private static void add(List<LdifAttribute> attributes, String description, String value) {
        attributes.add(LdifAttribute.of(description, value));
    }

    /** The smaller of two draws: the first of the list is the most frequent, the last the rarest. */
    private static String common(String[] list, IntUnaryOperator below) {
        return list[Math.min(below.applyAsInt(list.length), below.applyAsInt(list.length))];
    }

    private static String digits(IntUnaryOperator below, int count) {
        StringBuilder result = new StringBuilder(count);
        for (int i = 0; i < count; i++) {
            result.append(below.applyAsInt(10));
        }
        return result.toString();
    }

    /** Lowercase letters only, as in a mail address. */
    private static String ascii(String name) {
        String plain = Normalizer.normalize(name.replace("ß", "ss").replace("ø", "o").replace("Ł", "L").replace("ł", "l"),
                Normalizer.Form.NFD);
        return plain.replaceAll("[^A-Za-z]", "").toLowerCase(Locale.ROOT);
    }
}
