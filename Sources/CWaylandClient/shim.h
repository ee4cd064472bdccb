// libwayland-client: the core API only. The protocol header is generated C and never used here.
#include <wayland-util.h>
#include <wayland-client-core.h>

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// A protocol error's text is at most as long as a message; its object's name comes before it.
#define FW_LOG_SIZE 4352

// libwayland reports a protocol error's text to its log alone, through a va_list that Swift cannot read. These keep the
// newest line of each thread. The one function with state is weak, so that every object file that Swift emits it into
// shares one buffer.
__attribute__((weak)) char *fw_log_buffer(void) {
    static _Thread_local char line[FW_LOG_SIZE];
    return line;
}

static inline void fw_log_keep(const char *format, va_list arguments) {
    vsnprintf(fw_log_buffer(), FW_LOG_SIZE, format, arguments);
}

static inline void fw_log_install(void) { wl_log_set_handler_client(fw_log_keep); }

// For some malformed messages libwayland takes errno for the error without having set it. What it took,
// wl_display_get_error says; errno itself may be 0 then.
static inline int fw_read_events(struct wl_display *display) {
    errno = 0;
    return wl_display_read_events(display);
}
