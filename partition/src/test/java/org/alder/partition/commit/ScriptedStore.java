package org.alder.partition.commit;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.Replica;
import org.alder.partition.store.Store;
import org.alder.partition.store.Transaction;

/** Stores of one process, which dies, or whose disks fail, at a transaction of one of them that the test says; or which another process leads. One thread. */
final class ScriptedStore {
    /** What becomes of a transaction. */
    enum Fate {
        /** It is not made, and nothing else of this process is. */
        DIES_BEFORE,
        /** It is made, but nobody is told, and nothing else of this process is. */
        DIES_BEHIND,
        /** It is not made, and the store takes no more. */
        READ_ONLY,
        /** It is made, but nobody knows, and the store takes no more. */
        UNKNOWN,
        /** It is not made, and the next one is taken again. */
        FAILS_ONCE
    }

    /** Of one process. */
    static final class Script {
        private final int at;
        private final Fate fate;
        private int transactions;
        private boolean isDead;

        /** @param at the number of the transaction, from 1, that meets its fate; 0 for none */
        Script(int at, Fate fate) {
            this.at = at;
            this.fate = fate;
        }

        /** How many transactions there were. */
        int transactions() {
            return transactions;
        }
    }

    private final Store inner;
    private final Script script;
    private boolean isReadOnly;

    private ScriptedStore(Store inner, Script script) {
        this.inner = inner;
        this.script = script;
    }

    static Store of(Store inner, Script script) {
        ScriptedStore scripted = new ScriptedStore(inner, script);
        return (Store) Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[] {Store.class}, (self, method, arguments) -> {
            if (method.getName().equals("submit")) {
                return scripted.submit((Transaction<?>) arguments[0]);
            }
            return invoke(inner, method, arguments);
        });
    }

    /** One of several members' that hold the same. @param leads whether this one takes transactions */
    static Store of(Store inner, BooleanSupplier leads) {
        Replica replica = (Replica) Proxy.newProxyInstance(Replica.class.getClassLoader(), new Class<?>[] {Replica.class}, (self, method, arguments) ->
                switch (method.getName()) {
                    case "role" -> leads.getAsBoolean() ? Replica.Role.LEADER : Replica.Role.REPLICA;
                    case "epoch" -> 1L;
                    default -> throw new UnsupportedOperationException(method.getName());
                });
        return (Store) Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[] {Store.class}, (self, method, arguments) -> {
            if (method.getName().equals("replica")) {
                return replica;
            } else if (method.getName().equals("submit") && !leads.getAsBoolean()) {
                return failed(StoreException.Kind.NOT_LEADER);
            }
            return invoke(inner, method, arguments);
        });
    }

    private static Object invoke(Store inner, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(inner, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private <T> CompletableFuture<T> submit(Transaction<T> transaction) {
        if (script.isDead) {
            return new CompletableFuture<>();
        } else if (isReadOnly) {
            return failed(StoreException.Kind.READ_ONLY);
        }
        return ++script.transactions == script.at ? meet(script.fate, () -> inner.submit(transaction)) : inner.submit(transaction);
    }

    private <T> CompletableFuture<T> meet(Fate fate, Supplier<CompletableFuture<T>> made) {
        script.isDead = fate == Fate.DIES_BEFORE || fate == Fate.DIES_BEHIND;
        isReadOnly = fate == Fate.READ_ONLY || fate == Fate.UNKNOWN;
        if (fate == Fate.DIES_BEHIND || fate == Fate.UNKNOWN) {
            made.get();
        }
        return script.isDead ? new CompletableFuture<>() : failed(fate == Fate.UNKNOWN ? StoreException.Kind.OUTCOME_UNKNOWN : StoreException.Kind.READ_ONLY);
    }

    private static <T> CompletableFuture<T> failed(StoreException.Kind kind) {
        return CompletableFuture.failedFuture(new StoreException(kind, "as the test says"));
    }
}
