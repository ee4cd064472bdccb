// What the panel program uses of libc. Embedded Swift has no Glibc module, so both modes import this one.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

// Macros and globals that Swift cannot import as they are.
static inline FILE *fw_stderr(void) { return stderr; }
static inline FILE *fw_stdout(void) { return stdout; }
static inline int fw_errno(void) { return errno; }

// open is variadic, which Embedded Swift does not import. Pipes and terminals do not make it wait.
static inline int fw_open_for_reading(const char *path) { return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY); }

/// The name of a folder's next entry; NULL at its end.
static inline const char *fw_next_name(DIR *folder) {
    struct dirent *entry = readdir(folder);
    return entry ? entry->d_name : NULL;
}

/// For a file that grows line by line: readable too, as its beginning and end are looked at.
static inline int fw_open_for_appending(const char *path) {
    return open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);
}
