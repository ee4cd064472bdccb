// A client in C. The inline functions of libwayland's generated header are written out: calls of wl_proxy_marshal_flags
// and wl_proxy_add_listener. The tables are libwayland's own.
#include <errno.h>
#include <stdint.h>
#include <wayland-client-core.h>

extern const struct wl_interface wl_registry_interface, wl_seat_interface, wl_touch_interface, wl_pointer_interface,
    wl_compositor_interface, wl_surface_interface;

/// What the handlers of all clients do with an event: enough that no compiler leaves it out.
struct fw_bench_sum {
    uint64_t events;
    uint64_t numbers;
    double x, y;
};

struct fw_bench_client {
    struct wl_display *display;
    struct wl_proxy *registry, *seat, *touch, *pointer, *compositor, *surface;
};

/// Takes over the socket and makes the objects, in the order and at the versions in which the Swift client does.
static inline struct fw_bench_client fw_bench_open(int fd, uint32_t seat_version, uint32_t compositor_version) {
    struct fw_bench_client c = {wl_display_connect_to_fd(fd)};
    if (!c.display) return c;
    c.registry = wl_proxy_marshal_flags((struct wl_proxy *)c.display, 1, &wl_registry_interface, 1, 0, NULL);
    c.seat = wl_proxy_marshal_flags(
        c.registry, 0, &wl_seat_interface, seat_version, 0, 1, wl_seat_interface.name, seat_version, NULL);
    c.pointer = wl_proxy_marshal_flags(c.seat, 0, &wl_pointer_interface, seat_version, 0, NULL);
    c.touch = wl_proxy_marshal_flags(c.seat, 2, &wl_touch_interface, seat_version, 0, NULL);
    c.compositor = wl_proxy_marshal_flags(
        c.registry, 0, &wl_compositor_interface, compositor_version, 0, 2, wl_compositor_interface.name,
        compositor_version, NULL);
    c.surface = wl_proxy_marshal_flags(c.compositor, 0, &wl_surface_interface, compositor_version, 0, NULL);
    wl_display_flush(c.display);
    return c;
}

static inline void fw_bench_close(struct fw_bench_client *c) {
    struct wl_proxy *proxies[] = {c->surface, c->compositor, c->touch, c->pointer, c->seat, c->registry};
    for (int i = 0; i < 6; i++) wl_proxy_destroy(proxies[i]);
    wl_display_disconnect(c->display);
}

// Listeners.

static inline void fw_bench_touch_down(
    void *data, struct wl_proxy *touch, uint32_t serial, uint32_t time, struct wl_proxy *surface, int32_t id,
    wl_fixed_t x, wl_fixed_t y) {
    struct fw_bench_sum *sum = data;
    sum->events++;
    sum->numbers += time + (uint32_t)id + (wl_proxy_get_user_data(surface) != NULL);
    sum->x += wl_fixed_to_double(x);
    sum->y += wl_fixed_to_double(y);
}

static inline void fw_bench_touch_up(void *data, struct wl_proxy *touch, uint32_t serial, uint32_t time, int32_t id) {}

static inline void fw_bench_touch_motion(
    void *data, struct wl_proxy *touch, uint32_t time, int32_t id, wl_fixed_t x, wl_fixed_t y) {
    struct fw_bench_sum *sum = data;
    sum->events++;
    sum->numbers += time + (uint32_t)id;
    sum->x += wl_fixed_to_double(x);
    sum->y += wl_fixed_to_double(y);
}

static inline void fw_bench_touch_frame(void *data, struct wl_proxy *touch) {
    struct fw_bench_sum *sum = data;
    sum->events++;
}

static inline void fw_bench_touch_cancel(void *data, struct wl_proxy *touch) {}

static inline void fw_bench_touch_shape(
    void *data, struct wl_proxy *touch, int32_t id, wl_fixed_t major, wl_fixed_t minor) {}

static inline void fw_bench_touch_orientation(void *data, struct wl_proxy *touch, int32_t id, wl_fixed_t degrees) {}

struct fw_bench_touch_listener {
    void (*down)(
        void *, struct wl_proxy *, uint32_t, uint32_t, struct wl_proxy *, int32_t, wl_fixed_t, wl_fixed_t);
    void (*up)(void *, struct wl_proxy *, uint32_t, uint32_t, int32_t);
    void (*motion)(void *, struct wl_proxy *, uint32_t, int32_t, wl_fixed_t, wl_fixed_t);
    void (*frame)(void *, struct wl_proxy *);
    void (*cancel)(void *, struct wl_proxy *);
    void (*shape)(void *, struct wl_proxy *, int32_t, wl_fixed_t, wl_fixed_t);
    void (*orientation)(void *, struct wl_proxy *, int32_t, wl_fixed_t);
};

