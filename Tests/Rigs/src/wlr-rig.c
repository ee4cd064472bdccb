/* wlr-rig: a headless wlroots 0.15 compositor to be driven by tests.
 *
 *   wlr-rig [-s WxH] [-k] [-n SOCKET_NAME] -c COMMAND_SOCKET
 *
 * It speaks xdg-shell, layer-shell, viewporter, presentation-time, xdg-output,
 * screencopy (grim) and wlr-output-management (wlr-randr), has one seat with
 * touch and keyboard, and renders with pixman on no hardware at all.
 * -k (kiosk): every toplevel is fullscreen.  Otherwise toplevels are centred.
 *
 * Commands, one a line on the command socket, each answered with a line:
 *   down ID X Y | move ID X Y | up ID | cancel | frame     logical coordinates
 *   shape ID MAJOR MINOR | orientation ID DEGREES          wl_touch version 6
 *   touch on|off            add or remove the touch device (seat capability)
 *   key CODE 0|1            evdev key code to the focused surface
 *   output add W H | output remove                         hotplug (last one)
 *   windows                 what is mapped | sync | quit
 */
#define _GNU_SOURCE
#define WLR_USE_UNSTABLE
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <wayland-server-core.h>
#include <wlr/backend.h>
#include <wlr/backend/headless.h>
#include <wlr/render/allocator.h>
#include <wlr/render/pixman.h>
#include <wlr/types/wlr_compositor.h>
#include <wlr/types/wlr_data_device.h>
#include <wlr/types/wlr_output.h>
#include <wlr/types/wlr_output_layout.h>
#include <wlr/types/wlr_output_management_v1.h>
#include <wlr/types/wlr_presentation_time.h>
#include <wlr/types/wlr_scene.h>
#include <wlr/types/wlr_screencopy_v1.h>
#include <wlr/types/wlr_viewporter.h>
#include <wlr/types/wlr_xdg_decoration_v1.h>
#include <wlr/types/wlr_xdg_output_v1.h>
#include <wlr/types/wlr_xdg_shell.h>
#include "wlr-rig.h"

struct output { struct wlr_output *o; struct wl_listener frame, destroy; struct wl_list link; };
struct view {
	struct wlr_xdg_surface *xdg;
	struct wlr_scene_node *node;
	struct wl_list link;
	struct wl_listener map, destroy, fullscreen, maximize, commit;
	struct wlr_box geometry;
	bool full;              /* fills its output */
};
struct wl_display *dpy;
struct wlr_backend *backend;
struct wlr_scene *scene;
struct wlr_output_layout *layout;
struct wlr_scene_tree *tree[5];
static struct wlr_renderer *renderer;
static struct wlr_allocator *allocator;
static struct wlr_output_manager_v1 *manager;
static struct wl_list outputs, views;
static struct wl_event_source *arranging;
static bool kiosk;
static struct wl_listener l_new_output, l_new_xdg, l_apply, l_test,
	l_decoration, l_layout;

/* ---- arranging ---- */

void output_box(struct wlr_output *o, struct wlr_box *b)
{
	struct wlr_box *p = wlr_output_layout_get_box(layout, o);
	*b = p ? *p : (struct wlr_box){ 0 };
}

static void arrange_view(struct view *v)
{
	struct wlr_xdg_toplevel_requested *r = &v->xdg->toplevel->requested;
	struct wlr_box b, g;
	output_box(r->fullscreen && r->fullscreen_output ? r->fullscreen_output
	                                                 : first_output(), &b);
	wlr_xdg_surface_get_geometry(v->xdg, &g);
	if (v->full || kiosk) {
		wlr_xdg_toplevel_set_size(v->xdg, b.width, b.height);
		wlr_scene_node_set_position(v->node, b.x - g.x, b.y - g.y);
	} else {
		wlr_scene_node_set_position(v->node, b.x - g.x + (b.width - g.width) / 2,
		                            b.y - g.y + (b.height - g.height) / 2);
	}
}

