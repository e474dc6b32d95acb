package org.alder.server.simulation;

import com.tngtech.archunit.thirdparty.org.objectweb.asm.ClassReader;
import com.tngtech.archunit.thirdparty.org.objectweb.asm.ClassVisitor;
import com.tngtech.archunit.thirdparty.org.objectweb.asm.ClassWriter;
import com.tngtech.archunit.thirdparty.org.objectweb.asm.FieldVisitor;
import com.tngtech.archunit.thirdparty.org.objectweb.asm.Handle;
import com.tngtech.archunit.thirdparty.org.objectweb.asm.Label;
import com.tngtech.archunit.thirdparty.org.objectweb.asm.MethodVisitor;
import com.tngtech.archunit.thirdparty.org.objectweb.asm.Opcodes;
import com.tngtech.archunit.thirdparty.org.objectweb.asm.Type;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The server's classes, loaded once more, with each thing that one thread can see of another made a step of a simulation
 * ({@link Steps}): monitors, volatile fields, atomic numbers and what else java.util.concurrent has, threads and time. So the code that
 * is tested has no seam for it, and none of its steps is forgotten.
 */
final class SteppedClasses extends ClassLoader {
    private static final String ALL = "org.alder.";
    /** As they are: what simulates, and what the tests share. */
    private static final List<String> PLAIN = List.of("org.alder.server.simulation.", "org.alder.partition.testing.",
            "org.alder.server.wire.Simulated", "org.alder.server.Simulated");
    /** Of these each look at what others may change is a step; of the rest only what waits. */
    private static final List<String> STEPPED = List.of("org/alder/server/protocol/", "org/alder/server/wire/", "org/alder/server/resource/",
            "org/alder/server/directory/feed/", "org/alder/partition/memory/MemoryStore");
    private static final Set<String> SHARED = Set.of("java/util/concurrent/ConcurrentHashMap", "java/util/concurrent/ConcurrentMap",
            "java/util/concurrent/ConcurrentLinkedQueue", "java/util/concurrent/CompletableFuture", "java/util/Queue");
    private static final String ATOMIC = "java/util/concurrent/atomic/Atomic";
    private static final String STEPS = Type.getInternalName(Steps.class);
    private static final String WHOLE = "$whole";

    private final Map<String, Set<String>> volatileFields = new HashMap<>();

