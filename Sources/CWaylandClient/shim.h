// libwayland-client: the core API only. The protocol header is generated C and never used here.
#include <wayland-util.h>
#include <wayland-client-core.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// libwayland reports a protocol error's text to its log alone, through a va_list that Swift cannot read. These keep the
// newest line of each thread. The one function with state is weak, so that every object file that Swift emits it into
// shares one buffer.
__attribute__((weak)) char *fw_log_buffer(void) {
    static _Thread_local char line[512];
    return line;
}

static inline void fw_log_keep(const char *format, va_list arguments) {
    vsnprintf(fw_log_buffer(), 512, format, arguments);
}

static inline void fw_log_install(void) { wl_log_set_handler_client(fw_log_keep); }
