/* kwin-output: change a KWin output through kde_output_management_v2.
 *
 *   kwin-output                            list outputs
 *   kwin-output NAME scale 1.5
 *   kwin-output NAME transform 0..7        (wl_output transform number)
 *   kwin-output NAME enable 0|1
 * Several changes may follow one NAME; they are applied together.
 * Exit status 0 when KWin answered "applied".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wayland-client.h>
#include "kde-output-device-v2-client-protocol.h"
#include "kde-output-management-v2-client-protocol.h"

struct out {
	struct kde_output_device_v2 *dev;
	char name[64];
	double scale;
	int transform, enabled;
};
static struct out outs[8];
static int nouts;
static struct kde_output_management_v2 *mgr;
static int result;              /* 1 applied, -1 failed */

static void geometry(void *d, struct kde_output_device_v2 *o, int32_t x, int32_t y,
                     int32_t pw, int32_t ph, int32_t sub, const char *make,
                     const char *model, int32_t transform)
{
	((struct out *)d)->transform = transform;
}
static void current_mode(void *d, struct kde_output_device_v2 *o,
                         struct kde_output_device_mode_v2 *m) {}
static void mode(void *d, struct kde_output_device_v2 *o,
                 struct kde_output_device_mode_v2 *m) {}
static void done(void *d, struct kde_output_device_v2 *o) {}
static void scale(void *d, struct kde_output_device_v2 *o, wl_fixed_t f)
{
	((struct out *)d)->scale = wl_fixed_to_double(f);
}
static void text(void *d, struct kde_output_device_v2 *o, const char *s) {}
static void number(void *d, struct kde_output_device_v2 *o, uint32_t n) {}
static void enabled(void *d, struct kde_output_device_v2 *o, int32_t e)
{
	((struct out *)d)->enabled = e;
}
static void name(void *d, struct kde_output_device_v2 *o, const char *s)
{
	struct out *out = d;
	snprintf(out->name, sizeof out->name, "%s", s);
}
static const struct kde_output_device_v2_listener dev_listener = {
	.geometry = geometry, .current_mode = current_mode, .mode = mode,
	.done = done, .scale = scale, .edid = text, .enabled = enabled,
	.uuid = text, .serial_number = text, .eisa_id = text,
	.capabilities = number, .overscan = number, .vrr_policy = number,
	.rgb_range = number, .name = name,
};

static void applied(void *d, struct kde_output_configuration_v2 *c) { result = 1; }
static void failed(void *d, struct kde_output_configuration_v2 *c) { result = -1; }
static const struct kde_output_configuration_v2_listener conf_listener = {
	.applied = applied, .failed = failed,
};

static void on_global(void *d, struct wl_registry *reg, uint32_t id,
                      const char *iface, uint32_t version)
{
	if (!strcmp(iface, "kde_output_management_v2")) {
		mgr = wl_registry_bind(reg, id, &kde_output_management_v2_interface,
		                       version < 2 ? version : 2);
	} else if (!strcmp(iface, "kde_output_device_v2") && nouts < 8) {
		struct out *o = &outs[nouts++];
		o->dev = wl_registry_bind(reg, id, &kde_output_device_v2_interface,
		                          version < 2 ? version : 2);
		kde_output_device_v2_add_listener(o->dev, &dev_listener, o);
	}
}
static void on_remove(void *d, struct wl_registry *reg, uint32_t id) {}
static const struct wl_registry_listener reg_listener = {
	.global = on_global, .global_remove = on_remove,
};

int main(int argc, char **argv)
{
	struct wl_display *dpy = wl_display_connect(NULL);
	if (!dpy)
		return perror("kwin-output"), 1;
	struct wl_registry *reg = wl_display_get_registry(dpy);
	wl_registry_add_listener(reg, &reg_listener, NULL);
	wl_display_roundtrip(dpy);
	wl_display_roundtrip(dpy);
	if (argc < 2) {
		for (struct out *o = outs; o < outs + nouts; o++)
			printf("%s scale %g transform %d enabled %d\n", o->name,
			       o->scale, o->transform, o->enabled);
		return 0;
	}
	struct out *o = NULL;
	for (int i = 0; i < nouts; i++)
		if (!strcmp(outs[i].name, argv[1]))
			o = &outs[i];
	if (!o || !mgr)
		return fprintf(stderr, "kwin-output: no output %s\n", argv[1]), 1;
	struct kde_output_configuration_v2 *c =
		kde_output_management_v2_create_configuration(mgr);
	kde_output_configuration_v2_add_listener(c, &conf_listener, NULL);
	for (int i = 2; i < argc; i++) {
		const char *a = argv[i];
		if (!strcmp(a, "scale") && i + 1 < argc)
			kde_output_configuration_v2_scale(c, o->dev,
				wl_fixed_from_double(atof(argv[++i])));
		else if (!strcmp(a, "transform") && i + 1 < argc)
			kde_output_configuration_v2_transform(c, o->dev, atoi(argv[++i]));
		else if (!strcmp(a, "enable") && i + 1 < argc)
			kde_output_configuration_v2_enable(c, o->dev, atoi(argv[++i]));
		else
			return fprintf(stderr, "kwin-output: %s?\n", a), 1;
	}
	kde_output_configuration_v2_apply(c);
	while (!result && wl_display_dispatch(dpy) >= 0)
		;
	if (result <= 0)
		fprintf(stderr, "kwin-output: KWin refused the change\n");
	return result > 0 ? 0 : 1;
}