static void arrange_now(void *data)
{
	struct view *v;
	struct output *o;
	arranging = NULL;
	wl_list_for_each(v, &views, link)
		if (v->xdg->mapped)
			arrange_view(v);
	layers_arrange();
	struct wlr_output_configuration_v1 *c = wlr_output_configuration_v1_create();
	wl_list_for_each(o, &outputs, link) {
		struct wlr_output_configuration_head_v1 *h =
			wlr_output_configuration_head_v1_create(c, o->o);
		struct wlr_box b;
		output_box(o->o, &b);
		h->state.x = b.x;
		h->state.y = b.y;
	}
	wlr_output_manager_v1_set_configuration(manager, c);
}

/* A little later: while an output goes, some still know it and some do not. */
static void arrange_all(struct wl_listener *li, void *data)
{
	if (!arranging)
		arranging = wl_event_loop_add_idle(wl_display_get_event_loop(dpy),
		                                   arrange_now, NULL);
}

/* ---- outputs ---- */

static void output_frame(struct wl_listener *li, void *data)
{
	struct output *o = wl_container_of(li, o, frame);
	struct wlr_scene_output *so = wlr_scene_get_scene_output(scene, o->o);
	struct timespec now;
	wlr_scene_output_commit(so);
	clock_gettime(CLOCK_MONOTONIC, &now);
	wlr_scene_output_send_frame_done(so, &now);
}

/* wlroots 0.15 keeps the output on which each surface was shown last, and schedules frames for it after its end. */
static void forget_output(struct wlr_scene_node *node, struct wlr_output *o)
{
	struct wlr_scene_node *child;
	if (node->type == WLR_SCENE_NODE_SURFACE) {
		struct wlr_scene_surface *s = wlr_scene_surface_from_node(node);
		if (s->primary_output == o)
			s->primary_output = NULL;
	}
	wl_list_for_each(child, &node->state.children, state.link)
		forget_output(child, o);
}

static void output_destroy(struct wl_listener *li, void *data)
{
	struct output *o = wl_container_of(li, o, destroy);
	forget_output(&scene->node, o->o);
	wl_list_remove(&o->frame.link);
	wl_list_remove(&o->destroy.link);
	wl_list_remove(&o->link);
	layers_close(o->o);
	free(o);
}

static void new_output(struct wl_listener *li, void *data)
{
	struct output *o = calloc(1, sizeof *o);
	o->o = data;
	wlr_output_init_render(o->o, allocator, renderer);
	LISTEN(&o->o->events.frame, &o->frame, output_frame);
	LISTEN(&o->o->events.destroy, &o->destroy, output_destroy);
	wl_list_insert(outputs.prev, &o->link);
	wlr_output_layout_add_auto(layout, o->o);
	wlr_output_enable(o->o, true);
	wlr_output_commit(o->o);
}

static void output_config(struct wl_listener *li, void *data)
{
	struct wlr_output_configuration_v1 *c = data;
	struct wlr_output_configuration_head_v1 *h;
	bool ok = true;
	wl_list_for_each(h, &c->heads, link) {
		struct wlr_output *o = h->state.output;
		wlr_output_enable(o, h->state.enabled);
		if (h->state.enabled) {
			if (!h->state.mode)
				wlr_output_set_custom_mode(o, h->state.custom_mode.width,
					h->state.custom_mode.height, h->state.custom_mode.refresh);
			wlr_output_set_transform(o, h->state.transform);
			wlr_output_set_scale(o, h->state.scale);
		}
		if (li == &l_test) {
			ok &= wlr_output_test(o);
			wlr_output_rollback(o);
		} else {
			ok &= wlr_output_commit(o);
			wlr_output_layout_move(layout, o, h->state.x, h->state.y);
		}
	}
	if (ok)
		wlr_output_configuration_v1_send_succeeded(c);
	else
		wlr_output_configuration_v1_send_failed(c);
	wlr_output_configuration_v1_destroy(c);
	if (li == &l_apply)
		arrange_all(NULL, NULL);
}

