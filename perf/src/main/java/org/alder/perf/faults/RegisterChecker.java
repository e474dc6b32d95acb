package org.alder.perf.faults;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.alder.perf.faults.RegisterCall.Kind;
import org.alder.perf.faults.RegisterCall.Outcome;

/**
 * Whether there is an order of the calls to one register that explains all answers: each call has its place between its request and its answer, each finds
 * the value that the one before has left, and what was refused has none (linearizability; Herlihy and Wing 1990). The search is the one
 * of Lowe, "Testing for linearizability" (2016): along the time, with all that may have been done so far and left which value; calls are given
 * a place only when one has to have it. No value is written by two calls. One thread.
 *
 * <p>Calls with an unknown end stay possible for ever. Those whose value nobody has seen, nor what may have replaced it, matter to no other call but to those that were told that the
 * value differs; so they are only given a place just before one of these, where it needs one. And a value that a certain call has found is replaced by no
 * other one. Both keep what is searched small.
 */
final class RegisterChecker {
    private static final int MOST_STATES = 200_000;
    private static final int CONTEXT = 12;

    private final List<RegisterCall> calls;
    /** Of calls by their number: begun, not ended, and to be given a place at any time. */
    private final Set<Integer> open = new TreeSet<>();
    /** Begun, with unknown end, and nothing that was seen comes of the value. */
    private final Set<Integer> unseen = new TreeSet<>();
    /** By values, the call that was told that it has replaced it. */
    private final Map<String, Integer> replacing = new HashMap<>();
    private Set<State> states = new HashSet<>();
    private boolean isUndecided;

    /** What may be: the value, and which of the calls that have not ended were done. */
    private record State(String value, Set<Integer> done) {
        State after(String next, int call) {
            Set<Integer> more = new TreeSet<>(done);
            more.add(call);
            return new State(next, more);
        }

        State without(int call) {
            Set<Integer> less = new TreeSet<>(done);
            less.remove(call);
            return new State(value, less);
        }
    }

    /** A call's begin or end. */
    private record Event(long nanos, boolean isEnd, int call) {
    }

    private RegisterChecker(List<RegisterCall> calls) {
        this.calls = calls;
        for (int i = 0; i < calls.size(); i++) {
            RegisterCall call = calls.get(i);
            String replaced = call.seen() != null ? call.seen() : call.expected();
            if (call.kind() != Kind.READ && call.outcome() == Outcome.DONE && replaced != null) {
                replacing.put(replaced, i);
            }
        }
    }

    /**
     * @param initial the value before all calls
     * @return null where there is an order; else which call has no place, and what was called around it, or that this cannot be said
     */
    static String fault(String initial, List<RegisterCall> calls) {
        return new RegisterChecker(calls).search(initial);
    }

    private String search(String initial) {
        Set<String> certain = seen();
        Set<String> seen = mayMatter(certain);
        for (RegisterCall call : calls) {
            if (call.kind() != Kind.READ && !call.mayWrite() && certain.contains(call.value())) {
                return "it was not done, as the client was told, but its value was seen: " + call;
            }
        }
        states.add(new State(initial, Set.of()));
        for (Event event : events()) {
            if (!event.isEnd) {
                RegisterCall call = calls.get(event.call);
                (call.isUnknown() && !seen.contains(call.value()) ? unseen : open).add(event.call);
            } else if (!end(event.call)) {
                return explained(event.call);
            }
        }
        return null;
    }

    /** What somebody has read or replaced. */
    private Set<String> seen() {
        Set<String> seen = new HashSet<>();
        for (RegisterCall call : calls) {
            if (call.seen() != null) {
                seen.add(call.seen());
            }
            if (call.kind() == Kind.COMPARE_AND_WRITE && call.outcome() == Outcome.DONE) {
                seen.add(call.expected());
            }
        }
        return seen;
    }

    /** And what may have been replaced by a value that was seen, or by one that may have been replaced so, and so on. */
    private Set<String> mayMatter(Set<String> seen) {
        Map<String, List<RegisterCall>> unknown = new HashMap<>();
        for (RegisterCall call : calls) {
            if (call.kind() == Kind.COMPARE_AND_WRITE && call.isUnknown()) {
                unknown.computeIfAbsent(call.value(), none -> new ArrayList<>()).add(call);
            }
        }
        Set<String> matter = new HashSet<>(seen);
        List<String> next = new ArrayList<>(seen);
        while (!next.isEmpty()) {
            for (RegisterCall call : unknown.getOrDefault(next.remove(next.size() - 1), List.of())) {
                if (matter.add(call.expected())) {
                    next.add(call.expected());
                }
            }
        }
        return matter;
    }

