/* gantry/abi/abi.h - the whole contract. Each header also compiles alone, as C11 and as C++20. */
#ifndef GANTRY_ABI_ABI_H
#define GANTRY_ABI_ABI_H

#include "bytes.h"
#include "call.h"
#include "catalog.h"
#include "config.h"
#include "events.h"
#include "host.h"
#include "input.h"
#include "invoke.h"
#include "manifest.h"
#include "plugin.h"
#include "secret.h"
#include "status.h"
#include "task.h"
#include "version.h"

#endif