    SteppedClasses(ClassLoader parent) {
        super(parent);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(ALL)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded == null) {
                byte[] bytes = bytes(name.replace('.', '/'));
                if (bytes == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] made = PLAIN.stream().anyMatch(name::startsWith) ? bytes : stepped(bytes);
                loaded = defineClass(name, made, 0, made.length);
            }
            return loaded;
        }
    }

    private byte[] bytes(String internalName) {
        try (InputStream in = getParent().getResourceAsStream(internalName + ".class")) {
            return in == null ? null : in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private byte[] stepped(byte[] bytes) {
        ClassReader reader = new ClassReader(bytes);
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        reader.accept(new Steppings(writer), 0);
        return writer.toByteArray();
    }

    private boolean isVolatile(String owner, String field) {
        return owner.startsWith("org/alder/") && volatileFields.computeIfAbsent(owner, this::volatileFields).contains(field);
    }

    private Set<String> volatileFields(String owner) {
        Set<String> found = new HashSet<>();
        byte[] bytes = bytes(owner);
        if (bytes != null) {
            new ClassReader(bytes).accept(new ClassVisitor(Opcodes.ASM9) {
                @Override
                public FieldVisitor visitField(int access, String name, String descriptor, String signature, Object value) {
                    if ((access & Opcodes.ACC_VOLATILE) != 0) {
                        found.add(name);
                    }
                    return null;
                }
            }, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        }
        return found;
    }

    private final class Steppings extends ClassVisitor {
        private String type;
        private boolean stepped;

        Steppings(ClassWriter writer) {
            super(Opcodes.ASM9, writer);
        }

        @Override
        public void visit(int version, int access, String name, String signature, String superName, String[] interfaces) {
            type = name;
            stepped = STEPPED.stream().anyMatch(name::startsWith);
            super.visit(version, access, name, signature, superName, interfaces);
        }

        @Override
        public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
            boolean isSynchronized = (access & Opcodes.ACC_SYNCHRONIZED) != 0;
            if (!isSynchronized) {
                return new Body(super.visitMethod(access, name, descriptor, signature, exceptions), name);
            }
            writeSynchronized(access & ~Opcodes.ACC_SYNCHRONIZED, name, descriptor, signature, exceptions);
            int body = access & ~(Opcodes.ACC_SYNCHRONIZED | Opcodes.ACC_PUBLIC | Opcodes.ACC_PROTECTED) | Opcodes.ACC_PRIVATE;
            return new Body(super.visitMethod(body, name + WHOLE, descriptor, signature, exceptions), name);
        }

        /** A method that takes the monitor and calls the body. */
        private void writeSynchronized(int access, String name, String descriptor, String signature, String[] exceptions) {
            boolean isStatic = (access & Opcodes.ACC_STATIC) != 0;
            MethodVisitor out = super.visitMethod(access, name, descriptor, signature, exceptions);
            Label start = new Label();
            Label end = new Label();
            Label failed = new Label();
            out.visitCode();
            out.visitTryCatchBlock(start, end, failed, null);
            loadMonitor(out, isStatic);
            out.visitLdcInsn(where(name));
            out.visitMethodInsn(Opcodes.INVOKESTATIC, STEPS, "enter", "(Ljava/lang/Object;Ljava/lang/String;)V", false);
            out.visitLabel(start);
            int local = 0;
            if (!isStatic) {
                out.visitVarInsn(Opcodes.ALOAD, local++);
            }
            for (Type argument : Type.getArgumentTypes(descriptor)) {
                out.visitVarInsn(argument.getOpcode(Opcodes.ILOAD), local);
                local += argument.getSize();
            }
            out.visitMethodInsn(isStatic ? Opcodes.INVOKESTATIC : Opcodes.INVOKESPECIAL, type, name + WHOLE, descriptor, false);
            out.visitLabel(end);
            exit(out, isStatic);
            out.visitInsn(Type.getReturnType(descriptor).getOpcode(Opcodes.IRETURN));
            out.visitLabel(failed);
            out.visitFrame(Opcodes.F_SAME1, 0, null, 1, new Object[] {"java/lang/Throwable"});
            exit(out, isStatic);
            out.visitInsn(Opcodes.ATHROW);
            out.visitMaxs(0, 0);
            out.visitEnd();
        }

        private void loadMonitor(MethodVisitor out, boolean isStatic) {
            if (isStatic) {
                out.visitLdcInsn(Type.getObjectType(type));
            } else {
                out.visitVarInsn(Opcodes.ALOAD, 0);
            }
        }

        private void exit(MethodVisitor out, boolean isStatic) {
            loadMonitor(out, isStatic);
            out.visitMethodInsn(Opcodes.INVOKESTATIC, STEPS, "exit", "(Ljava/lang/Object;)V", false);
        }

        private String where(String method) {
            return type.substring(type.lastIndexOf('/') + 1) + "." + method;
        }

        private final class Body extends MethodVisitor {
            private final String method;
            private final boolean here;
            private int line;

            Body(MethodVisitor out, String method) {
                super(Opcodes.ASM9, out);
                this.method = method;
                // While a class is made ready, the virtual machine holds a monitor of its own.
                this.here = stepped && !method.equals("<clinit>");
            }

            @Override
            public void visitLineNumber(int number, Label start) {
                line = number;
                super.visitLineNumber(number, start);
            }

            private void step() {
                if (here) {
                    super.visitLdcInsn(where(method) + ":" + line);
                    super.visitMethodInsn(Opcodes.INVOKESTATIC, STEPS, "step", "(Ljava/lang/String;)V", false);
                }
            }

            private void call(String name, String descriptor) {
                super.visitMethodInsn(Opcodes.INVOKESTATIC, STEPS, name, descriptor, false);
            }

            @Override
            public void visitInsn(int opcode) {
                if (opcode == Opcodes.MONITORENTER) {
                    super.visitLdcInsn(where(method) + ":" + line);
                    call("enter", "(Ljava/lang/Object;Ljava/lang/String;)V");
                } else if (opcode == Opcodes.MONITOREXIT) {
                    call("exit", "(Ljava/lang/Object;)V");
                } else {
                    super.visitInsn(opcode);
                }
            }

            @Override
            public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
                boolean isWritten = opcode == Opcodes.PUTFIELD || opcode == Opcodes.PUTSTATIC;
                // In a constructor the object is nobody else's.
                if (isVolatile(owner, name) && !(isWritten && method.equals("<init>"))) {
                    step();
                }
                super.visitFieldInsn(opcode, owner, name, descriptor);
            }

            /** A reference to a method that something else is called for. */
            @Override
            public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
                Object[] others = arguments.clone();
                for (int i = 0; i < others.length; i++) {
                    if (others[i] instanceof Handle handle) {
                        String instead = instead(handle.getOwner(), handle.getName(), handle.getDesc());
                        others[i] = instead == null ? handle : new Handle(Opcodes.H_INVOKESTATIC, STEPS, instead,
                                replaced(handle.getTag() == Opcodes.H_INVOKESTATIC, handle.getOwner(), handle.getName(), handle.getDesc()), false);
                    }
                }
                super.visitInvokeDynamicInsn(name, descriptor, bootstrap, others);
            }

            @Override
            public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
                String instead = instead(owner, name, descriptor);
                if (instead != null) {
                    call(instead, replaced(opcode == Opcodes.INVOKESTATIC, owner, name, descriptor));
                } else if (owner.startsWith("org/apache/mina/")) {
                    step();
                    call("keep", "()V");
                    super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
                    call("release", "()V");
                } else {
                    if (SHARED.contains(owner) || owner.startsWith(ATOMIC) && !name.equals("<init>")) {
                        step();
                    }
                    super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
                }
            }
        }
    }

    /** The same parameters, behind the object of which the method was. */
    private static String replaced(boolean isStatic, String owner, String name, String descriptor) {
        String first = name.equals("wait") || name.startsWith("notify") ? "java/lang/Object"
                : name.equals("computeIfAbsent") ? "java/util/Map" : owner;
        return isStatic ? descriptor : "(L" + first + ";" + descriptor.substring(1);
    }

    /** The method of {@link Steps} that is called instead, or null. */
    private static String instead(String owner, String name, String descriptor) {
        return switch (name) {
            case "wait" -> descriptor.equals("()V") || descriptor.equals("(J)V") ? "await" : null;
            case "notify" -> descriptor.equals("()V") ? "notifyOne" : null;
            case "notifyAll" -> descriptor.equals("()V") ? "notifyEach" : null;
            case "start", "interrupt" -> owner.equals("java/lang/Thread") ? name : null;
            case "join" -> owner.equals("java/lang/Thread") || owner.equals("java/util/concurrent/CompletableFuture") ? name : null;
            case "orTimeout" -> name;
            case "nanoTime", "currentTimeMillis" -> owner.equals("java/lang/System") ? name : null;
            case "now" -> owner.equals("java/time/Instant") && descriptor.startsWith("()") ? name : null;
            case "execute" -> owner.equals("java/util/concurrent/Executor") ? name : null;
            case "sleep" -> owner.equals("java/util/concurrent/TimeUnit") ? name : null;
            case "instant" -> owner.equals("java/time/Clock") ? name : null;
            case "computeIfAbsent" -> owner.endsWith("Map") && owner.startsWith("java/util/") ? name : null;
            default -> null;
        };
    }
}
