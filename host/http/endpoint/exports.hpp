// host/http/endpoint/exports.hpp: GET and HEAD of /exports/ID: downloads.
#pragma once

#include "host/http/endpoint/route.hpp"
#include "host/rpc/dispatcher.hpp"

namespace gantry::host::http {

// Answers with the download, or begins to. The download holds one place of `streams`; both
// arguments must outlive it.
void serve_export(RoutedRequest& in, rpc::Dispatcher& dispatcher, Gate& streams);

}  // namespace gantry::host::http
