package org.alder.server.cli.option;

import org.alder.partition.error.DirectoryException;
import org.alder.partition.filter.Filter;
import org.alder.partition.filter.FilterParser;
import org.alder.partition.request.SearchScope;
import picocli.CommandLine.Option;

/** {@code --base} and {@code --scope}: where verbs that search do so. */
public final class SearchOptions {
    private enum Scope {
        BASE(SearchScope.BASE), ONE(SearchScope.ONE_LEVEL), SUB(SearchScope.SUBTREE), CHILDREN(SearchScope.CHILDREN);

        private final SearchScope scope;

        Scope(SearchScope scope) {
            this.scope = scope;
        }
    }

    @Option(names = {"-b", "--base"}, paramLabel = "DN", description = "Where the search begins. Default: the suffix of the partition.")
    private String base;

    @Option(names = {"-s", "--scope"}, paramLabel = "SCOPE", defaultValue = "sub", description = "base: this entry. one: those directly"
            + " below. sub: it and all below. children: all below. Default: ${DEFAULT-VALUE}.")
    private Scope scope;

    /** Null if none is given. */
    public String base() {
        return base;
    }

    /** @throws WrongCallException saying where and why, if it is none */
    public Filter filter(String text) throws WrongCallException {
        try {
            return FilterParser.parse(text);
        } catch (DirectoryException e) {
            throw new WrongCallException(e.getMessage(), e);
        }
    }

    public SearchScope scope() {
        return scope.scope;
    }
}
