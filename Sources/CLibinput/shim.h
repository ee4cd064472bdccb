// libinput: reads the kernel's input devices, here beside a compositor that reads them too.
//
// It is loaded when touchscreens are to be read and not linked: with the libraries that it brings it would cost every
// start of the program 2 ms and 2.3 MB, also where nobody asks for it.
#include <dlfcn.h>
#include <libinput.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#define FW_INPUT_CALLS(call) \
    call(device_config_calibration_get_matrix) call(device_config_calibration_has_matrix) \
    call(device_config_send_events_set_mode) call(device_get_id_product) call(device_get_id_vendor) \
    call(device_get_name) call(device_get_output_name) call(device_get_seat) call(device_get_size) \
    call(device_get_sysname) call(device_get_udev_device) call(device_get_user_data) call(device_has_capability) \
    call(device_set_user_data) call(device_touch_get_touch_count) call(dispatch) call(event_destroy) \
    call(event_get_device) call(event_get_touch_event) call(event_get_type) call(event_touch_get_seat_slot) \
    call(event_touch_get_time_usec) call(event_touch_get_x_transformed) call(event_touch_get_y_transformed) \
    call(get_event) call(get_fd) call(get_user_data) call(log_set_handler) call(log_set_priority) \
    call(path_add_device) call(path_create_context) call(path_remove_device) call(resume) \
    call(seat_get_physical_name) call(suspend) call(udev_assign_seat) call(udev_create_context) call(unref)

/// libinput's functions, without their prefix.
struct fw_input_calls {
#define FW_INPUT_MEMBER(name) __typeof__(&libinput_##name) name;
    FW_INPUT_CALLS(FW_INPUT_MEMBER)
#undef FW_INPUT_MEMBER
};

/// Those of this process, null before fw_input_load. Weak, so that every object file that Swift emits it into has the same.
__attribute__((weak)) struct fw_input_calls *fw_input(void) {
    static struct fw_input_calls calls;
    return &calls;
}

/// Loads libinput, for good. 0 when it is not installed.
static inline int fw_input_load(void) {
    struct fw_input_calls *calls = fw_input();
    void *library = dlopen("libinput.so.10", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library) return 0;
#define FW_INPUT_FIND(name) \
    if (!(calls->name = (__typeof__(&libinput_##name))dlsym(library, "libinput_" #name))) return 0;
    FW_INPUT_CALLS(FW_INPUT_FIND)
#undef FW_INPUT_FIND
    return 1;
}

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
    struct fw_input_owner *owner = fw_input()->get_user_data(input);
    char line[1024];
    vsnprintf(line, sizeof line, format, arguments);
    owner->log(priority >= LIBINPUT_LOG_PRIORITY_ERROR, line, owner->owner);
}

/// After fw_input_load: a context of the udev backend, or without `udev` of the path backend. `owner` stays where it is as
/// long as the context lives. NULL on failure.
static inline struct libinput *fw_input_new(struct fw_input_owner *owner, struct udev *udev) {
    static const struct libinput_interface interface = {fw_input_open, fw_input_close};
    struct fw_input_calls *calls = fw_input();
    struct libinput *input =
        udev ? calls->udev_create_context(&interface, owner, udev) : calls->path_create_context(&interface, owner);
    if (input) {
        calls->log_set_handler(input, fw_input_log);
        calls->log_set_priority(input, LIBINPUT_LOG_PRIORITY_INFO);
    }
    return input;
}