static inline void fw_bench_pointer_enter(
    void *data, struct wl_proxy *pointer, uint32_t serial, struct wl_proxy *surface, wl_fixed_t x, wl_fixed_t y) {}

static inline void fw_bench_pointer_leave(
    void *data, struct wl_proxy *pointer, uint32_t serial, struct wl_proxy *surface) {}

static inline void fw_bench_pointer_motion(
    void *data, struct wl_proxy *pointer, uint32_t time, wl_fixed_t x, wl_fixed_t y) {
    struct fw_bench_sum *sum = data;
    sum->events++;
    sum->numbers += time;
    sum->x += wl_fixed_to_double(x);
    sum->y += wl_fixed_to_double(y);
}

/// wl_pointer's first three; no other event is sent to it here.
struct fw_bench_pointer_listener {
    void (*enter)(void *, struct wl_proxy *, uint32_t, struct wl_proxy *, wl_fixed_t, wl_fixed_t);
    void (*leave)(void *, struct wl_proxy *, uint32_t, struct wl_proxy *);
    void (*motion)(void *, struct wl_proxy *, uint32_t, wl_fixed_t, wl_fixed_t);
    void (*others[6])(void);
};

static inline int fw_bench_listen(struct fw_bench_client *c, struct fw_bench_sum *sum) {
    static struct fw_bench_touch_listener touch = {
        fw_bench_touch_down, fw_bench_touch_up, fw_bench_touch_motion, fw_bench_touch_frame, fw_bench_touch_cancel,
        fw_bench_touch_shape, fw_bench_touch_orientation};
    static struct fw_bench_pointer_listener pointer = {
        fw_bench_pointer_enter, fw_bench_pointer_leave, fw_bench_pointer_motion};
    wl_proxy_set_user_data(c->surface, sum);
    if (wl_proxy_add_listener(c->touch, (void (**)(void))&touch, sum) < 0) return -1;
    return wl_proxy_add_listener(c->pointer, (void (**)(void))&pointer, sum);
}

// The same without libffi's call: libwayland's least.

static inline int fw_bench_dispatch_touch(
    const void *data, void *target, uint32_t opcode, const struct wl_message *message, union wl_argument *a) {
    struct fw_bench_sum *sum = wl_proxy_get_user_data(target);
    switch (opcode) {
    case 0: fw_bench_touch_down(sum, target, a[0].u, a[1].u, (struct wl_proxy *)a[2].o, a[3].i, a[4].f, a[5].f); break;
    case 2: fw_bench_touch_motion(sum, target, a[0].u, a[1].i, a[2].f, a[3].f); break;
    case 3: fw_bench_touch_frame(sum, target); break;
    }
    return 0;
}

static inline int fw_bench_dispatch_pointer(
    const void *data, void *target, uint32_t opcode, const struct wl_message *message, union wl_argument *a) {
    struct fw_bench_sum *sum = wl_proxy_get_user_data(target);
    if (opcode == 2) fw_bench_pointer_motion(sum, target, a[0].u, a[1].f, a[2].f);
    return 0;
}

static inline int fw_bench_add_dispatchers(struct fw_bench_client *c, struct fw_bench_sum *sum) {
    wl_proxy_set_user_data(c->surface, sum);
    if (wl_proxy_add_dispatcher(c->touch, fw_bench_dispatch_touch, NULL, sum) < 0) return -1;
    return wl_proxy_add_dispatcher(c->pointer, fw_bench_dispatch_pointer, NULL, sum);
}

/// Reads and dispatches until the socket is empty; -1 after an error.
static inline int fw_bench_dispatch(struct wl_display *display) {
    for (;;) {
        while (wl_display_prepare_read(display) != 0)
            if (wl_display_dispatch_pending(display) < 0) return -1;
        if (wl_display_read_events(display) < 0) return errno == EAGAIN ? 0 : -1;
        int count = wl_display_dispatch_pending(display);
        if (count < 0) return -1;
        if (count == 0) return 0;
    }
}

// Requests.

static inline void fw_bench_damage_buffer(struct wl_proxy *surface, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        wl_proxy_marshal_flags(surface, 9, NULL, wl_proxy_get_version(surface), 0, i, i, 16, 16);
}

static inline void fw_bench_attach_nothing(struct wl_proxy *surface, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        wl_proxy_marshal_flags(surface, 1, NULL, wl_proxy_get_version(surface), 0, NULL, 0, 0);
}
