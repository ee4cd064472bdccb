// The least that can stand between an app and its compositor: it waits, takes what one side has sent, and sends it to the
// other, descriptors included, without a look at it. Only for one connection.
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static inline int fw_bench_relay_address(struct sockaddr_un *address, const char *name) {
    const char *folder = getenv("XDG_RUNTIME_DIR");
    if (!folder || !name) return -1;
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    size_t size = sizeof address->sun_path;
    return snprintf(address->sun_path, size, "%s/%s", folder, name) < (int)size ? 0 : -1;
}

/// False when there is nothing more to come, or nobody left to send it to.
static inline int fw_bench_relay_move(int from, int to) {
    char bytes[65536], control[1024];
    struct iovec part = {.iov_base = bytes, .iov_len = sizeof bytes};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    ssize_t length = recvmsg(from, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (length < 0) return errno == EAGAIN || errno == EINTR;
    if (length == 0) return 0;
    part.iov_len = (size_t)length;
    message.msg_flags = 0;
    if (message.msg_controllen == 0) message.msg_control = NULL;
    // Blocking, with sockets that block: nothing is left over.
    return sendmsg(to, &message, MSG_NOSIGNAL) == length;
}

/// Starts a program on a display of our own, and passes its connection on to WAYLAND_DISPLAY's. Its wait status; -1 when
/// something is not as it should be.
static inline int fw_bench_relay(char *const arguments[]) {
    static const char name[] = "fingerwave-bench-relay";
    struct sockaddr_un own, other;
    if (fw_bench_relay_address(&own, name) < 0 || fw_bench_relay_address(&other, getenv("WAYLAND_DISPLAY")) < 0) return -1;
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int compositor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    unlink(own.sun_path);
    if (bind(listener, (struct sockaddr *)&own, sizeof own) < 0 || listen(listener, 1) < 0) return -1;
    if (connect(compositor, (struct sockaddr *)&other, sizeof other) < 0) return -1;
    pid_t child = fork();
    if (child == 0) {
        setenv("WAYLAND_DISPLAY", name, 1);
        execv(arguments[0], arguments);
        _exit(127);
    }
    int app = child < 0 ? -1 : accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    unlink(own.sun_path);
    if (app < 0) return -1;
    for (int goes_on = 1; goes_on;) {
        struct pollfd ends[2] = {{app, POLLIN, 0}, {compositor, POLLIN, 0}};
        if (poll(ends, 2, -1) < 0 && errno != EINTR) break;
        if (ends[1].revents) goes_on = fw_bench_relay_move(compositor, app);
        if (goes_on && ends[0].revents) goes_on = fw_bench_relay_move(app, compositor);
    }
    close(app);
    close(compositor);
    int status = -1;
    waitpid(child, &status, 0);
    return status;
}