/* ---- xdg-shell ---- */

static void view_map(struct wl_listener *li, void *data)
{
	struct view *v = wl_container_of(li, v, map);
	arrange_view(v);
	wlr_xdg_toplevel_set_activated(v->xdg, true);
	wlr_scene_node_raise_to_top(v->node);
	seat_focus(v->xdg->surface);
}
/* Carries out what the client asked for, or what -k asks of every window. */
static void view_apply(struct view *v)
{
	struct wlr_xdg_toplevel_requested *r = &v->xdg->toplevel->requested;
	bool full = r->fullscreen || kiosk, was = v->full;
	v->full = full || r->maximized;
	wlr_xdg_toplevel_set_fullscreen(v->xdg, full);
	wlr_xdg_toplevel_set_maximized(v->xdg, r->maximized);
	if (was && !v->full)
		wlr_xdg_toplevel_set_size(v->xdg, 0, 0);
	arrange_view(v);
}
static void view_fullscreen(struct wl_listener *li, void *data)
{
	struct view *v = wl_container_of(li, v, fullscreen);
	view_apply(v);
}
static void view_maximize(struct wl_listener *li, void *data)
{
	struct view *v = wl_container_of(li, v, maximize);
	view_apply(v);
}
/* A window that has changed its size is centred again. */
static void view_commit(struct wl_listener *li, void *data)
{
	struct view *v = wl_container_of(li, v, commit);
	struct wlr_box g;
	wlr_xdg_surface_get_geometry(v->xdg, &g);
	if (v->xdg->mapped && memcmp(&g, &v->geometry, sizeof g)) {
		v->geometry = g;
		arrange_view(v);
	}
}
static void view_destroy(struct wl_listener *li, void *data)
{
	struct view *v = wl_container_of(li, v, destroy);
	wl_list_remove(&v->map.link);
	wl_list_remove(&v->destroy.link);
	wl_list_remove(&v->fullscreen.link);
	wl_list_remove(&v->maximize.link);
	wl_list_remove(&v->commit.link);
	wl_list_remove(&v->link);
	free(v);
}
static void new_xdg(struct wl_listener *li, void *data)
{
	struct wlr_xdg_surface *xdg = data;
	if (xdg->role == WLR_XDG_SURFACE_ROLE_POPUP) {
		struct wlr_surface *ps = xdg->popup->parent;
		if (ps && wlr_surface_is_xdg_surface(ps))
			xdg->data = wlr_scene_xdg_surface_create(
				wlr_xdg_surface_from_wlr_surface(ps)->data, xdg);
		return;
	}
	struct view *v = calloc(1, sizeof *v);
	v->xdg = xdg;
	xdg->data = v->node = wlr_scene_xdg_surface_create(&tree[2]->node, xdg);
	LISTEN(&xdg->events.map, &v->map, view_map);
	LISTEN(&xdg->events.destroy, &v->destroy, view_destroy);
	LISTEN(&xdg->toplevel->events.request_fullscreen, &v->fullscreen, view_fullscreen);
	LISTEN(&xdg->toplevel->events.request_maximize, &v->maximize, view_maximize);
	LISTEN(&xdg->surface->events.commit, &v->commit, view_commit);
	wl_list_insert(&views, &v->link);
	/* wlroots tells of a window at its first commit: what was requested
	 * before that has been recorded, but not announced. */
	view_apply(v);
}
static void new_decoration(struct wl_listener *li, void *data)
{
	wlr_xdg_toplevel_decoration_v1_set_mode(data,
		WLR_XDG_TOPLEVEL_DECORATION_V1_MODE_SERVER_SIDE);
}

struct wlr_output *first_output(void)
{
	struct output *o = wl_container_of(outputs.next, o, link);
	return wl_list_empty(&outputs) ? NULL : o->o;
}

/* ---- commands that are not the seat's ---- */

