/* gantry/abi/version.h - which contract this is.
 *
 * The major number lives in the name of the one exported symbol (plugin.h) and in its magic.
 * The minor number is information and error text only: what a table holds is decided by its
 * size, what a host offers by service id. */
#ifndef GANTRY_ABI_VERSION_H
#define GANTRY_ABI_VERSION_H

#define GANTRY_ABI_MAJOR 1u
#define GANTRY_ABI_MINOR 0u

/* While this is defined the contract may still change between commits; layout tests print the
 * difference instead of failing. It goes away when v1 is frozen. */
#define GANTRY_ABI_DRAFT 1

#define GANTRY_SDK_VERSION "0.1.0"

#endif
