/* gantry/abi/version.h - which contract this is.
 *
 * The major number lives in the name of the one exported symbol (plugin.h) and in its magic.
 * The minor number is information and error text only: what a table holds is decided by its
 * size, what a host offers by service id. Version 1 is frozen: ABI.md says what may still come. */
#ifndef GANTRY_ABI_VERSION_H
#define GANTRY_ABI_VERSION_H

#define GANTRY_ABI_MAJOR 1u
#define GANTRY_ABI_MINOR 0u

#define GANTRY_SDK_VERSION "0.1.0"

#endif
