// host/rpc/message/plain_runs.hpp (private): an encoding for RapidJSON's reader that copies runs of
// plain characters at once. Its results are exactly those of UTF8<>.
#pragma once

#include <cstring>

#include <rapidjson/encodings.h>

#include "sdk/contract/plain_length.hpp"

namespace gantry::host::rpc {

struct PlainRuns : rapidjson::UTF8<> {};

}  // namespace gantry::host::rpc

RAPIDJSON_NAMESPACE_BEGIN

template <>
struct Transcoder<gantry::host::rpc::PlainRuns, UTF8<>> {
  // Called where the next character of a string is neither a quote nor an escape.
  template <class In, class Out>
  static bool Validate(In& in, Out& out) {
    const std::string_view rest = in.rest();
    const std::size_t run = gantry::contract::plain_length(rest);
    if (run == 0) return UTF8<>::Validate(in, out);
    std::memcpy(out.Push(static_cast<SizeType>(run)), rest.data(), run);
    in.skip(run);
    return true;
  }
  template <class In, class Out>
  static bool Transcode(In& in, Out& out) {
    return Validate(in, out);
  }
};

RAPIDJSON_NAMESPACE_END
