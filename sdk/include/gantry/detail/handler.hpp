// gantry/detail/handler.hpp: makes one kind of function out of what authors write as handlers.
#pragma once

#include <functional>
#include <type_traits>
#include <utility>

#include <gantry/call.hpp>

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

// The described struct a handler takes first, or void.
template <class Tuple>
struct ArgumentsIn {
  using Type = void;
};
template <class First, class... Rest>
requires(!std::is_same_v<First, Call>) struct ArgumentsIn<std::tuple<First, Rest...>> {
  static_assert(Described<First>,
                "a handler's first parameter is a struct with fields(), or Call&");
  using Type = First;
};
template <class F>
using ArgumentsOf = typename ArgumentsIn<typename Signature<std::decay_t<F>>::Arguments>::Type;

template <class F, class... A>
gantry_status run(F& function, Call& call, A&&... arguments) {
  if constexpr (std::is_void_v<ReturnOf<F>>) {
    function(std::forward<A>(arguments)...);
    return GANTRY_OK;
  } else {
    const auto value = function(std::forward<A>(arguments)...);
    return call.deferred() ? GANTRY_OK : answer(call, value);
  }
}

template <class F>
Handler make_handler(F function) {
  using Arguments = ArgumentsOf<F>;
  return [function = std::move(function)](Call& call) mutable -> gantry_status {
    if constexpr (std::is_void_v<Arguments>) {
      if constexpr (std::is_invocable_v<F&, Call&>) {
        return run(function, call, call);
      } else {
        return run(function, call);
      }
    } else {
      const Result<Arguments> arguments = call.arguments_as<Arguments>();
      if (!arguments) return answer_status(call, arguments.status());
      if constexpr (std::is_invocable_v<F&, const Arguments&, Call&>) {
        return run(function, call, *arguments, call);
      } else {
        return run(function, call, *arguments);
      }
    }
  };
}

// What a handler returns when it is a described struct, looking through Result; else void.
template <class R>
struct StructureIn {
  using Type = std::conditional_t<Described<R>, R, void>;
};
template <class R>
struct StructureIn<Result<R>> : StructureIn<R> {};
template <class F>
using StructureOf = typename StructureIn<ReturnOf<F>>::Type;

}  // namespace gantry::detail
