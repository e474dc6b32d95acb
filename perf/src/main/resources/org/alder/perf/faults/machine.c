/*
 * What a member under test finds on its machine (org.alder.perf.faults.Machines): another time of day, and a disk that fails. It is put before the C library
 * (LD_PRELOAD), and only there: no part of Alder uses it.
 *
 *   ALDER_FAULTS_CLOCK   seconds that the time of day is ahead, negative for behind. The clocks that only measure how long something takes go on as they do,
 *                        as on a machine whose clock was set wrong.
 *   ALDER_FAULTS_FOLDER  where the disk is mounted
 *   ALDER_FAULTS_DISK    a file of at least a byte, which may change at any time: what of that disk's files fails (EIO): 1 reads, 2 writes, 4 syncs, or a sum
 *                        of these. Files that are mapped into memory do not fail.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { READS = 1, WRITES = 2, SYNCS = 4 };

static long clock_seconds;
static const char *folder;
static volatile const unsigned char *failing;

__attribute__((constructor)) static void begin(void) {
    const char *seconds = getenv("ALDER_FAULTS_CLOCK");
    clock_seconds = seconds == NULL ? 0 : atol(seconds);
    folder = getenv("ALDER_FAULTS_FOLDER");
    const char *file = getenv("ALDER_FAULTS_DISK");
    int fd = folder == NULL || file == NULL ? -1 : open(file, O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
        void *page = mmap(NULL, 1, PROT_READ, MAP_SHARED, fd, 0);
        failing = page == MAP_FAILED ? NULL : page;
        close(fd);
    }
}

/* Of the disk, and not of a socket or anything else. */
static int fails(int fd, int what) {
    if (failing == NULL || (*failing & what) == 0) {
        return 0;
    }
    char link[40];
    char path[4096];
    int before = errno;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    errno = before;
    size_t prefix = strlen(folder);
    if (length <= (ssize_t) prefix || strncmp(path, folder, prefix) != 0 || path[prefix] != '/') {
        return 0;
    }
    errno = EIO;
    return 1;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    int result = syscall(SYS_clock_gettime, clock, now);
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
        now->tv_sec += clock_seconds;
    }
    return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    int result = syscall(SYS_gettimeofday, now, zone);
    if (result == 0) {
        now->tv_sec += clock_seconds;
    }
    return result;
}

time_t time(time_t *now) {
    struct timespec all;
    clock_gettime(CLOCK_REALTIME, &all);
    if (now != NULL) {
        *now = all.tv_sec;
    }
    return all.tv_sec;
}

/* The function of the C library behind this one. It may be called before begin(). */
#define NEXT(name) static __typeof__(&name) next; if (next == NULL) { next = (__typeof__(&name)) dlsym(RTLD_NEXT, #name); }

#define FAILING(what, result, name, parameters, ...) \
    result name parameters { NEXT(name) return fails(fd, what) ? -1 : next(fd, ##__VA_ARGS__); }

FAILING(READS, ssize_t, read, (int fd, void *to, size_t size), to, size)
FAILING(READS, ssize_t, pread, (int fd, void *to, size_t size, off_t at), to, size, at)
FAILING(READS, ssize_t, pread64, (int fd, void *to, size_t size, off64_t at), to, size, at)
FAILING(READS, ssize_t, readv, (int fd, const struct iovec *to, int count), to, count)
FAILING(WRITES, ssize_t, write, (int fd, const void *from, size_t size), from, size)
FAILING(WRITES, ssize_t, pwrite, (int fd, const void *from, size_t size, off_t at), from, size, at)
FAILING(WRITES, ssize_t, pwrite64, (int fd, const void *from, size_t size, off64_t at), from, size, at)
FAILING(WRITES, ssize_t, writev, (int fd, const struct iovec *from, int count), from, count)
FAILING(SYNCS, int, fsync, (int fd))
FAILING(SYNCS, int, fdatasync, (int fd))
