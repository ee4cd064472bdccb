/* kwin-touch SOCKET: inject touch points into KWin through
 * org_kde_kwin_fake_input, on commands that come over a unix socket:
 *
 *   down ID X Y | move ID X Y | up ID | cancel | frame
 *   pointer X Y | button CODE 0|1 | key CODE 0|1 | sync
 *
 * X and Y are in the compositor's logical (global) coordinates.  Every line is
 * answered "ok" or "error ..." after a round trip, so a test can wait for it.
 * It prints "ready" once KWin has accepted it.
 *
 * KWin gives its seat the touch capability only while such a client is
 * connected and authenticated, so this runs for the whole test.
 */
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <wayland-client.h>
#include <wayland-server-core.h>        /* wl_event_loop, for linecmd */
#include "fake-input-client-protocol.h"
#include "linecmd.h"

static struct org_kde_kwin_fake_input *fake;
static struct wl_display *dpy;
static bool stop;               /* the connection is lost */

static void on_global(void *data, struct wl_registry *reg, uint32_t name,
                      const char *iface, uint32_t version)
{
	(void)data;
	if (strcmp(iface, org_kde_kwin_fake_input_interface.name) == 0)
		fake = wl_registry_bind(reg, name, &org_kde_kwin_fake_input_interface,
		                        version < 4 ? version : 4);
}

static void on_global_remove(void *data, struct wl_registry *reg, uint32_t name)
{
	(void)data; (void)reg; (void)name;
}

static const struct wl_registry_listener registry_listener = {
	.global = on_global, .global_remove = on_global_remove,
};

static void on_line(void *data, const char *line, char *reply, size_t size)
{
	char word[16];
	unsigned id, state;
	double x, y;

	if (sscanf(line, "%15s", word) != 1 || word[0] == '#')
		return;
	if (sscanf(line, "down %u %lf %lf", &id, &x, &y) == 3)
		org_kde_kwin_fake_input_touch_down(fake, id, wl_fixed_from_double(x),
		                                   wl_fixed_from_double(y));
	else if (sscanf(line, "move %u %lf %lf", &id, &x, &y) == 3)
		org_kde_kwin_fake_input_touch_motion(fake, id, wl_fixed_from_double(x),
		                                     wl_fixed_from_double(y));
	else if (sscanf(line, "pointer %lf %lf", &x, &y) == 2)
		org_kde_kwin_fake_input_pointer_motion_absolute(
			fake, wl_fixed_from_double(x), wl_fixed_from_double(y));
	else if (sscanf(line, "button %u %u", &id, &state) == 2)
		org_kde_kwin_fake_input_button(fake, id, state);
	else if (sscanf(line, "key %u %u", &id, &state) == 2)
		org_kde_kwin_fake_input_keyboard_key(fake, id, state);
	else if (sscanf(line, "up %u", &id) == 1)
		org_kde_kwin_fake_input_touch_up(fake, id);
	else if (strcmp(word, "cancel") == 0)
		org_kde_kwin_fake_input_touch_cancel(fake);
	else if (strcmp(word, "frame") == 0)
		org_kde_kwin_fake_input_touch_frame(fake);
	else if (strcmp(word, "sync") != 0)
		snprintf(reply, size, "error: %.60s?", line);
	if (wl_display_roundtrip(dpy) < 0) {
		snprintf(reply, size, "error: connection lost");
		stop = true;
	}
}

/* Serves the socket until told to stop, or until KWin goes away. */
static void serve(const char *path)
{
	struct wl_event_loop *loop = wl_event_loop_create();
	struct linecmd *srv = linecmd_listen(loop, path, on_line, NULL);
	struct pollfd fds[2] = {
		{ .fd = wl_event_loop_get_fd(loop), .events = POLLIN },
		{ .fd = wl_display_get_fd(dpy), .events = POLLIN },
	};
	if (!srv) {
		stop = true;
		return;
	}
	puts("ready");
	fflush(stdout);
	while (!stop && (poll(fds, 2, -1) >= 0 || errno == EINTR)) {
		if (fds[1].revents && wl_display_dispatch(dpy) < 0)
			stop = true;
		wl_event_loop_dispatch(loop, 0);
	}
	linecmd_destroy(srv);
	wl_event_loop_destroy(loop);
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: kwin-touch SOCKET\n");
		return 2;
	}
	dpy = wl_display_connect(NULL);
	if (!dpy) {
		perror("kwin-touch: no compositor");
		return 1;
	}
	struct wl_registry *reg = wl_display_get_registry(dpy);
	wl_registry_add_listener(reg, &registry_listener, NULL);
	wl_display_roundtrip(dpy);
	if (!fake) {
		fprintf(stderr, "kwin-touch: no org_kde_kwin_fake_input "
		        "(KWIN_WAYLAND_NO_PERMISSION_CHECKS=1?)\n");
		return 1;
	}
	org_kde_kwin_fake_input_authenticate(fake, "kwin-touch", "tests");
	if (wl_display_roundtrip(dpy) < 0)
		return 1;
	serve(argv[1]);
	wl_display_disconnect(dpy);
	return 0;
}
