package org.alder.perf.report;

/**
 * What a figure is to reach: at most or at least a bound, of itself or of its ratio to another server's figure. Immutable.
 */
public record Target(boolean ofRatio, boolean atMost, double bound) {
    static Target ratioAtMost(double bound) {
        return new Target(true, true, bound);
    }

    static Target ratioAtLeast(double bound) {
        return new Target(true, false, bound);
    }

    static Target atMost(double bound) {
        return new Target(false, true, bound);
    }

    static Target atLeast(double bound) {
        return new Target(false, false, bound);
    }

    /** Whether the target is met, or why that cannot be said. */
    String verdict(double own, double peer) {
        double measured = ofRatio ? own / peer : own;
        if (Double.isNaN(measured)) {
            return Double.isNaN(own) ? "not measured" : "nothing to compare with";
        }
        return (atMost ? measured <= bound : measured >= bound) ? "met" : "missed";
    }

    @Override
    public String toString() {
        return (atMost ? "at most " : "at least ") + ReportTable.figure(bound) + (ofRatio ? "x" : "");
    }
}
