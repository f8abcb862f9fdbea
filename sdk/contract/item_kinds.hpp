// sdk/contract/item_kinds.hpp: the kinds of items of the contract, version 1, and how they differ
// (ABI.md).
//
// Constants and pure functions; any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace gantry::contract {

// The form of the answer that a plugin writes when it is entered. Blocks and parts stand beside one
// JSON value, which the item's output schema describes.
enum class AnswerForm {
  blocks,   // content blocks: tools
  parts,    // bodies of any type: services
  object,   // one JSON object with an array `list`
  entries,  // bodies of media types, or one JSON object with an array `list`: resources
};

// Sets of kinds; kinds that are only entered are in none.
enum KindSet : unsigned {
  kEnteredOnly = 0,
  kTool = 1,
  kService = 2,
  kPrompt = 4,
  kResource = 8,
  kTemplate = 16,
  kCompletion = 32,
  kMethod = 64,
  kSchemas = kTool | kService,
  kActing = kTool | kMethod,         // their calls have a tier and may need approval
  kCompleted = kPrompt | kTemplate,  // completions are for their arguments
  kRead = kResource | kTemplate,
  kShown = kTool | kPrompt | kRead,  // clients list them
  kCatalog = kShown | kMethod,       // gantry.catalog/1 lists them
  kTitled = kShown | kService,
  kPermitted = kTitled | kMethod,  // have a title and a permission
  kItems = kPermitted | kCompletion,
};

struct ItemKind {
  std::string_view name;  // as a plugin is entered with it
  std::string_view noun;  // for sentences
  KindSet set;            // this kind alone
  AnswerForm form;
  std::string_view list;  // the array that its answer must hold; empty: of blocks and parts
  bool for_clients;       // clients enter it
  bool may_ask;           // its handler may use gantry.input/1

  bool in(KindSet kinds) const { return (set & kinds) != 0; }
};

// All kinds, those of items first.
std::span<const ItemKind> item_kinds();

// Null for a word that is no kind; "resource_list", which is only entered, is one.
const ItemKind* find_kind(std::string_view name);

// Whether the word is a kind of `kinds`.
bool is_kind(std::string_view name, KindSet kinds);

// "\"tool\", \"service\", … or \"completion\"": for sentences.
std::string quoted_list(KindSet kinds);

}  // namespace gantry::contract
