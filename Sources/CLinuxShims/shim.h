// Linux calls that libc hides without _GNU_SOURCE or that Swift cannot import (variadic, macro). Every symbol is prefixed.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/types.h>
#include <unistd.h>

// Declared here, not by defining _GNU_SOURCE: that macro in one module's header alone clashes with the others' fd_set.
extern int memfd_create(const char *name, unsigned flags);
extern int ppoll(struct pollfd *fds, nfds_t count, const struct timespec *timeout, const sigset_t *mask);

#define FW_MFD_CLOEXEC 0x0001U
#define FW_MFD_ALLOW_SEALING 0x0002U
#define FW_F_ADD_SEALS 1033
#define FW_F_DUPFD_CLOEXEC 1030
#define FW_F_SEAL_SHRINK 0x0002

/// An anonymous file for shared memory, closed on exec and open to seals; -1 and errno on failure.
static inline int fw_memfd(const char *name) {
    return memfd_create(name, FW_MFD_CLOEXEC | FW_MFD_ALLOW_SEALING);
}

/// Forbids shrinking, so that a compositor may map the file without fear of SIGBUS.
static inline int fw_seal_shrink(int fd) { return fcntl(fd, FW_F_ADD_SEALS, FW_F_SEAL_SHRINK); }

static inline int fw_dup_cloexec(int fd) { return fcntl(fd, FW_F_DUPFD_CLOEXEC, 0); }

static inline int fw_set_nonblocking(int fd, int on) {
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0) return -1;
    return fcntl(fd, F_SETFL, on ? flags | O_NONBLOCK : flags & ~O_NONBLOCK);
}

static inline int fw_set_cloexec(int fd) { return fcntl(fd, F_SETFD, FD_CLOEXEC); }
