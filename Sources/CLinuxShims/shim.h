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
#define FW_F_SETPIPE_SZ 1031

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

/// As much as a pipe may hold without privileges, by Linux' own default; nothing happens to what is no pipe.
static inline void fw_enlarge_pipe(int fd) { (void)fcntl(fd, FW_F_SETPIPE_SZ, 1 << 20); }

/// SIG_IGN is a cast, which Swift does not import in every mode.
static inline void fw_ignore_signal(int number) { signal(number, SIG_IGN); }

static inline int fw_is_ignored(int number) {
    struct sigaction action;
    return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

typedef void (*fw_signal_action)(int, siginfo_t *, void *);

/// What was to be done on a crash: see fw_end_by_signals. A variable of its own Swift would not bring into the program.
static inline fw_signal_action *fw_on_crash(void) {
    static fw_signal_action action;
    return &action;
}

static inline void fw_take_signal(int number, siginfo_t *info, void *context) {
    if (info->si_code > 0 || info->si_pid == getpid()) {
        // A fault of our own, or abort(). It sets the defaults, and what caused it happens again.
        (*fw_on_crash())(number, info, context);
        return;
    }
    signal(number, SIG_DFL);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    raise(number);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
}

/// Swift's runtime prints where the program is when it crashes, and takes somebody else's signal for a crash: Ctrl-\, kill
/// -ABRT. Those end it as they end every program. What was ignored stays so, and a program without that runtime as it is.
static inline void fw_end_by_signals(void) {
    struct sigaction action;
    if (sigaction(SIGQUIT, NULL, &action) == 0 && action.sa_handler != SIG_IGN) signal(SIGQUIT, SIG_DFL);
    const int crashes[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP};
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) {
        if (sigaction(crashes[i], NULL, &action) < 0 || !(action.sa_flags & SA_SIGINFO)) continue;
        if (action.sa_sigaction == fw_take_signal) continue;
        *fw_on_crash() = action.sa_sigaction;
        action.sa_sigaction = fw_take_signal;
        sigaction(crashes[i], &action, NULL);
    }
}

/// Opens /dev/null in place of each standard descriptor that the caller closed: the next socket would get its number, and
/// what is meant for standard output would go into it. To write to standard output fails as it did (EBADF): it is read only.
static inline void fw_fill_standard_descriptors(void) {
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 2 ? O_WRONLY : O_RDONLY) < 0) return;
}

/// A file that was not there before, to write to; -1 and errno on failure, EEXIST also for a link.
static inline int fw_create_new(const char *path) {
    return open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
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

// Sockets with descriptors beside the bytes (cmsg(3)), whose macros Swift does not import.

/// recvmsg(2), not waiting: bytes, and descriptors closed on exec. `*truncated` is set when some did not fit and are lost.
static inline ssize_t fw_receive_message(
    int fd, void *bytes, size_t size, int *descriptors, size_t capacity, size_t *count, int *truncated) {
    union {
        char bytes[CMSG_SPACE(253 * sizeof(int))];
        struct cmsghdr header;
    } control;
    struct iovec part = {.iov_base = bytes, .iov_len = size};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    *count = 0;
    *truncated = 0;
    ssize_t length;
    do {
        length = recvmsg(fd, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    } while (length < 0 && errno == EINTR);
    if (length < 0) return length;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        size_t number = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t index = 0; index < number; index++) {
            int descriptor;
            memcpy(&descriptor, CMSG_DATA(header) + index * sizeof descriptor, sizeof descriptor);
            if (*count < capacity) {
                descriptors[(*count)++] = descriptor;
            } else {
                close(descriptor);
                *truncated = 1;
            }
        }
    }
    if (message.msg_flags & MSG_CTRUNC) *truncated = 1;
    return length;
}

