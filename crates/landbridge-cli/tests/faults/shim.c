/* Makes the n-th call of the C library fail. The test compiles it and loads it before the program (LD_PRELOAD).

   FAULT_KIND   eio, enospc, eacces: the call fails with that error.
                eintr: a signal came before anything was done; the caller has to try again.
                short: a read or write does half of what was asked.
                memory: an allocation is refused.
                thread: a thread is refused.
   FAULT_AT     which call fails, counted from 1; 0: none.
   FAULT_COUNT  a file; at the end of the program it receives the number of calls that could have failed.

   Messages (descriptor 2) are left alone: the tests read them. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { NONE, ERROR, EINTR_, SHORT, MEMORY, THREAD };

static enum kind kind = NONE;
static int error_number = 0;
static long fault_at = 0;
static atomic_long calls = 0;
/* Allocations count from the moment at which the program is ready for a refused one. */
static atomic_int ready = 0;

__attribute__((constructor)) static void begin(void) {
    const char *name = getenv("FAULT_KIND");
    const char *at = getenv("FAULT_AT");
    if (!name || !at) return;
    fault_at = atol(at);
    if (!strcmp(name, "eio")) kind = ERROR, error_number = EIO;
    if (!strcmp(name, "enospc")) kind = ERROR, error_number = ENOSPC;
    if (!strcmp(name, "eacces")) kind = ERROR, error_number = EACCES;
    if (!strcmp(name, "eintr")) kind = EINTR_, error_number = EINTR;
    if (!strcmp(name, "short")) kind = SHORT;
    if (!strcmp(name, "memory")) kind = MEMORY, error_number = ENOMEM;
    if (!strcmp(name, "thread")) kind = THREAD;
}

__attribute__((destructor)) static void end(void) {
    const char *path = getenv("FAULT_COUNT");
    if (!path) return;
    char text[32];
    int length = snprintf(text, sizeof text, "%ld", atomic_load(&calls));
    int file = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file >= 0) {
        syscall(SYS_write, file, text, length);
        syscall(SYS_close, file);
    }
}

/* Whether this call is the one that fails. */
static int fails(void) { return atomic_fetch_add(&calls, 1) + 1 == fault_at; }

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* A call that returns -1 on failure. */
#define REFUSE_IF(condition)                                            \
    if ((condition) && fails()) {                                       \
        errno = error_number;                                           \
        return -1;                                                      \
    }

static int talks(int file) { return file == 2; }

ssize_t write(int file, const void *from, size_t count) {
    if (kind == SHORT && !talks(file) && count > 1 && fails()) count /= 2;
    REFUSE_IF((kind == ERROR || kind == EINTR_) && !talks(file))
    return syscall(SYS_write, file, from, count);
}
ssize_t read(int file, void *to, size_t count) {
    if (kind == SHORT && count > 1 && fails()) count /= 2;
    REFUSE_IF(kind == ERROR || kind == EINTR_)
    return syscall(SYS_read, file, to, count);
}
ssize_t writev(int file, const struct iovec *from, int count) {
    if (kind == SHORT && !talks(file) && count > 1 && fails()) count /= 2;
    REFUSE_IF((kind == ERROR || kind == EINTR_) && !talks(file))
    return syscall(SYS_writev, file, from, count);
}
ssize_t readv(int file, const struct iovec *to, int count) {
    if (kind == SHORT && count > 1 && fails()) count /= 2;
    REFUSE_IF(kind == ERROR || kind == EINTR_)
    return syscall(SYS_readv, file, to, count);
}
ssize_t pread64(int file, void *to, size_t count, off64_t at) {
    if (kind == SHORT && count > 1 && fails()) count /= 2;
    REFUSE_IF(kind == ERROR || kind == EINTR_)
    return syscall(SYS_pread64, file, to, count, at);
}
ssize_t pwrite64(int file, const void *from, size_t count, off64_t at) {
    if (kind == SHORT && count > 1 && fails()) count /= 2;
    REFUSE_IF(kind == ERROR || kind == EINTR_)
    return syscall(SYS_pwrite64, file, from, count, at);
}
ssize_t copy_file_range(int in, off64_t *in_at, int out, off64_t *out_at, size_t count, unsigned flags) {
    if (kind == SHORT && count > 1 && fails()) count /= 2;
    REFUSE_IF(kind == ERROR || kind == EINTR_)
    return syscall(SYS_copy_file_range, in, in_at, out, out_at, count, flags);
}
int open64(const char *path, int flags, ...) {
    mode_t mode = 0;
    if (flags & (O_CREAT | O_TMPFILE)) {
        va_list list;
        va_start(list, flags);
        mode = va_arg(list, mode_t);
        va_end(list);
    }
    REFUSE_IF(kind == ERROR || kind == EINTR_)
    return syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}
int fsync(int file) {
    REFUSE_IF(kind == ERROR || kind == EINTR_)
    return syscall(SYS_fsync, file);
}
int fdatasync(int file) {
    REFUSE_IF(kind == ERROR || kind == EINTR_)
    return syscall(SYS_fdatasync, file);
}
int rename(const char *from, const char *to) {
    REFUSE_IF(kind == ERROR)
    return syscall(SYS_rename, from, to);
}
int unlink(const char *path) {
    REFUSE_IF(kind == ERROR)
    return syscall(SYS_unlink, path);
}
int mkdir(const char *path, mode_t mode) {
    REFUSE_IF(kind == ERROR)
    return syscall(SYS_mkdir, path, mode);
}
int fchmod(int file, mode_t mode) {
    REFUSE_IF(kind == ERROR)
    return syscall(SYS_fchmod, file, mode);
}
int ftruncate64(int file, off64_t length) {
    REFUSE_IF(kind == ERROR)
    return syscall(SYS_ftruncate, file, length);
}
off64_t lseek64(int file, off64_t to, int from) {
    REFUSE_IF(kind == ERROR)
    return syscall(SYS_lseek, file, to, from);
}
ssize_t readlink(const char *path, char *to, size_t room) {
    REFUSE_IF(kind == ERROR)
    return syscall(SYS_readlink, path, to, room);
}
int flock(int file, int how) {
    REFUSE_IF(kind == ERROR)
    return syscall(SYS_flock, file, how);
}
int statx(int folder, const char *path, int flags, unsigned mask, struct statx *to) {
    REFUSE_IF(kind == ERROR)
    return syscall(SYS_statx, folder, path, flags, mask, to);
}
DIR *opendir(const char *path) {
    if (kind == ERROR && fails()) {
        errno = error_number;
        return NULL;
    }
    return REAL(opendir)(path);
}
struct dirent64 *readdir64(DIR *folder) {
    if (kind == ERROR && fails()) {
        errno = error_number;
        return NULL;
    }
    return REAL(readdir64)(folder);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *about, void *(*work)(void *), void *with) {
    if (kind == THREAD && fails()) return EAGAIN;
    return REAL(pthread_create)(thread, about, work, with);
}

__sighandler_t signal(int which, __sighandler_t handler) {
    if (which == SIGABRT) atomic_store(&ready, 1);
    return REAL(signal)(which, handler);
}

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static int refuses_memory(void) { return kind == MEMORY && atomic_load(&ready) && fails(); }

void *malloc(size_t size) { return refuses_memory() ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return refuses_memory() ? NULL : __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { return refuses_memory() ? NULL : __libc_realloc(old, size); }
int posix_memalign(void **to, size_t align, size_t size) {
    if (refuses_memory()) return ENOMEM;
    *to = __libc_memalign(align, size);
    return *to ? 0 : ENOMEM;
}
