// libinput: reads the kernel's input devices, here beside a compositor that reads them too.
#include <libinput.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

/// Whom a context's questions and messages go to. libinput's own log handler takes a va_list, which Swift cannot read.
struct fw_input_owner {
    void *owner;
    /// The descriptor, or a negated errno.
    int (*open)(const char *path, void *owner);
    void (*log)(int is_error, const char *line, void *owner);
};

static inline int fw_input_open(const char *path, int flags, void *data) {
    struct fw_input_owner *owner = data;
    (void)flags;  // They ask for writing, which only lights of keyboards need.
    return owner->open(path, owner->owner);
}

static inline void fw_input_close(int fd, void *data) {
    (void)data;
    close(fd);
}

static inline void fw_input_log(
    struct libinput *input, enum libinput_log_priority priority, const char *format, va_list arguments) {
    struct fw_input_owner *owner = libinput_get_user_data(input);
    char line[1024];
    vsnprintf(line, sizeof line, format, arguments);
    owner->log(priority >= LIBINPUT_LOG_PRIORITY_ERROR, line, owner->owner);
}

/// A context of the udev backend, or without `udev` of the path backend. `owner` stays where it is as long as the context
/// lives. NULL on failure.
static inline struct libinput *fw_input_new(struct fw_input_owner *owner, struct udev *udev) {
    static const struct libinput_interface interface = {fw_input_open, fw_input_close};
    struct libinput *input =
        udev ? libinput_udev_create_context(&interface, owner, udev) : libinput_path_create_context(&interface, owner);
    if (input) {
        libinput_log_set_handler(input, fw_input_log);
        libinput_log_set_priority(input, LIBINPUT_LOG_PRIORITY_INFO);
    }
    return input;
}
