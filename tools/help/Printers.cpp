//===- Printers.cpp - JSON, manual pages and Markdown ---------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Description.h"

using namespace sparseflow::tools;

/// "-o, --output PATH".
static std::string signature(const OptionDescription &option) {
  std::string text;
  for (const std::string &name : option.names)
    text += (text.empty() ? "" : ", ") + name;
  if (!option.value.empty())
    text += (text.empty() ? "" : " ") + option.value;
  if (!option.optionalValue.empty())
    text += "[=" + option.optionalValue + "]";
  return text;
}

/// "One sentence. Default: 0. Required."
static std::string explanation(const OptionDescription &option) {
  std::string text = option.text;
  if (!option.words.empty() &&
      text.find(option.words[0]) == std::string::npos) {
    text += ": ";
    for (size_t i = 0; i < option.words.size(); ++i)
      text += (i ? ", " : "") + option.words[i];
  }
  if (!text.empty() && text.back() != '.')
    text += ".";
  if (!option.defaultValue.empty())
    text += " Default: " + option.defaultValue + ".";
  if (option.required && !option.positional())
    text += " Required.";
  return text;
}

/// "sparseflow compile [OPTIONS] FILE".
static std::string synopsis(const CommandDescription &command) {
  std::string text = command.name + " [OPTIONS]";
  for (const OptionDescription &option : command.options)
    if (option.positional())
      text += option.required ? " " + option.value : " [" + option.value + "]";
  return command.commands.empty() ? text : command.name + " COMMAND [OPTIONS]";
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static std::string quote(const std::string &text) {
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      quoted += '\\';
    if (c == '\n')
      quoted += "\\n";
    else
      quoted += c;
  }
  return quoted + "\"";
}

static std::string list(const std::vector<std::string> &items) {
  std::string text = "[";
  for (const std::string &item : items)
    text += (text.size() > 1 ? ", " : "") + quote(item);
  return text + "]";
}

static std::string json(const CommandDescription &command,
                        const std::string &indent) {
  std::string text = "{\n" + indent + "  \"name\": " + quote(command.name) +
                     ",\n" + indent + "  \"text\": " + quote(command.text) +
                     ",\n" + indent +
                     "  \"synopsis\": " + quote(synopsis(command)) + ",\n" +
                     indent + "  \"options\": [";
  const char *separator = "\n";
  for (const OptionDescription &option : command.options) {
    text += separator + indent + "    {\"names\": " + list(option.names) +
            ", \"value\": " + quote(option.value) +
            ", \"text\": " + quote(option.text) +
            ", \"default\": " + quote(option.defaultValue) +
            ", \"group\": " + quote(option.group) +
            ", \"required\": " + (option.required ? "true" : "false") +
            ", \"words\": " + list(option.words) + "}";
    separator = ",\n";
  }
  text += "],\n" + indent + "  \"commands\": [";
  separator = "\n";
  for (const CommandDescription &inner : command.commands) {
    text += separator + indent + "    " + json(inner, indent + "    ");
    separator = ",\n";
  }
  return text + "]\n" + indent + "}";
}

std::string sparseflow::tools::printJson(const CommandDescription &command) {
  return json(command, "") + "\n";
}

//===----------------------------------------------------------------------===//
// Manual page
//===----------------------------------------------------------------------===//

/// Text for roff: what it would take for a request or a special character.
static std::string roff(const std::string &text) {
  std::string result;
  bool lineStart = true;
  for (char c : text) {
    if (lineStart && (c == '.' || c == '\''))
      result += "\\&";
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
    lineStart = c == '\n';
  }
  return result;
}

static std::string upper(std::string text) {
  for (char &c : text)
    if (c >= 'a' && c <= 'z')
      c -= 'a' - 'A';
  return text;
}

static std::string manOptions(const CommandDescription &command) {
  std::string text, group;
  for (const OptionDescription &option : command.options) {
    if (option.group != group)
      text += ".PP\n" + roff(option.group) + ":\n";
    group = option.group;
    text += ".TP\n\\fB" + roff(signature(option)) + "\\fR\n" +
            roff(explanation(option)) + "\n";
  }
  return text;
}

static std::string verbatim(const std::string &text) {
  return text.empty() ? "" : ".PP\n.nf\n" + roff(text) + "\n.fi\n";
}

std::string sparseflow::tools::printMan(const CommandDescription &command) {
  std::string text = ".\\\" Made by " + command.name + " --help-format man.\n" +
                     ".TH " + upper(command.name) + " 1\n.SH NAME\n" +
                     roff(command.name) + " \\- " + roff(command.text) +
                     "\n.SH SYNOPSIS\n";
  if (command.commands.empty())
    text += ".B " + roff(synopsis(command)) + "\n";
  for (const CommandDescription &inner : command.commands)
    text += ".B " + roff(synopsis(inner)) + "\n.br\n";
  text += ".SH OPTIONS\n" + manOptions(command);
  if (!command.commands.empty())
    text += ".SH COMMANDS\n";
  for (const CommandDescription &inner : command.commands)
    text += ".SS " + roff(synopsis(inner)) + "\n" + roff(inner.text) + ".\n" +
            manOptions(inner) + verbatim(inner.footer);
  return text + ".SH NOTES\n" + verbatim(command.footer);
}

//===----------------------------------------------------------------------===//
// Markdown
//===----------------------------------------------------------------------===//

/// Text for a cell of a table.
static std::string cell(const std::string &text) {
  std::string result;
  for (char c : text) {
    if (c == '|')
      result += '\\';
    if (c == '<')
      result += "&lt;";
    else
      result += c == '\n' ? ' ' : c;
  }
  return result;
}

static std::string markdownOptions(const CommandDescription &command) {
  std::string text, group;
  bool open = false;
  for (const OptionDescription &option : command.options) {
    if (!open || option.group != group) {
      text += (option.group.empty() ? "" : "\n" + option.group + ":\n") +
              std::string("\n| | |\n|---|---|\n");
      open = true;
    }
    group = option.group;
    text += "| `" + cell(signature(option)) + "` | " +
            cell(explanation(option)) + " |\n";
  }
  return text;
}

static std::string fenced(const std::string &text) {
  size_t begin = text.find_first_not_of('\n');
  return begin == std::string::npos
             ? ""
             : "\n```text\n" + text.substr(begin) +
                   (text.back() == '\n' ? "" : "\n") + "```\n";
}

std::string
sparseflow::tools::printMarkdown(const CommandDescription &command) {
  std::string text = "# " + command.name + "\n\n<!-- Made by " + command.name +
                     " --help-format markdown; scripts/cli-pages writes it. "
                     "-->\n\n" +
                     command.text + "\n\n```text\n" + synopsis(command) +
                     "\n```\n" + markdownOptions(command);
  for (const CommandDescription &inner : command.commands)
    text += "\n## " + inner.name + "\n\n" + inner.text + ".\n\n```text\n" +
            synopsis(inner) + "\n```\n" + markdownOptions(inner) +
            fenced(inner.footer);
  if (command.commands.empty())
    text += fenced(command.footer);
  return text;
}
