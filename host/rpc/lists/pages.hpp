// host/rpc/lists/pages.hpp (private): the answer with one page of a list.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "host/rpc/lists/item_lists.hpp"
#include "host/rpc/message/context.hpp"
#include "host/rpc/message/error.hpp"
#include "host/rpc/message/message.hpp"

namespace gantry::host::rpc {

struct Core;

inline constexpr std::size_t kPage = 250;

// Reads a member of params that must be a string. A missing member leaves `out` empty and is no
// error.
std::optional<Error> read_text(const Message& message, std::string_view name,
                               std::optional<std::string_view>& out);

// The whole message of the page that begins at `cursor`, or at the beginning. -32602: the cursor is
// not one of this server. `id` is JSON text; `ttl` is sent to peers of the modern era.
Answer page_of(const Core& core, std::string_view id, const ListKind& kind, const ItemList& list,
               std::optional<std::string_view> cursor, std::string_view revision,
               std::chrono::milliseconds ttl);

}  // namespace gantry::host::rpc
