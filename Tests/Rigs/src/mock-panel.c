/* libmock-panel.so: LD_PRELOAD it, before libumockdev-preload.so.0, into a program that reads touch panels, and
 * /dev/input/eventN is a panel of panel.py instead of the kernel's. umockdev gives such a program sysfs, udev and the
 * uevents; it lacks what libinput asks of the device node itself, which is here:
 *
 *   open, openat    a stream socket to panel.py of its own for each opener, so that each gets every event
 *   ioctl           EVIOCG... answered from a file that panel.py keeps up to date and all openers map
 *   read            struct input_event, whole ones, in the clock that was asked for; ENODEV once the panel is gone
 *   fstat           a character device with the number that udev names: libinput and wlroots compare them
 *   fopen           /run/udev/data is the mock's: without a file there a device counts as not yet initialised
 *
 *   UMOCKDEV_DIR    set by panel.py; its folder panel/ holds eventN.state and eventN.sock
 *
 * A descriptor that came from another process (libseat passes them) is known by its socket's name. Descriptors that
 * were made by dup are not known to read, and stand-ins for EVIOCSMASK and for writing are missing: libinput needs
 * neither. */
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/input.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { MAX_FD = 1024, MAX_SLOTS = 64, CODE_BYTES = 96, INPUT_MAJOR = 13 };

/* The same as `State` in panel.py. */
struct state {
	struct input_id id;
	uint32_t minor;
	int32_t slots;
	uint32_t is_denied;                     /* to whom opens it from now on */
	char name[256];
	uint8_t properties[8];
	uint8_t types[8];                       /* EVIOCGBIT(0) */
	uint8_t pressed[CODE_BYTES];            /* EVIOCGKEY */
	uint8_t codes[EV_CNT][CODE_BYTES];      /* EVIOCGBIT(type) */
	struct input_absinfo axes[ABS_CNT];
	int32_t slot_values[ABS_CNT][MAX_SLOTS];
};

/* Panels that are open in this process, by descriptor. */
static struct { const struct state *state; int clock; } opened[MAX_FD];

#define NEXT(name) \
	static __typeof__(name) *next; \
	if (!next) \
		next = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

static const struct state *map_state(const char *folder, int length, unsigned number)
{
	char path[PATH_MAX];
	snprintf(path, sizeof path, "%.*s/event%u.state", length, folder, number);
	/* Past our own open and umockdev's. */
	int fd = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	void *map = mmap(NULL, sizeof(struct state), PROT_READ, MAP_SHARED, fd, 0);
	syscall(SYS_close, fd);
	return map == MAP_FAILED ? NULL : map;
}

static bool is_open(int fd)
{
	return fd >= 0 && fd < MAX_FD && opened[fd].state;
}

/* Whether it is a panel, opened here or by the process that passed it to us. */
static bool is_panel(int fd)
{
	struct sockaddr_un peer;
	socklen_t size = sizeof peer;
	unsigned number;
	if (is_open(fd))
		return true;
	if (fd < 0 || fd >= MAX_FD)
		return false;
	int saved = errno;
	bool named = !getpeername(fd, (struct sockaddr *)&peer, &size) && peer.sun_family == AF_UNIX &&
	             size > offsetof(struct sockaddr_un, sun_path) && size < sizeof peer;
	errno = saved;
	if (!named)
		return false;
	((char *)&peer)[size] = 0;
	char *file = strstr(peer.sun_path, "/panel/event");
	if (!file || sscanf(file, "/panel/event%u.sock", &number) != 1)
		return false;
	opened[fd].clock = CLOCK_REALTIME;
	opened[fd].state = map_state(peer.sun_path, (int)(file - peer.sun_path) + (int)strlen("/panel"), number);
	return opened[fd].state;
}

