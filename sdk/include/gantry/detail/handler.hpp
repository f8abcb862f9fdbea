// gantry/detail/handler.hpp: converts the functions that authors write to one handler type.
#pragma once

#include <functional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <gantry/call.hpp>
#include <gantry/completion.hpp>
#include <gantry/prompt.hpp>
#include <gantry/resource.hpp>

namespace gantry::detail {

using Handler = std::function<gantry_status(Call&)>;

template <class F>
struct Signature : Signature<decltype(&F::operator())> {};
template <class R, class... A>
struct Signature<R (*)(A...)> {
  using Return = std::remove_cvref_t<R>;
  using Arguments = std::tuple<std::remove_cvref_t<A>...>;
};
template <class R, class... A>
struct Signature<R (*)(A...) noexcept> : Signature<R (*)(A...)> {};
template <class C, class R, class... A>
struct Signature<R (C::*)(A...)> : Signature<R (*)(A...)> {};
template <class C, class R, class... A>
struct Signature<R (C::*)(A...) const> : Signature<R (*)(A...)> {};
template <class C, class R, class... A>
struct Signature<R (C::*)(A...) noexcept> : Signature<R (*)(A...)> {};
template <class C, class R, class... A>
struct Signature<R (C::*)(A...) const noexcept> : Signature<R (*)(A...)> {};

template <class F>
using ReturnOf = typename Signature<std::decay_t<F>>::Return;

// A type with its own parser for the arguments of its kind.
template <class T>
concept ReadsItself = requires(const Json& json) {
  T::from_arguments(json);
};

// The type of a handler's first argument if it is a struct; else void.
template <class Tuple>
struct ArgumentsIn {
  using Type = void;
};
template <class First, class... Rest>
requires(!std::is_same_v<First, Call>) struct ArgumentsIn<std::tuple<First, Rest...>> {
  static_assert(Described<First> || ReadsItself<First>,
                "a handler's first parameter is a struct with fields(), Reading, Completing, "
                "MethodCall, or Call&");
  using Type = First;
};
template <class F>
using ArgumentsOf = typename ArgumentsIn<typename Signature<std::decay_t<F>>::Arguments>::Type;

template <class T>
Result<T> arguments_of(const CallView& call) {
  if constexpr (ReadsItself<T>) {
    const Result<Json> json = Json::parse(call.arguments());
    return json ? T::from_arguments(*json) : Result<T>(json.status());
  } else {
    return call.arguments_as<T>();
  }
}

// Text as the answer of an item; its meaning depends on the kind.
inline gantry_status answer_text(std::string_view kind, const CallView& call,
                                 std::string_view text) {
  if (kind == "prompt") return answer(call, Messages().user(text));
  if (kind == "resource" || kind == "resource_template") {
    return answer(call, Contents().text(text));
  }
  return answer_status(call, call.text(text));
}

// answer(), extended by the short forms that this kind allows.
template <class T>
gantry_status answer_as(std::string_view kind, const CallView& call, const T& value) {
  if constexpr (kIsResult<T>) {
    return value ? answer_as(kind, call, *value) : answer_status(call, value.status());
  } else if constexpr (std::is_same_v<T, std::vector<Listed>>) {
    return answer(call, Listing{value});
  } else if constexpr (std::is_same_v<T, std::vector<std::string>>) {
    return answer(call, Completion{value});
  } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
    return answer_text(kind, call, value);
  } else {
    return answer(call, value);
  }
}

template <class F, class... A>
gantry_status run(std::string_view kind, F& function, Call& call, A&&... arguments) {
  if constexpr (std::is_void_v<ReturnOf<F>>) {
    function(std::forward<A>(arguments)...);
    return GANTRY_OK;
  } else {
    const auto value = function(std::forward<A>(arguments)...);
    return call.deferred() ? GANTRY_OK : answer_as(kind, call, value);
  }
}

// `kind` determines the meaning of a text answer.
template <class F>
Handler make_handler(F function, std::string_view of_kind) {
  using Arguments = ArgumentsOf<F>;
  return [function = std::move(function),
          kind = std::string(of_kind)](Call& call) mutable -> gantry_status {
    if constexpr (std::is_void_v<Arguments>) {
      if constexpr (std::is_invocable_v<F&, Call&>) {
        return run(kind, function, call, call);
      } else {
        return run(kind, function, call);
      }
    } else {
      const Result<Arguments> arguments = arguments_of<Arguments>(call);
      if (!arguments) return answer_status(call, arguments.status());
      if constexpr (std::is_invocable_v<F&, const Arguments&, Call&>) {
        return run(kind, function, call, *arguments, call);
      } else {
        return run(kind, function, call, *arguments);
      }
    }
  };
}

// The return type of a handler if it is a described struct or a Result of one; else void.
template <class R>
struct StructureIn {
  using Type = std::conditional_t<Described<R>, R, void>;
};
template <class R>
struct StructureIn<Result<R>> : StructureIn<R> {};
template <class F>
using StructureOf = typename StructureIn<ReturnOf<F>>::Type;

}  // namespace gantry::detail
