#include "host/worker/writes.hpp"

#include "host/plugin/contract_bytes.hpp"

namespace gantry::host::worker {
gantry_status repeat_writes(const gantry_call_api& api, gantry_call* call, BodyReader& writes,
                            bool& well_formed) {
  gantry_status status = GANTRY_OK;
  while (writes.ok() && !writes.at_end()) {
    const auto what = static_cast<Write>(writes.number<std::uint8_t>());
    if (what == Write::json_begin) {
      status = api.json_begin(call);
    } else if (what == Write::json_end) {
      status = api.json_end(call);
    } else if (what == Write::json_raw) {
      const std::string_view part = writes.text();
      if (writes.ok()) status = api.json_raw(call, bytes_of(part));
    } else if (what == Write::write) {
      const std::string_view type = writes.text(), text = writes.text();
      if (writes.ok()) status = api.write(call, bytes_of(type), bytes_of(text));
    } else if (what == Write::fail) {
      const std::string_view code = writes.text(), message = writes.text(), details = writes.text();
      if (writes.ok()) {
        status = api.fail(call, bytes_of(code), bytes_of(message), bytes_of(details));
      }
    } else {
      well_formed = false;
      return status;
    }
  }
  well_formed = writes.ok();
  return status;
}

}  // namespace gantry::host::worker