/* A descriptor, -1 with errno, or NOT_OURS. */
enum { NOT_OURS = -2 };
static int open_panel(const char *path, int flags)
{
	const char *root = getenv("UMOCKDEV_DIR");
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	unsigned number;
	char rest, folder[PATH_MAX], welcome;
	if (!root || !path || sscanf(path, "/dev/input/event%u%c", &number, &rest) != 1)
		return NOT_OURS;
	int length = snprintf(folder, sizeof folder, "%s/panel", root);
	const struct state *state = map_state(folder, length, number);
	if (!state)
		return NOT_OURS;
	if (state->is_denied) {
		munmap((void *)state, sizeof *state);
		errno = EACCES;
		return -1;
	}
	snprintf(address.sun_path, sizeof address.sun_path, "%.90s/event%u.sock", folder, number);
	int fd = socket(AF_UNIX, SOCK_STREAM | (flags & O_CLOEXEC ? SOCK_CLOEXEC : 0), 0);
	/* The welcome comes when panel.py has us among its readers: no event after our open is missed. */
	if (fd < 0 || fd >= MAX_FD || connect(fd, (struct sockaddr *)&address, sizeof address) ||
	    recv(fd, &welcome, 1, 0) != 1) {
		if (fd >= 0)
			syscall(SYS_close, fd);
		munmap((void *)state, sizeof *state);
		errno = ENODEV;
		return -1;
	}
	if (flags & O_NONBLOCK)
		fcntl(fd, F_SETFL, O_RDWR | O_NONBLOCK);
	opened[fd].state = state;
	opened[fd].clock = CLOCK_REALTIME;      /* evdev's, until EVIOCSCLOCKID */
	return fd;
}

#define OPEN(name, parameters, arguments) \
	int name parameters \
	{ \
		NEXT(name); \
		mode_t mode = 0; \
		if (flags & (O_CREAT | __O_TMPFILE)) { \
			va_list list; \
			va_start(list, flags); \
			mode = va_arg(list, mode_t); \
			va_end(list); \
		} \
		int fd = open_panel(path, flags); \
		return fd != NOT_OURS ? fd : next arguments; \
	}
OPEN(open, (const char *path, int flags, ...), (path, flags, mode))
OPEN(open64, (const char *path, int flags, ...), (path, flags, mode))
OPEN(openat, (int folder, const char *path, int flags, ...), (folder, path, flags, mode))
OPEN(openat64, (int folder, const char *path, int flags, ...), (folder, path, flags, mode))
/* What open becomes in programs that were built with _FORTIFY_SOURCE. */
int __open_2(const char *path, int flags) { return open(path, flags); }
int __open64_2(const char *path, int flags) { return open64(path, flags); }

int close(int fd)
{
	NEXT(close);
	if (is_open(fd)) {
		munmap((void *)opened[fd].state, sizeof(struct state));
		opened[fd].state = NULL;
	}
	return next(fd);
}

static const char *udev_data(const char *path, char *buffer)
{
	static const char data[] = "/run/udev/data/";
	const char *root = getenv("UMOCKDEV_DIR");
	if (!root || !path || strncmp(path, data, strlen(data)))
		return path;
	snprintf(buffer, PATH_MAX, "%s/panel/udev/%s", root, path + strlen(data));
	return buffer;
}
FILE *fopen(const char *path, const char *mode)
{
	NEXT(fopen);
	char buffer[PATH_MAX];
	return next(udev_data(path, buffer), mode);
}
FILE *fopen64(const char *path, const char *mode)
{
	NEXT(fopen64);
	char buffer[PATH_MAX];
	return next(udev_data(path, buffer), mode);
}

#define FSTAT(name, type) \
	int name(int fd, struct type *status) \
	{ \
		NEXT(name); \
		int result = next(fd, status); \
		if (!result && is_panel(fd)) { \
			status->st_mode = S_IFCHR | 0660; \
			status->st_rdev = makedev(INPUT_MAJOR, opened[fd].state->minor); \
		} \
		return result; \
	}
FSTAT(fstat, stat)
FSTAT(fstat64, stat64)

static int64_t now(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return t.tv_sec * INT64_C(1000000) + t.tv_nsec / 1000;
}

ssize_t read(int fd, void *buffer, size_t size)
{
	NEXT(read);
	if (!is_open(fd))
		return next(fd, buffer, size);
	ssize_t got = next(fd, buffer, size - size % sizeof(struct input_event));
	if (got == 0 || (got < 0 && errno == ECONNRESET)) {
		errno = ENODEV;
		return -1;
	}
	if (got > 0 && opened[fd].clock != CLOCK_MONOTONIC) {
		/* panel.py stamps in CLOCK_MONOTONIC. */
		int64_t ahead = now(opened[fd].clock) - now(CLOCK_MONOTONIC);
		struct input_event *end = (struct input_event *)((char *)buffer + got);
		for (struct input_event *event = buffer; event < end; event++) {
			int64_t stamp = event->input_event_sec * INT64_C(1000000) + event->input_event_usec + ahead;
			event->input_event_sec = stamp / 1000000;
			event->input_event_usec = stamp % 1000000;
		}
	}
	return got;
}
ssize_t __read_chk(int fd, void *buffer, size_t size, size_t room)
{
	return size <= room ? read(fd, buffer, size) : (errno = EINVAL, -1);
}