/// sendmsg(2), not waiting, without SIGPIPE; at most 253 descriptors, with the first byte.
static inline ssize_t fw_send_message(int fd, const void *bytes, size_t size, const int *descriptors, size_t count) {
    union {
        char bytes[CMSG_SPACE(253 * sizeof(int))];
        struct cmsghdr header;
    } control;
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = size};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (count > 253) {
        errno = EINVAL;
        return -1;
    }
    if (count > 0) {
        message.msg_control = control.bytes;
        message.msg_controllen = CMSG_SPACE(count * sizeof(int));
        memset(control.bytes, 0, message.msg_controllen);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(count * sizeof(int));
        memcpy(CMSG_DATA(header), descriptors, count * sizeof(int));
    }
    ssize_t length;
    do {
        length = sendmsg(fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    } while (length < 0 && errno == EINTR);
    return length;
}

// Programs that start another one. The environment is a variable that Swift 6 does not let be read.
#include <spawn.h>
#include <sys/wait.h>

extern char **environ;
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);
static inline char **fw_environ(void) { return environ; }

/// What a shell would call it: the exit code, or 128 and the signal's number.
static inline int fw_exit_code(int status) {
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

#include <sys/prctl.h>

/// What a child of ours starts and leaves behind becomes our child as well, and not init's.
static inline int fw_adopt_orphans(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

/// Whether the other end of a stream socket is closed.
static inline int fw_has_hung_up(int fd) {
    struct pollfd end = {.fd = fd};
    return poll(&end, 1, 0) == 1;
}

// Local sockets that programs of one user find one another by.
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/time.h>

extern int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags);

static inline int fw_local_address(const char *path, struct sockaddr_un *address, socklen_t *length) {
    size_t bytes = strlen(path);
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    if (bytes >= sizeof address->sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(address->sun_path, path, bytes + 1);
    *length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + bytes + 1);
    return 0;
}

static inline int fw_close_keeping_errno(int fd) {
    int why = errno;
    close(fd);
    errno = why;
    return -1;
}

/// Takes the lock of the file at `path`, which is made if it is not there: its descriptor, or -1; with EWOULDBLOCK when
/// another process has it. The lock ends with the descriptor, however the process ends.
static inline int fw_lock_file(const char *path) {
    for (int attempt = 0; attempt < 100; attempt++) {
        int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
        if (fd < 0) return -1;
        if (flock(fd, LOCK_EX | LOCK_NB) < 0) return fw_close_keeping_errno(fd);
        // The last owner may have removed the file between the two calls: then the lock is on what nobody finds.
        struct stat mine, found;
        if (fstat(fd, &mine) == 0 && stat(path, &found) == 0 && mine.st_dev == found.st_dev && mine.st_ino == found.st_ino)
            return fd;
        close(fd);
    }
    errno = EAGAIN;
    return -1;
}

/// A socket that listens at `path`, of mode 0600 from its first moment, closed on exec, without waiting; -1 on failure.
static inline int fw_listen_local(const char *path, int backlog) {
    struct sockaddr_un address;
    socklen_t length;
    if (fw_local_address(path, &address, &length) < 0) return -1;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) return -1;
    // Linux gives the socket's own mode to the file that bind makes.
    if (fchmod(fd, 0600) < 0 || bind(fd, (struct sockaddr *)&address, length) < 0 || listen(fd, backlog) < 0)
        return fw_close_keeping_errno(fd);
    return fd;
}

static inline int fw_accept(int fd) { return accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }

/// Like fw_connect_local, but connecting, each read and each write wait at most so long.
static inline int fw_connect_local_within(const char *path, int milliseconds) {
    struct sockaddr_un address;
    socklen_t length;
    if (fw_local_address(path, &address, &length) < 0) return -1;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return -1;
    struct timeval limit = {.tv_sec = milliseconds / 1000, .tv_usec = (milliseconds % 1000) * 1000};
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    if (connect(fd, (struct sockaddr *)&address, length) < 0) return fw_close_keeping_errno(fd);
    return fd;
}

/// send that raises no SIGPIPE.
static inline ssize_t fw_send(int fd, const void *bytes, size_t count) { return send(fd, bytes, count, MSG_NOSIGNAL); }

// What an open file is.
#include <linux/magic.h>
#include <sys/vfs.h>

