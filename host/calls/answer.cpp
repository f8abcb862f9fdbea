#include "host/calls/answer.hpp"

#include "host/calls/error_answer.hpp"

namespace gantry::host {

ItemAnswer error_answer(const gantry_call& call, Output::Failure failure) {
  ItemAnswer answer;
  answer.kind = ItemAnswer::Kind::error;
  answer.error_code = std::move(failure.code);
  answer.message = std::move(failure.message);
  answer.details = std::move(failure.details);
  answer.error_fits_schema = error_fits(call.target.item->output.get(), answer);
  return answer;
}

Output::Failure failure_of(gantry_status status, std::string_view noun) {
  const std::string the_item = "The " + std::string(noun);
  switch (status) {
    case GANTRY_INVALID_ARGUMENT:
      return {"invalid_argument", "The arguments make no sense", ""};
    case GANTRY_NOT_FOUND:
      return {"not_found", "Nothing was found under that name", ""};
    case GANTRY_DENIED:
      return {"access_denied", "This agent may not do that", ""};
    case GANTRY_CANCELLED:
      return {"cancelled", "The call was cancelled", ""};
    case GANTRY_TIMED_OUT:
      return {"timeout", "The call did not finish in time", ""};
    case GANTRY_BUSY:
      return {"internal_error", "Something the " + std::string(noun) + " needs is in use", ""};
    case GANTRY_STOPPING:
      return {"internal_error", the_item + " is being stopped", ""};
    default:
      return {"internal_error", the_item + " failed without saying why", ""};
  }
}

}  // namespace gantry::host
