// What a worker of the tests can do, by name; each deed prints how it went.
#pragma once

#include <functional>
#include <map>
#include <string>

using Deeds = std::map<std::string, std::function<void()>>;

// What follows the colon of the deed's name.
extern std::string argument;

void say(const std::string& text);
// The result of a system call: 0 or more is "done".
void report(long result);
[[noreturn]] void burn();

// Those with files and directories.
const Deeds& file_deeds();