/// Not 0 for a pipe that no file system names, such as a shell's `|`.
static inline int fw_is_nameless_pipe(int fd) {
    struct statfs system;
    return fstatfs(fd, &system) == 0 && system.f_type == PIPEFS_MAGIC;
}

// One descriptor for several, to be waited for as one.
#include <sys/epoll.h>

static inline int fw_gather(void) { return epoll_create1(EPOLL_CLOEXEC); }

/// Makes the gathering one readable whenever `fd` is.
static inline int fw_gather_readable(int gathering, int fd) {
    struct epoll_event event = {.events = EPOLLIN, .data = {.fd = fd}};
    return epoll_ctl(gathering, EPOLL_CTL_ADD, fd, &event);
}

static inline int fw_gather_no_more(int gathering, int fd) { return epoll_ctl(gathering, EPOLL_CTL_DEL, fd, NULL); }

// Input devices (linux/input.h): ioctl is variadic and its numbers are macros. -1 and errno on failure.
#include <linux/input.h>
#include <sys/ioctl.h>

/// Events are to be stamped by CLOCK_MONOTONIC.
static inline int fw_evdev_use_monotonic(int fd) {
    int clock = CLOCK_MONOTONIC;
    return ioctl(fd, EVIOCSCLOCKID, &clock);
}

static inline int fw_evdev_name(int fd, char *text, size_t size) { return ioctl(fd, EVIOCGNAME(size), text); }

/// Bus, vendor, product and version.
static inline int fw_evdev_ids(int fd, uint16_t *ids) {
    struct input_id id;
    int result = ioctl(fd, EVIOCGID, &id);
    if (result < 0) return result;
    ids[0] = id.bustype;
    ids[1] = id.vendor;
    ids[2] = id.product;
    ids[3] = id.version;
    return 0;
}

/// A bit for each code of a type, the lowest first; of type 0: for each type.
static inline int fw_evdev_codes(int fd, unsigned type, uint8_t *bits, size_t size) {
    return ioctl(fd, EVIOCGBIT(type, size), bits);
}

static inline int fw_evdev_properties(int fd, uint8_t *bits, size_t size) { return ioctl(fd, EVIOCGPROP(size), bits); }

/// Of an absolute axis: its value, minimum, maximum, fuzz, flat and resolution.
static inline int fw_evdev_axis(int fd, unsigned code, int32_t *values) {
    struct input_absinfo info;
    int result = ioctl(fd, EVIOCGABS(code), &info);
    if (result < 0) return result;
    values[0] = info.value;
    values[1] = info.minimum;
    values[2] = info.maximum;
    values[3] = info.fuzz;
    values[4] = info.flat;
    values[5] = info.resolution;
    return 0;
}

/// The value that an axis has in each slot; `values` begins with the axis's code and has room for `count` behind it.
static inline int fw_evdev_slots(int fd, int32_t *values, size_t count) {
    return ioctl(fd, EVIOCGMTSLOTS((count + 1) * sizeof *values), values);
}

/// A bit for each key that is down.
static inline int fw_evdev_keys(int fd, uint8_t *bits, size_t size) { return ioctl(fd, EVIOCGKEY(size), bits); }

typedef struct fw_evdev_event {
    int64_t microseconds;
    uint16_t type, code;
    int32_t value;
} fw_evdev_event;

/// Up to 64 events, not waiting; how many, 0 when the device has gone.
static inline int fw_evdev_read(int fd, fw_evdev_event *events) {
    struct input_event raw[64];
    ssize_t length;
    do {
        length = read(fd, raw, sizeof raw);
    } while (length < 0 && errno == EINTR);
    if (length < 0) return -1;
    int count = (int)(length / (ssize_t)sizeof raw[0]);
    for (int index = 0; index < count; index++) {
        events[index].microseconds =
            (int64_t)raw[index].input_event_sec * 1000000 + (int64_t)raw[index].input_event_usec;
        events[index].type = raw[index].type;
        events[index].code = raw[index].code;
        events[index].value = raw[index].value;
    }
    return count;
}
