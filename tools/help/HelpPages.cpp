//===- HelpPages.cpp - Reads CLI11's definition ---------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HelpPages.h"

#include "Description.h"

#include <CLI/CLI.hpp>

using namespace sparseflow::tools;

/// The words of "TEXT:{auto,cpu}", as CLI11 adds them to a type's name.
static std::vector<std::string> choices(const std::string &type) {
  std::vector<std::string> words;
  size_t begin = type.find(":{");
  if (begin == std::string::npos)
    return words;
  std::string word;
  for (char c : type.substr(begin + 2)) {
    if (c != ',' && c != '}') {
      word += c;
      continue;
    }
    words.push_back(word);
    word.clear();
    if (c == '}')
      break;
  }
  return words;
}

/// "UINT" of "UINT:INT in [1 - 100]" and "ARG=N:M" of itself: without what
/// CLI11 adds for each check.
static std::string withoutChecks(const std::string &type) {
  size_t end = std::min({type.find(":{"), type.find(" in ["),
                         type.find(":NONNEGATIVE"), type.find(":POSITIVE")});
  if (end != std::string::npos && type[end] == ' ')
    end = type.rfind(':', end);
  return type.substr(0, end);
}

static OptionDescription describe(const CLI::Option &option,
                                  const ValueWords &words) {
  OptionDescription result;
  for (const std::string &name : option.get_snames())
    result.names.push_back("-" + name);
  for (const std::string &name : option.get_lnames())
    result.names.push_back("--" + name);
  std::string type = option.get_type_name();
  result.words = choices(type);
  result.value = withoutChecks(type);
  if (option.get_positional()) {
    result.value = option.get_name();
  } else if (option.get_items_expected_max() == 0) {
    result.value.clear();
    // --check{full}: a flag that also takes another value, behind '='.
    std::string given = option.get_lnames().empty()
                            ? "true"
                            : option.get_flag_value(option.get_lnames()[0], "");
    if (given != "true")
      result.optionalValue = given;
  } else if (result.value.empty()) {
    result.value = "VALUE";
  }
  if (auto found = words.find(result.value); found != words.end())
    result.words = found->second;
  result.text = option.get_description();
  result.defaultValue = option.get_default_str();
  if (option.get_group() != "Options")
    result.group = option.get_group();
  result.required = option.get_required();
  return result;
}

static CommandDescription describe(const CLI::App &app,
                                   const std::string &prefix,
                                   const ValueWords &words) {
  CommandDescription result;
  result.name = prefix + app.get_name();
  result.text = app.get_description();
  while (!result.text.empty() && result.text.back() == '\n')
    result.text.pop_back();
  result.footer = app.get_footer();
  for (const CLI::Option *option : app.get_options({}))
    if (!option->get_group().empty())
      result.options.push_back(describe(*option, words));
  for (const CLI::App *command :
       app.get_subcommands(std::function<bool(const CLI::App *)>()))
    if (!command->get_group().empty())
      result.commands.push_back(describe(*command, result.name + " ", words));
  return result;
}

std::string sparseflow::tools::helpPage(const CLI::App &app,
                                        const std::string &format,
                                        const ValueWords &words) {
  CommandDescription command = describe(app, "", words);
  if (format == "json")
    return printJson(command);
  if (format == "man")
    return printMan(command);
  if (format == "markdown")
    return printMarkdown(command);
  if (format == "bash")
    return printBash(command);
  return "";
}

void sparseflow::tools::addHelpFormat(CLI::App &app, const ValueWords &words) {
  static constexpr char name[] = "--help-format";
  // Checked here: a message of ->check() would not name an option without a
  // group.
  app.add_option_function<std::string>(
         name,
         [&app, words](std::string format) {
           const CLI::IsMember formats({"json", "man", "markdown", "bash"});
           std::string problem = formats(format);
           if (!problem.empty())
             throw CLI::ValidationError(name, problem);
           std::cout << helpPage(app, format, words);
           throw CLI::Success();
         })
      ->trigger_on_parse()
      ->group("");
}
