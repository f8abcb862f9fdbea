// gantry/bytes.hpp: converts between the contract's counted bytes and std::string_view.
//
// Owns: nothing. Results are views: they are valid as long as their source. The contract never
// reads beyond `size`, and text needs no NUL at its end. Errors: none. Threads: any.
//
// Costs: none; a view is two words. Text is UTF-8 by the contract, but nothing here checks that.
#pragma once

#include <string_view>

#include <gantry/abi/bytes.h>

namespace gantry {

// For an argument of a contract function, which borrows it until it returns: a temporary
// std::string may stand in the same expression. An empty view may have a null pointer.
inline gantry_bytes to_bytes(std::string_view text) { return {text.data(), text.size()}; }

// For bytes that the host returns. How long they live is said by the contract function that
// returned them; copy them into a std::string to keep them longer. Null with size 0 becomes "".
inline std::string_view to_view(gantry_bytes bytes) {
  return bytes.size == 0 ? std::string_view() : std::string_view(bytes.data, bytes.size);
}

}  // namespace gantry
