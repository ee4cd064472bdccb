// libwayland-server: the core API only. The protocol header is generated C and never used here.
#include <wayland-util.h>
#include <wayland-server-core.h>

#include <stdarg.h>
#include <stdio.h>

// Variadic: not imported into Swift.
static inline void fw_resource_post_error(struct wl_resource *resource, uint32_t code, const char *text) {
    wl_resource_post_error(resource, code, "%s", text);
}

// A listener that knows whom it belongs to: wl_container_of is a macro that Swift cannot import.
struct fw_listener {
    struct wl_listener listener;
    void *owner;
};

// libwayland logs why it ended a client through a va_list that Swift cannot read. These keep the newest line of each
// thread. The one function with state is weak, so that every object file that Swift emits it into shares one buffer.
__attribute__((weak)) char *fw_server_log_buffer(void) {
    static _Thread_local char line[512];
    return line;
}

static inline void fw_server_log_keep(const char *format, va_list arguments) {
    vsnprintf(fw_server_log_buffer(), 512, format, arguments);
}

static inline void fw_server_log_install(void) { wl_log_set_handler_server(fw_server_log_keep); }
