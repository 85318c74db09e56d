//===- Bash.cpp - Completion for bash -------------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Description.h"

using namespace sparseflow::tools;

static std::string join(const std::vector<std::string> &words) {
  std::string text;
  for (const std::string &word : words)
    text += (text.empty() ? "" : " ") + word;
  return text;
}

/// The cases that complete the value behind an option.
static std::string values(const CommandDescription &command,
                          const std::string &indent) {
  std::string text;
  for (const OptionDescription &option : command.options) {
    if (option.positional() || option.flag())
      continue;
    std::string names;
    for (const std::string &name : option.names)
      names += (names.empty() ? "" : "|") + name;
    text += indent + names + ") words=\"" + join(option.words) +
            "\"; files=" + (option.words.empty() ? "yes" : "no") + " ;;\n";
  }
  return text;
}

static std::string names(const CommandDescription &command) {
  std::vector<std::string> all;
  for (const OptionDescription &option : command.options)
    all.insert(all.end(), option.names.begin(), option.names.end());
  return join(all);
}

static std::string lastWord(const std::string &name) {
  return name.substr(name.rfind(' ') + 1);
}

std::string sparseflow::tools::printBash(const CommandDescription &command) {
  std::string function = "_";
  for (char c : command.name)
    function += c == '-' ? '_' : c;
  std::string commands;
  for (const CommandDescription &inner : command.commands)
    commands += (commands.empty() ? "" : " ") + lastWord(inner.name);
  std::string text = "# Completion of " + command.name +
                     " in bash: source this file.\n" + "# Made by " +
                     command.name + " --help-format bash.\n" + function +
                     "() {\n"
                     "  local word=${COMP_WORDS[COMP_CWORD]} words= files=no\n"
                     "  local previous=${COMP_WORDS[COMP_CWORD-1]}\n"
                     "  COMPREPLY=()\n";
  if (command.commands.empty()) {
    text += "  case $previous in\n" + values(command, "    ") +
            "    *) words=\"" + names(command) + "\"; files=yes ;;\n  esac\n";
  } else {
    text += "  if ((COMP_CWORD == 1)); then\n"
            "    words=\"" +
            commands + " " + names(command) +
            "\"\n"
            "  else\n"
            "    case ${COMP_WORDS[1]} in\n";
    for (const CommandDescription &inner : command.commands)
      text += "      " + lastWord(inner.name) +
              ")\n        case $previous in\n" + values(inner, "          ") +
              "          *) words=\"" + names(inner) +
              "\"; files=yes ;;\n        esac ;;\n";
    text += "    esac\n  fi\n";
  }
  // Options are offered only where a dash was typed; files otherwise.
  return text +
         "  if [[ $files == yes && $word != -* ]]; then\n"
         "    mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n"
         "    compopt -o filenames 2>/dev/null\n"
         "  else\n"
         "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
         "  fi\n"
         "}\n"
         "complete -F " +
         function + " " + command.name + "\n";
}
