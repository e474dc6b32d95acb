package org.alder.server.cli.option;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Words for what the platform reports by the names of its exception classes only. */
public final class Faults {
    private Faults() {
    }

    /** What went wrong, naming the file if the exception does. */
    public static String describe(IOException fault) {
        if (fault instanceof NoSuchFileException missing) {
            return "no such file or folder: " + missing.getFile();
        }
        if (fault instanceof AccessDeniedException denied) {
            return "permission denied: " + denied.getFile();
        }
        if (fault instanceof FileAlreadyExistsException existing) {
            return existing.getFile() + " is there already, and is not a folder";
        }
        boolean tells = fault.getMessage() != null && (fault.getClass() == IOException.class
                || fault instanceof FileSystemException);
        return tells ? fault.getMessage() : fault.getClass().getSimpleName() + ": " + fault.getMessage();
    }
}
