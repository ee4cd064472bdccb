// The least that can stand between an app and its compositor: it waits, takes what one side has sent, and sends it to the
// other, descriptors included, without a look at it.
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
    int succeeded = sendmsg(to, &message, MSG_NOSIGNAL) == length;
    struct cmsghdr *header = message.msg_control ? CMSG_FIRSTHDR(&message) : NULL;
    if (header && header->cmsg_type == SCM_RIGHTS) {
        size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t index = 0; index < count; index++) close(((int *)CMSG_DATA(header))[index]);
    }
    return succeeded;
}

/// A socket that is connected with `address`; -1 when it cannot be.
static inline int fw_bench_relay_connect(const struct sockaddr_un *address) {
    int socket_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (socket_ >= 0 && connect(socket_, (const struct sockaddr *)address, sizeof *address) < 0) {
        close(socket_);
        return -1;
    }
    return socket_;
}

/// Starts a program on a display of our own, and passes its connections on to WAYLAND_DISPLAY's until the last of them ends.
/// Its wait status; -1 when something is not as it should be.
static inline int fw_bench_relay(char *const arguments[]) {
    enum { LIMIT = 16 };
    static const char name[] = "fingerwave-bench-relay";
    struct sockaddr_un own, other;
    if (fw_bench_relay_address(&own, name) < 0 || fw_bench_relay_address(&other, getenv("WAYLAND_DISPLAY")) < 0) return -1;
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    unlink(own.sun_path);
    if (bind(listener, (struct sockaddr *)&own, sizeof own) < 0 || listen(listener, LIMIT) < 0) return -1;
    pid_t child = fork();
    if (child == 0) {
        setenv("WAYLAND_DISPLAY", name, 1);
        execvp(arguments[0], arguments);
        _exit(127);
    }
    // The listening socket, then the app's and the compositor's end of each connection.
    struct pollfd ends[1 + 2 * LIMIT] = {{listener, POLLIN, 0}};
    nfds_t count = 1;
    do {
        if (poll(ends, count, -1) < 0) {
            if (errno == EINTR) continue;
            break;
        }
        for (nfds_t place = 1; place < count; place += 2) {
            int app = ends[place].fd, compositor = ends[place + 1].fd, goes_on = 1;
            if (ends[place + 1].revents) goes_on = fw_bench_relay_move(compositor, app);
            if (goes_on && ends[place].revents) goes_on = fw_bench_relay_move(app, compositor);
            if (goes_on) continue;
            close(app);
            close(compositor);
            // The last takes its place, and its turn at once.
            count -= 2;
            ends[place] = ends[count];
            ends[place + 1] = ends[count + 1];
            place -= 2;
        }
        if (!ends[0].revents || count + 2 > sizeof ends / sizeof *ends) continue;
        int app = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
        int compositor = app < 0 ? -1 : fw_bench_relay_connect(&other);
        if (compositor < 0) break;
        ends[count++] = (struct pollfd){app, POLLIN, 0};
        ends[count++] = (struct pollfd){compositor, POLLIN, 0};
    } while (count > 1);
    unlink(own.sun_path);
    close(listener);
    int status = -1;
    waitpid(child, &status, 0);
    return status;
}