bool shell_line(const char *line, char *reply, size_t size)
{
	int w, h;
	if (sscanf(line, "output add %d %d", &w, &h) == 2) {
		wlr_headless_add_output(backend, w, h);
	} else if (!strcmp(line, "output remove")) {
		if (!wl_list_empty(&outputs)) {
			struct output *o = wl_container_of(outputs.prev, o, link);
			wlr_output_destroy(o->o);
		}
	} else if (!strcmp(line, "windows")) {
		struct view *v;
		size_t n = 0;
		reply[0] = '\0';
		wl_list_for_each(v, &views, link)
			if (v->xdg->mapped && n < size)
				n += snprintf(reply + n, size - n, "toplevel %s %d,%d; ",
				              v->xdg->toplevel->app_id, v->node->state.x,
				              v->node->state.y);
		if (n < size)
			layers_print(reply + n, size - n);
	} else {
		return false;
	}
	return true;
}

static int on_signal(int sig, void *data)
{
	wl_display_terminate(dpy);
	return 0;
}

int main(int argc, char **argv)
{
	const char *cmd = NULL, *name = NULL;
	int opt, w = 800, h = 600;
	while ((opt = getopt(argc, argv, "s:c:n:k")) != -1) {
		if (opt == 's')
			sscanf(optarg, "%dx%d", &w, &h);
		else if (opt == 'c')
			cmd = optarg;
		else if (opt == 'n')
			name = optarg;
		else if (opt == 'k')
			kiosk = true;
		else
			return 2;
	}
	wl_list_init(&outputs);
	wl_list_init(&views);
	dpy = wl_display_create();
	struct wl_event_loop *loop = wl_display_get_event_loop(dpy);
	wl_event_loop_add_signal(loop, SIGTERM, on_signal, NULL);
	wl_event_loop_add_signal(loop, SIGINT, on_signal, NULL);
	signal(SIGPIPE, SIG_IGN);

	backend = wlr_headless_backend_create(dpy);
	renderer = wlr_pixman_renderer_create();
	wlr_renderer_init_wl_display(renderer, dpy);
	allocator = wlr_allocator_autocreate(backend, renderer);
	wlr_compositor_create(dpy, renderer);
	wlr_data_device_manager_create(dpy);
	wlr_viewporter_create(dpy);
	wlr_screencopy_manager_v1_create(dpy);
	layout = wlr_output_layout_create();
	wlr_xdg_output_manager_v1_create(dpy, layout);
	manager = wlr_output_manager_v1_create(dpy);
	scene = wlr_scene_create();
	wlr_scene_attach_output_layout(scene, layout);
	wlr_scene_set_presentation(scene, wlr_presentation_create(dpy, backend));
	for (int i = 0; i < 5; i++)
		tree[i] = wlr_scene_tree_create(&scene->node);

	LISTEN(&layout->events.change, &l_layout, arrange_all);
	LISTEN(&backend->events.new_output, &l_new_output, new_output);
	LISTEN(&manager->events.apply, &l_apply, output_config);
	LISTEN(&manager->events.test, &l_test, output_config);
	LISTEN(&wlr_xdg_shell_create(dpy)->events.new_surface, &l_new_xdg, new_xdg);
	layers_init();
	LISTEN(&wlr_xdg_decoration_manager_v1_create(dpy)->events.new_toplevel_decoration,
	       &l_decoration, new_decoration);
	wlr_headless_add_output(backend, w, h);
	if (!seat_init(cmd))
		return 1;
	if (!name)
		name = wl_display_add_socket_auto(dpy);
	else if (wl_display_add_socket(dpy, name) < 0)
		name = NULL;
	if (!name || !wlr_backend_start(backend)) {
		fprintf(stderr, "wlr-rig: cannot start\n");
		return 1;
	}
	printf("ready %s\n", name);
	fflush(stdout);
	wl_display_run(dpy);
	seat_finish();
	wl_display_destroy_clients(dpy);
	wl_display_destroy(dpy);
	return 0;
}
