//===- ProfilePage.cpp - What a profile says ------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProfilePage.h"

#include "Common.h"
#include "io/tensor_shape.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>

using namespace sparseflow;
using namespace sparseflow::tools;
using rt::compress::Profile;
using Json = nlohmann::ordered_json;

static constexpr const char kFacts[] =
#include "formats.json.inc"
    ;

FormatFacts::FormatFacts() {
  Json facts = Json::parse(kFacts);
  machineName = facts["machine"];
  auto rowOf = [&](const std::string &format) -> Row & {
    for (Row &row : rows)
      if (row.format == format)
        return row;
    return rows.emplace_back(Row{format, "", ""});
  };
  char text[200];
  for (const Json &speed : facts["speeds"]) {
    std::snprintf(text, sizeof(text),
                  "%.2f times as fast as %s (median of %d cases, %.2f to %.2f)",
                  speed["median"].get<double>(),
                  speed["than"].get<std::string>().c_str(),
                  speed["cases"].get<int>(), speed["worst"].get<double>(),
                  speed["best"].get<double>());
    rowOf(speed["format"]).speed = text;
  }
  for (const Json &cost : facts["costs"]) {
    std::snprintf(text, sizeof(text), "perplexity %.1f to %.1f by %s",
                  facts["dense"].get<double>(),
                  cost["perplexity"].get<double>(),
                  cost["method"].get<std::string>().c_str());
    rowOf(cost["format"]).cost = facts["model"].get<std::string>() +
                                 " with such feed-forward weights: " + text;
  }
}

std::string FormatFacts::speed(const std::string &format) const {
  for (const Row &row : rows)
    if (row.format == format)
      return row.speed;
  return "";
}

std::string FormatFacts::cost(const std::string &format) const {
  for (const Row &row : rows)
    if (row.format == format)
      return row.cost;
  return "";
}

Recommendation FormatFacts::recommend(const Profile &profile) const {
  bool isTwoFour = profile.patterns[0].conforming == 1;
  if (profile.zeros == profile.weights)
    return {"dense", "all weights are zero: leave the layer out"};
  for (auto [format, holds] :
       {std::pair("ternary", profile.isTernary), std::pair("2:4", isTwoFour)})
    if (holds)
      return {format, "holds the weights as they are; " + speed(format)};
  if (profile.patterns[0].conforming < 0)
    return {"dense", "no format holds the weights, and 2:4 needs a multiple of "
                     "4 columns"};
  std::string loss = cost("2:4");
  return {
      "dense",
      "no format holds the weights; 2:4 is " + speed("2:4") + " and loses" +
          (loss.empty() ? ", how much has not been measured" : ": " + loss)};
}

/// JSON has no infinity: an exact format has no decibels.
static Json numberOrNull(double value, bool isThere) {
  return isThere ? Json(value) : Json();
}

static Json tensorJson(const ProfiledTensor &tensor) {
  const Profile &profile = tensor.profile;
  Json patterns = Json::array(), grids = Json::array();
  for (const Profile::Pattern &pattern : profile.patterns) {
    bool fits = pattern.conforming >= 0;
    patterns.push_back(
        {{"format",
          std::to_string(pattern.keep) + ":" + std::to_string(pattern.group)},
         {"conforming", numberOrNull(pattern.conforming, fits)},
         {"kept_energy", numberOrNull(pattern.keptEnergy, fits)}});
  }
  for (const Profile::Grid &grid : profile.grids)
    grids.push_back(
        {{"format", grid.format},
         {"scale_columns", grid.scaleColumns},
         {"error", grid.error},
         {"snr_db", numberOrNull(grid.decibels(), grid.error > 0)}});
  return {
      {"name", tensor.name},
      {"shape", tensor.shape},
      {"zeros", profile.weights ? double(profile.zeros) / profile.weights : 0},
      {"patterns", patterns},
      {"grids", grids},
      {"tiles", profile.tiles},
      {"empty_tiles", profile.emptyTiles},
      {"empty_planes", profile.emptyPlanes},
      {"ternary", profile.isTernary},
      {"recommended", tensor.recommendation.format},
      {"reason", tensor.recommendation.reason},
      {"map_rows", profile.mapRows},
      {"map_columns", profile.mapColumns},
      {"map", profile.map}};
}

