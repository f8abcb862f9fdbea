/* gantry/abi/version.h - the version of the contract.
 *
 * The major number lives in the name of the one exported symbol (plugin.h) and in its magic.
 * The minor number is for information and error text only: a table's size shows which members it
 * has, a service id which services a host offers. Version 1 is frozen: ABI.md lists the additions
 * that are still allowed. */
#ifndef GANTRY_ABI_VERSION_H
#define GANTRY_ABI_VERSION_H

#define GANTRY_ABI_MAJOR 1u
#define GANTRY_ABI_MINOR 0u

#define GANTRY_SDK_VERSION "0.1.0"

#endif
