// tools/gantry/chat/builtin_prices.hpp (private): list prices and contexts of models, in dollars.
//
// In the form of prices.hpp. Models that are not here cost 0, which is said; --pricing adds them.
#pragma once

namespace gantry::cli::chat {

inline constexpr const char* kBuiltinPrices = R"({"as_of":"2026-11","per":1000000,"models":[
{"provider":"anthropic","match":"claude-fable-5","input":10,"output":50,"cache_read":1,"cache_write":12.5,"context":1000000},
{"provider":"anthropic","match":"claude-fable-5-1","input":10,"output":50,"cache_read":0.25,"cache_write":12.5,"context":1000000},
{"provider":"anthropic","match":"claude-opus-5-5","input":4,"output":20,"cache_read":0.2,"cache_write":5,"context":1000000},
{"provider":"anthropic","match":"claude-opus-5","input":5,"output":25,"cache_read":0.5,"cache_write":6.25,"context":1000000},
{"provider":"anthropic","match":"claude-opus-4-8","input":5,"output":25,"cache_read":0.5,"cache_write":6.25,"context":1000000},
{"provider":"anthropic","match":"claude-opus-4-7","input":5,"output":25,"cache_read":0.5,"cache_write":6.25,"context":1000000},
{"provider":"anthropic","match":"claude-opus-4-6","input":5,"output":25,"cache_read":0.5,"cache_write":6.25,"context":1000000},
{"provider":"anthropic","match":"claude-opus-4-5","input":5,"output":25,"cache_read":0.5,"cache_write":6.25,"context":200000},
{"provider":"anthropic","match":"claude-opus-4","input":15,"output":75,"cache_read":1.5,"cache_write":18.75,"context":200000},
{"provider":"anthropic","match":"claude-sonnet-5-5","input":2,"output":10,"cache_read":0.1,"cache_write":2.5,"context":1000000},
{"provider":"anthropic","match":"claude-sonnet-5","input":2,"output":10,"cache_read":0.2,"cache_write":2.5,"context":1000000},
{"provider":"anthropic","match":"claude-sonnet-5","from":"2026-09-01","input":3,"output":15,"cache_read":0.3,"cache_write":3.75,"context":1000000},
{"provider":"anthropic","match":"claude-sonnet-4-6","input":3,"output":15,"cache_read":0.3,"cache_write":3.75,"context":1000000},
{"provider":"anthropic","match":"claude-sonnet-4","input":3,"output":15,"cache_read":0.3,"cache_write":3.75,"context":200000},
{"provider":"anthropic","match":"claude-haiku-5-5","input":0.1,"output":0.5,"cache_read":0.01,"cache_write":0.125,"context":1000000,
 "above":{"tokens":100000,"input":0.5,"output":2.5}},
{"provider":"anthropic","match":"claude-haiku-4-5","input":1,"output":5,"cache_read":0.1,"cache_write":1.25,"context":200000},
{"provider":"openai","match":"gpt-6-astra","input":10,"output":50,"cache_read":1,"context":1000000},
{"provider":"openai","match":"gpt-6-sol","input":2,"output":10,"cache_read":0.2,"cache_write":2.5,"context":1000000},
{"provider":"openai","match":"gpt-6-luna","input":0.1,"output":0.5,"cache_read":0.01,"cache_write":0.125,"context":1000000},
{"provider":"openai","match":"gpt-5.6-sol","input":5,"output":30,"cache_read":0.5,"cache_write":6.25,"context":1000000,
 "above":{"tokens":272000,"input":10,"output":45}},
{"provider":"openai","match":"gpt-5.6-terra","input":2.5,"output":15,"cache_read":0.25,"cache_write":3.125,"context":1000000,
 "above":{"tokens":272000,"input":5,"output":22.5}},
{"provider":"openai","match":"gpt-5.6-terra","from":"2026-07-30","input":2,"output":12,"cache_read":0.2,"cache_write":2.5,"context":1000000,
 "above":{"tokens":272000,"input":4,"output":18}},
{"provider":"openai","match":"gpt-5.6-luna","input":1,"output":6,"cache_read":0.1,"cache_write":1.25,"context":1000000,
 "above":{"tokens":272000,"input":2,"output":9}},
{"provider":"openai","match":"gpt-5.6-luna","from":"2026-07-30","input":0.2,"output":1.2,"cache_read":0.02,"cache_write":0.25,"context":1000000,
 "above":{"tokens":272000,"input":0.4,"output":1.8}},
{"provider":"openai","match":"gpt-5-mini","input":0.25,"output":2,"cache_read":0.025,"context":400000},
{"provider":"openai","match":"gpt-5-nano","input":0.05,"output":0.4,"cache_read":0.005,"context":400000},
{"provider":"openai","match":"gpt-5-pro","input":15,"output":120,"context":400000},
{"provider":"openai","match":"gpt-5","input":1.25,"output":10,"cache_read":0.125,"context":400000},
{"provider":"openai","match":"gpt-4.1-mini","input":0.4,"output":1.6,"cache_read":0.1,"context":1047576},
{"provider":"openai","match":"gpt-4.1-nano","input":0.1,"output":0.4,"cache_read":0.025,"context":1047576},
{"provider":"openai","match":"gpt-4.1","input":2,"output":8,"cache_read":0.5,"context":1047576},
{"provider":"openai","match":"gpt-4o-mini","input":0.15,"output":0.6,"cache_read":0.075,"context":128000},
{"provider":"openai","match":"gpt-4o","input":2.5,"output":10,"cache_read":1.25,"context":128000}
]})";

}  // namespace gantry::cli::chat