std::string tools::profileJson(const std::string &input,
                               const std::vector<ProfiledTensor> &tensors) {
  Json lines = Json::array();
  for (const ProfiledTensor &tensor : tensors)
    lines.push_back(tensorJson(tensor));
  Json report = {{"format", "sparseflow-profile"},
                 {"version", 1},
                 {"input", input},
                 {"tensors", lines}};
  return report.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

static std::string escaped(const std::string &text) {
  std::string result;
  for (char c : rt::printable(text)) {
    if (c == '<' || c == '>' || c == '&' || c == '"')
      result += "&#" + std::to_string(int(c)) + ";";
    else
      result += c;
  }
  return result;
}

/// The map as a grid of squares, the larger the darker.
static std::string mapSvg(const Profile &profile) {
  std::string svg = "<svg width=\"" + std::to_string(4 * profile.mapColumns) +
                    "\" height=\"" + std::to_string(4 * profile.mapRows) +
                    "\">";
  for (int64_t i = 0; i < int64_t(profile.map.size()); ++i) {
    char text[120];
    std::snprintf(text, sizeof(text),
                  "<rect x=\"%lld\" y=\"%lld\" width=\"4\" height=\"4\" "
                  "fill-opacity=\"%.2f\"/>",
                  static_cast<long long>(4 * (i % profile.mapColumns)),
                  static_cast<long long>(4 * (i / profile.mapColumns)),
                  profile.map[i]);
    svg += text;
  }
  return svg + "</svg>";
}

std::string tools::profileHtml(const std::string &input,
                               const std::vector<ProfiledTensor> &tensors) {
  std::string page =
      "<!doctype html>\n<meta charset=\"utf-8\">\n<title>Profile of " +
      escaped(input) +
      "</title>\n<style>body{font:14px sans-serif}td,th{padding:2px 8px;"
      "text-align:right;vertical-align:top}td:first-child,td:last-child"
      "{text-align:left}svg{background:#eee;fill:#036}</style>\n<h1>" +
      escaped(input) +
      "</h1>\n<table>\n<tr><th>name<th>shape<th>zeros %<th>2:4 "
      "conforming %<th>kept by 2:4 %<th>int8 dB<th>int4 dB<th>ternary dB<th>"
      "empty tiles<th>empty planes<th>mean magnitudes<th>recommended\n";
  for (const ProfiledTensor &tensor : tensors) {
    const Profile &profile = tensor.profile;
    char text[200];
    std::snprintf(text, sizeof(text), "<td>%.1f<td>%.1f<td>%.1f",
                  profile.weights ? 100.0 * profile.zeros / profile.weights : 0,
                  100 * std::max(0.0, profile.patterns[0].conforming),
                  100 * std::max(0.0, profile.patterns[0].keptEnergy));
    page += "<tr><td>" + escaped(tensor.name) + "<td>" +
            rt::shapeText(tensor.shape) + text;
    for (const Profile::Grid &grid : profile.grids) {
      std::snprintf(text, sizeof(text), "<td>%.1f", grid.decibels());
      page += grid.error > 0 ? text : "<td>exact";
    }
    page += "<td>" + std::to_string(profile.emptyTiles) + " of " +
            std::to_string(profile.tiles) + "<td>" +
            std::to_string(profile.emptyPlanes) + " of " +
            std::to_string(2 * profile.tiles) + "<td>" + mapSvg(profile) +
            "<td><b>" + tensor.recommendation.format +
            "</b>: " + escaped(tensor.recommendation.reason) + "\n";
  }
  return page + "</table>\n";
}