    private List<Event> events() {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < calls.size(); i++) {
            RegisterCall call = calls.get(i);
            if (call.mayWrite() || call.outcome() == Outcome.DONE || call.outcome() == Outcome.DIFFERS) {
                events.add(new Event(call.invokedNanos(), false, i));
                if (!call.isUnknown()) {
                    events.add(new Event(call.endedNanos(), true, i));
                }
            }
        }
        // Of two at one time nobody can say which was first: then both orders are allowed.
        events.sort(Comparator.comparingLong(Event::nanos).thenComparing(Event::isEnd));
        return events;
    }

    /** The call has its place by now. Whether it can. */
    private boolean end(int call) {
        Set<State> reached = new HashSet<>(states);
        List<State> next = new ArrayList<>(states);
        Set<State> with = new HashSet<>();
        while (!next.isEmpty()) {
            State state = next.remove(next.size() - 1);
            if (state.done.contains(call)) {
                with.add(state.without(call));
                continue;
            }
            for (State after : followers(state)) {
                if (reached.add(after)) {
                    next.add(after);
                }
            }
            if (reached.size() > MOST_STATES) {
                isUndecided = true;
                return false;
            }
        }
        open.remove(call);
        if (!with.isEmpty()) {
            states = with;
            forgetDone();
        }
        return !with.isEmpty();
    }

    /** Calls with an unknown end that were done in all that may be. */
    private void forgetDone() {
        Set<Integer> always = new TreeSet<>(states.iterator().next().done);
        states.forEach(state -> always.retainAll(state.done));
        always.removeIf(call -> !calls.get(call).isUnknown());
        if (!always.isEmpty()) {
            open.removeAll(always);
            unseen.removeAll(always);
            Set<State> less = new HashSet<>();
            for (State state : states) {
                Set<Integer> done = new TreeSet<>(state.done);
                done.removeAll(always);
                less.add(new State(state.value, done));
            }
            states = less;
        }
    }

    private List<State> followers(State state) {
        List<State> followers = new ArrayList<>();
        for (int call : open) {
            if (!state.done.contains(call)) {
                follow(state, call, followers);
            }
        }
        return followers;
    }

    private void follow(State state, int number, List<State> followers) {
        RegisterCall call = calls.get(number);
        if (call.outcome() == Outcome.DIFFERS) {
            if (!state.value.equals(call.expected())) {
                followers.add(state.after(state.value, number));
            } else {
                hide(state, number, followers);
            }
        } else if (fits(number, state.value)) {
            followers.add(state.after(call.kind() == Kind.READ ? state.value : call.value(), number));
        }
    }

    /** The value is the expected one, unless somebody whose end is unknown has written another one. Of those who wrote whatever it was, one is as good as another. */
    private void hide(State state, int differing, List<State> followers) {
        boolean isHidden = false;
        for (int number : unseen) {
            RegisterCall call = calls.get(number);
            if (!state.done.contains(number) && fits(number, state.value) && !(isHidden && call.kind() == Kind.WRITE)) {
                followers.add(state.after(call.value(), number).after(call.value(), differing));
                isHidden |= call.kind() == Kind.WRITE;
            }
        }
    }

    private boolean fits(int number, String value) {
        RegisterCall call = calls.get(number);
        boolean mayReplace = call.kind() == Kind.READ || replacing.getOrDefault(value, number) == number;
        return mayReplace && (call.seen() == null || call.seen().equals(value)) && (call.kind() != Kind.COMPARE_AND_WRITE || value.equals(call.expected()));
    }

    private String explained(int number) {
        RegisterCall call = calls.get(number);
        if (isUndecided) {
            return "nobody can say whether an order explains the answers up to " + call + ": more than " + MOST_STATES + " states are possible, as so many calls"
                    + " have an unknown end";
        }
        StringBuilder text = new StringBuilder("no order of the calls explains the answer to " + call + "\nBefore it the value may be "
                + states.stream().map(State::value).distinct().sorted().toList() + ". The last calls:");
        List<RegisterCall> before = calls.stream().filter(each -> each.invokedNanos() <= call.endedNanos())
                .sorted(Comparator.comparingLong(RegisterCall::endedNanos)).toList();
        before.stream().skip(Math.max(0, before.size() - CONTEXT)).forEach(each -> text.append("\n  ").append(each));
        return text.toString();
    }
}
