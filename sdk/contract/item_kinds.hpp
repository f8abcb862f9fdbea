// sdk/contract/item_kinds.hpp: the kinds of items of the contract, version 1: their names, the
// members that a manifest or an offer may give them, and the form of their answers (ABI.md).
//
// The host and the test kit read items by this one table. Constants and pure functions; any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <gantry/result.hpp>

namespace gantry::contract {

// Of the answer that a plugin writes when it is entered.
enum class AnswerForm {
  parts,    // content blocks and one JSON value: tools and services
  object,   // one JSON object with an array `list`
  entries,  // parts, or one JSON object with an array `list`: resources
};

struct ItemKind {
  std::string_view name;  // as a plugin is entered with it
  std::string_view noun;  // for sentences
  AnswerForm form;
  std::string_view list;  // the array that its answer must hold; empty: of parts
  bool is_item;           // items are declared with it; false: only entered
  bool may_ask;           // its handler may use gantry.input/1
};

// All kinds, those of items first.
std::span<const ItemKind> item_kinds();

// Null for a word that is no kind; "resource_list", which is only entered, is one.
const ItemKind* find_kind(std::string_view name);

// True for the kinds that a manifest may declare.
bool is_item_kind(std::string_view name);

// "\"tool\", \"service\", … or \"completion\"": the kinds that a manifest may declare, for
// messages.
const std::string& kind_list();

// Whether an item of `kind` may have the member; true for members that no kind has, too. The error
// begins with `place` and names the kinds that have it.
Status check_member(std::string_view kind, std::string_view member, const std::string& place);

}  // namespace gantry::contract
