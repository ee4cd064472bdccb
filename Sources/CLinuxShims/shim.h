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
#include <sys/un.h>
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

/// SIG_IGN is a cast, which Swift does not import in every mode.
static inline void fw_ignore_signal(int number) { signal(number, SIG_IGN); }

/// Opens /dev/null in place of each standard descriptor that the caller closed: the next socket would get its number, and
/// what is meant for standard output would go into it.
static inline void fw_fill_standard_descriptors(void) {
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 0 ? O_RDONLY : O_WRONLY) < 0) return;
}

/// A stream socket, closed on exec, connected to the one at `path`; -1 and errno on failure.
static inline int fw_connect_local(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = strlen(path);
    if (length >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(address.sun_path, path, length + 1);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return -1;
    int result;
    do {
        result = connect(fd, (struct sockaddr *)&address, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length + 1));
    } while (result < 0 && errno == EINTR);
    if (result == 0) return fd;
    int why = errno;
    close(fd);
    errno = why;
    return -1;
}

// Programs that start another one. The environment is a variable that Swift 6 does not let be read.
#include <spawn.h>
#include <sys/wait.h>

extern char **environ;
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
static inline char **fw_environ(void) { return environ; }

/// What a shell would call it: the exit code, or 128 and the signal's number.
static inline int fw_exit_code(int status) {
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