static int fail(int error)
{
	errno = error;
	return -1;
}

static int set(int fd, unsigned number, void *argument)
{
	switch (number) {
	case _IOC_NR(EVIOCGRAB):        /* panel.py then gives events to this opener alone */
		return send(fd, argument ? "G" : "g", 1, MSG_NOSIGNAL) == 1 ? 0 : fail(ENODEV);
	case _IOC_NR(EVIOCREVOKE):
		return shutdown(fd, SHUT_RDWR);
	case _IOC_NR(EVIOCSCLOCKID):
		if (*(int *)argument != CLOCK_REALTIME && *(int *)argument != CLOCK_MONOTONIC)
			return fail(EINVAL);
		opened[fd].clock = *(int *)argument;
		return 0;
	}
	return fail(EINVAL);
}

static int get_slots(const struct state *state, int32_t *argument, size_t size)
{
	uint32_t code = argument[0];
	if (code >= ABS_CNT || state->slots <= 0)
		return fail(EINVAL);
	for (int i = 0; i < state->slots && i < MAX_SLOTS && (i + 2) * sizeof *argument <= size; i++)
		argument[i + 1] = state->slot_values[code][i];
	return 0;
}

static int get(const struct state *state, unsigned number, void *argument, size_t size)
{
	static const int version = EV_VERSION;
	static const uint8_t none[CODE_BYTES];
	const void *from;
	size_t length;
	if (number >= _IOC_NR(EVIOCGABS(0)) && number < _IOC_NR(EVIOCGABS(0)) + ABS_CNT) {
		from = &state->axes[number - _IOC_NR(EVIOCGABS(0))];
		length = sizeof state->axes[0];
	} else if (number == _IOC_NR(EVIOCGBIT(0, 0))) {
		from = state->types;
		length = sizeof state->types;
	} else if (number > _IOC_NR(EVIOCGBIT(0, 0)) && number < _IOC_NR(EVIOCGBIT(0, 0)) + EV_CNT) {
		from = state->codes[number - _IOC_NR(EVIOCGBIT(0, 0))];
		length = CODE_BYTES;
	} else switch (number) {
	case _IOC_NR(EVIOCGVERSION): from = &version; length = sizeof version; break;
	case _IOC_NR(EVIOCGID): from = &state->id; length = sizeof state->id; break;
	case _IOC_NR(EVIOCGNAME(0)): from = state->name; length = strlen(state->name) + 1; break;
	case _IOC_NR(EVIOCGPROP(0)): from = state->properties; length = sizeof state->properties; break;
	case _IOC_NR(EVIOCGKEY(0)): from = state->pressed; length = CODE_BYTES; break;
	case _IOC_NR(EVIOCGLED(0)):
	case _IOC_NR(EVIOCGSND(0)):
	case _IOC_NR(EVIOCGSW(0)): from = none; length = 8; break;
	case _IOC_NR(EVIOCGMTSLOTS(0)): return get_slots(state, argument, size);
	case _IOC_NR(EVIOCGPHYS(0)):
	case _IOC_NR(EVIOCGUNIQ(0)): return fail(ENOENT);
	default: return fail(EINVAL);
	}
	if (length > size)
		length = size;
	memcpy(argument, from, length);
	return (int)length;
}

int ioctl(int fd, unsigned long request, ...)
{
	NEXT(ioctl);
	va_list list;
	va_start(list, request);
	void *argument = va_arg(list, void *);
	va_end(list);
	if (!is_panel(fd))
		return next(fd, request, argument);
	if (_IOC_TYPE(request) != 'E')
		return fail(ENOTTY);
	if (_IOC_DIR(request) == _IOC_WRITE)
		return set(fd, _IOC_NR(request), argument);
	return get(opened[fd].state, _IOC_NR(request), argument, _IOC_SIZE(request));
}
