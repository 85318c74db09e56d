//===- TuneCommand.cpp - Candidates for a GPU to measure ------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "commands/TuneCommand.h"

#include "SparseFlow/Schedule/ScheduleTable.h"
#include "SparseFlow/Support/InternalError.h"
#include "SparseFlow/System/Files.h"
#include "SparseFlow/Tune/Candidates.h"
#include "SparseFlow/Tune/Fit.h"
#include "device/Devices.h"
#include "program/Input.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <CLI/CLI.hpp>

#include <map>

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sparseflow::driver;
using llvm::json::Array;
using llvm::json::Object;

void driver::addTuneOptions(CLI::App &app, TuneCommandOptions &options) {
  auto *compileOnly =
      app.add_option("--compile-only", options.compileOnly,
                     "Write the candidates into this directory, for "
                     "sparseflow-exec --tune on a machine with a GPU")
          ->type_name("OUT");
  app.add_flag("--calibrate", options.calibrate,
               "Candidates that are spread for the cost model, not the best of "
               "each shape")
      ->needs(compileOnly);
  auto *fit = app.add_option("--fit", options.fit,
                             "Write the cost model's constants that fit what "
                             "was measured: tuned.json")
                  ->type_name("FILE")
                  ->excludes(compileOnly);
  app.add_option("--from", options.from,
                 "A calibration of a GPU with the same SMs, h200, h100 or a "
                 "file: of its constants only those of memory, the L2 cache, "
                 "clusters, split-K and quantizing are fitted (with --fit)")
      ->type_name("NAME|FILE")
      ->needs(fit);
  app.add_flag("--left-out", options.leftOut,
               "Say how well times are predicted of an N and K that the fit "
               "leaves out, each in turn (with --fit)")
      ->needs(fit);
  app.add_option("-o,--output", options.output,
                 "The calibration to write (with --fit)")
      ->type_name("FILE")
      ->needs(fit);
  app.add_option("--target", options.target,
                 "The GPU to tune for (with --compile-only)")
      ->type_name("T");
  app.add_option("--shapes", options.shapes,
                 "TOKENSxFEATURESxK, joined by commas (default: those of "
                 "the space)")
      ->type_name("LIST");
  app.add_option("--weights", options.weights,
                 "Forms of weights, joined by commas: " +
                     llvm::join(weightKinds(), ", ") +
                     "; of those with groups also such as "
                     "ternary_groups_i8.g64.p2 (columns of a scale, planes)")
      ->capture_default_str();
  app.add_option("--types", options.types, "f16, bf16 or both")
      ->capture_default_str();
  app.add_option("--candidates", options.candidates,
                 "How many of a shape's schedules are compiled")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--space", options.space,
                 "A tuning space in place of the built-in one")
      ->type_name("FILE");
  app.add_option("--schedule-file", options.scheduleFile,
                 "The table to improve, in place of the built-in one")
      ->type_name("FILE");
  app.add_option("--ptxas", options.ptxasPath, "The ptxas to use")
      ->type_name("PATH");
}

// Tens of thousands of candidates.
static constexpr uint64_t kMaxMeasuredBytes = uint64_t(256) << 20;

namespace {

/// One tuning run.
class Tuner {
public:
  Tuner(const TuneCommandOptions &options, const TargetInfo &target,
        const TuningSpace &space, std::string ptxas)
      : options(options), target(target), space(space),
        ptxas(std::move(ptxas)) {}

  int run();

private:
  llvm::Expected<std::vector<TuneShape>> shapes() const;
  llvm::Error readBase();
  llvm::Error writeProgram(const TuneShape &shape);
  /// The bundle of a candidate, relative to the directory; each is compiled
  /// once. `refusal` says why there is none.
  llvm::Expected<std::string> bundle(const TuneShape &shape, const Object &row,
                                     std::string &refusal);
  llvm::Error compile(const TuneShape &shape, const Object &row,
                      const std::string &name, std::string &refusal);
  std::string path(const llvm::Twine &name) const {
    return (options.compileOnly + "/" + name).str();
  }

  const TuneCommandOptions &options;
  const TargetInfo &target;
  const TuningSpace &space;
  std::string ptxas;
  /// The table to improve, its rows, and those that go with a candidate.
  ScheduleTable table;
  Array base, companions;
  /// Candidates of a shape, the best or a spread.
  std::vector<TuneCandidate> candidatesOf(const TuneShape &shape,
                                          size_t &dropped);

  /// By bundle: "" or the refusal.
  std::map<std::string, std::string> compiled;
};

/// What an option holds: names joined by commas, at least one, each of which
/// `parse` reads.
template <typename T>
llvm::Expected<std::vector<T>>
listOf(StringRef option, StringRef text,
       llvm::function_ref<llvm::Expected<T>(StringRef)> parse) {
  std::vector<T> list;
  SmallVector<StringRef> parts;
  text.split(parts, ',');
  for (StringRef part : parts) {
    llvm::Expected<T> value = parse(part);
    if (!value)
      return llvm::createStringError(option + ": " +
                                     llvm::toString(value.takeError()));
    list.push_back(std::move(*value));
  }
  return list;
}

llvm::Expected<std::string> parseType(StringRef text) {
  if (text == "f16" || text == "bf16")
    return text.str();
  return llvm::createStringError("expected f16, bf16, found '" + text + "'");
}

} // namespace

llvm::Expected<std::vector<TuneShape>> Tuner::shapes() const {
  std::vector<TuneShape> sizes;
  if (options.shapes.empty())
    sizes = options.calibrate ? space.calibrationShapes().vec()
                              : space.shapes().vec();
  SmallVector<StringRef> parts;
  StringRef(options.shapes).split(parts, ',', -1, /*KeepEmpty=*/false);
  for (StringRef part : parts) {
    llvm::Expected<TuneShape> shape = parseTuneShape(part);
    if (!shape)
      return shape.takeError();
    sizes.push_back(*shape);
  }
  auto forms = listOf<TuneForm>("--weights", options.weights, parseTuneForm);
  if (!forms)
    return forms.takeError();
  auto types = listOf<std::string>("--types", options.types, parseType);
  if (!types)
    return types.takeError();
  std::vector<TuneShape> list;
  for (const std::string &type : *types)
    for (const TuneForm &form : *forms)
      for (TuneShape shape : sizes) {
        shape.form = form;
        shape.type = type;
        list.push_back(shape);
      }
  return list;
}

llvm::Error Tuner::readBase() {
  std::string text;
  if (options.scheduleFile.empty()) {
    text = ScheduleTable::builtinText().str();
  } else {
    llvm::Expected<std::string> read =
        readRegularFile(options.scheduleFile, 64u << 20);
    if (!read)
      return read.takeError();
    text = std::move(*read);
  }
  llvm::Expected<ScheduleTable> parsed =
      ScheduleTable::parse(text, options.scheduleFile);
  if (!parsed)
    return parsed.takeError();
  table = std::move(*parsed);
  llvm::json::Value json = cantFail(llvm::json::parse(text));
  base = *json.getAsObject()->getArray("rows");
  // A candidate serves any number of tokens; the other kernels of a bundle,
  // such as those that add parts, come from the table.
  for (const ScheduleRow &row : table.rows())
    if (row.op != "matmul" || row.limits.unaligned)
      companions.push_back(Object(row.fields));
  return llvm::Error::success();
}

static std::string programName(const TuneShape &shape) {
  return llvm::formatv("{0}-{1}-n{2}-k{3}",
                       shape.form.kind == "2:4" ? "sparse" : shape.form.name(),
                       shape.type, shape.n, shape.k);
}

/// What a weight's type says beside its shape. Scales that are none of the
/// epilogue's have the type of the activations, if the form does not say f32.
static std::string encodingOf(const TuneShape &shape) {
  const TuneForm &form = shape.form;
  if (form.kind == "2:4")
    return ", #sparseflow.nm<2:4>";
  if (form.kind == "dense")
    return "";
  StringRef storage = !form.keepsPairs() ? "codes"
                      : form.zeros       ? "two_four_zero"
                                         : "two_four";
  bool inLoop = (form.group || form.planes > 1) && !form.wideScales;
  std::string scale = form.group ? std::to_string(form.group) : "row";
  scale += " : " + (inLoop ? shape.type : "f32");
  if (form.bits)
    return llvm::formatv(", #sparseflow.quantized<int{0}, scale = {1}>",
                         form.bits, scale);
  return llvm::formatv(", #sparseflow.ternary<{0}, scale = {1}{2}>", storage,
                       scale, form.planes > 1 ? ", planes = 2" : "");
}

llvm::Error Tuner::writeProgram(const TuneShape &shape) {
  std::string x = llvm::formatv("tensor<?x{0}x{1}>", shape.k, shape.type);
  std::string w = llvm::formatv("tensor<{0}x{1}x{2}{3}>", shape.n, shape.k,
                                shape.type, encodingOf(shape));
  std::string y = llvm::formatv("tensor<?x{0}x{1}>", shape.n, shape.type);
  std::string text =
      llvm::formatv("func.func @mm(%x: {0}, %w: {1}) -> {2} {{\n", x, w, y);
  std::string product =
      llvm::formatv("  %y = sparseflow.matmul %x, %w {{\n"
                    "  ^bb0(%acc: f32):\n"
                    "    %0 = arith.truncf %acc : f32 to {3}\n"
                    "    sparseflow.yield %0 : {3}\n"
                    "  } : {0}, {1} -> {2}\n",
                    x, w, y, shape.type);
  if (shape.form.integer)
    product = llvm::formatv(
        "  %q, %s = sparseflow.quantize %x : {0} -> {4}, tensor<?xf32>\n"
        "  %y = sparseflow.matmul %q, %w\n"
        "      epilogue(%s : tensor<?xf32>) as [per_token] {{\n"
        "  ^bb0(%acc: f32, %scale: f32):\n"
        "    %0 = arith.mulf %acc, %scale : f32\n"
        "    %1 = arith.truncf %0 : f32 to {3}\n"
        "    sparseflow.yield %1 : {3}\n"
        "  } : {4}, {1} -> {2}\n",
        x, w, y, shape.type, llvm::formatv("tensor<?x{0}xi8>", shape.k).str());
  text += product + "  return %y : " + y + "\n}\n";
  return writeFileAtomically(path("programs/" + programName(shape) + ".mlir"),
                             text);
}

/// Whether the kernels of a row depend on how many tokens they are for.
static bool servesItsTokens(const Object &row) {
  const Object *pipeline = row.getObject("pipeline");
  return pipeline && pipeline->getString("kind") == StringRef("streamed");
}

llvm::Error Tuner::compile(const TuneShape &shape, const Object &row,
                           const std::string &name, std::string &refusal) {
  // For any number of tokens, whatever the space says; but warps that read
  // their own weights serve those of their block.
  Object first = row;
  bool isLimited = servesItsTokens(row) && !options.calibrate;
  first["max_tokens"] = isLimited ? shape.t : 0;
  Array rows{llvm::json::Value(std::move(first))};
  for (const llvm::json::Value &companion : companions)
    rows.push_back(companion);
  llvm::json::Value table = Object{{"format", "sparseflow-schedules"},
                                   {"version", 1},
                                   {"rows", std::move(rows)}};
  std::string schedules = path("schedules/" + name + ".json");
  if (llvm::Error error =
          writeFileAtomically(schedules, llvm::formatv("{0:2}\n", table).str()))
    return error;
  Program program(/*printRemarks=*/false);
  if (!program.parse(path("programs/" + programName(shape) + ".mlir")))
    return internalError("the program of " + shape.name() + " is not valid");
  CompileOptions compile;
  compile.targets = {&target};
  compile.output = OutputKind::Bundle;
  compile.scheduleFile = schedules;
  compile.ptxasPath = ptxas;
  compile.cancelled = interrupted;
  // Refusals are findings: kept, not printed.
  ScopedDiagnosticHandler handler(
      &program.context(), [&](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
            refusal.empty())
          refusal = diagnostic.str();
        return success();
      });
  FailureOr<CompileResult> result = compileModule(program.module(), compile);
  if (failed(result)) {
    if (refusal.empty())
      refusal = "the compiler gives no reason";
    return llvm::Error::success();
  }
  refusal.clear();
  // For people, and as large as everything else together.
  for (TargetResult &one : result->targets)
    one.ptx.clear();
  return writeBundle(*result, path("bundles/" + name));
}

llvm::Expected<std::string>
Tuner::bundle(const TuneShape &shape, const Object &row, std::string &refusal) {
  std::string name = programName(shape) + "-" + row.getString("name")->str();
  if (servesItsTokens(row) && !options.calibrate)
    name += ".t" + std::to_string(shape.t);
  auto known = compiled.find(name);
  if (known == compiled.end()) {
    if (llvm::Error error = compile(shape, row, name, refusal))
      return error;
    known = compiled.emplace(name, refusal).first;
  }
  refusal = known->second;
  return "bundles/" + name;
}

std::vector<TuneCandidate> Tuner::candidatesOf(const TuneShape &shape,
                                               size_t &dropped) {
  if (!options.calibrate)
    return space.candidates(shape, target.name, table, options.candidates,
                            dropped);
  std::vector<TuneCandidate> list;
  for (Object &row :
       spreadCandidates(table, shape, target, options.candidates)) {
    if (!isSensible(row, shape.t))
      continue;
    list.emplace_back();
    llvm::Expected<ScheduleRow> read = ScheduleRow::parse(row, "candidate");
    list.back().estimate = estimateSizes(llvm::cantFail(std::move(read)).sizes,
                                         shape, *space.machine(target.name));
    list.back().row = std::move(row);
  }
  return list;
}

int Tuner::run() {
  llvm::Expected<std::vector<TuneShape>> list = shapes();
  if (!list)
    return fail(Usage, llvm::toString(list.takeError()));
  if (!space.machine(target.name))
    return fail(BadInput, "the tuning space has no machine for " + target.name +
                              "; give one with --space");
  if (llvm::Error error = readBase())
    return fail(BadInput, llvm::toString(std::move(error)));
  for (const char *folder : {"programs", "schedules", "bundles"})
    if (std::error_code code = llvm::sys::fs::create_directories(path(folder)))
      return fail(Environment,
                  "cannot make '" + path(folder) + "': " + code.message() +
                      "; name a directory to write to (--compile-only)");
  Array entries;
  size_t good = 0, refusals = 0;
  for (const TuneShape &shape : *list) {
    if (llvm::Error error = writeProgram(shape))
      return fail(Environment, llvm::toString(std::move(error)));
    size_t dropped = 0, kept = 0;
    Array candidates, refused;
    for (TuneCandidate &candidate : candidatesOf(shape, dropped)) {
      std::string refusal;
      llvm::Expected<std::string> made = bundle(shape, candidate.row, refusal);
      if (interrupted())
        return Interrupted;
      if (!made)
        return fail(Environment, llvm::toString(made.takeError()));
      Object entry{{"row", std::move(candidate.row)},
                   {"model_us", candidate.estimate.microseconds},
                   {"waves", candidate.estimate.waves},
                   {"model_shared_bytes", candidate.estimate.sharedBytes}};
      if (refusal.empty()) {
        ++kept;
        entry["bundle"] = std::move(*made);
        candidates.push_back(std::move(entry));
      } else {
        entry["refusal"] = refusal;
        refused.push_back(std::move(entry));
      }
    }
    llvm::outs() << shape.name() << ": " << kept << " candidates, "
                 << refused.size() << " refused by the compiler, " << dropped
                 << " by the model\n";
    if (!refused.empty())
      llvm::outs() << "  such as: "
                   << *refused.front().getAsObject()->getString("refusal")
                   << "\n";
    llvm::outs().flush();
    good += kept;
    refusals += refused.size();
    entries.push_back(Object{{"t", shape.t},
                             {"n", shape.n},
                             {"k", shape.k},
                             {"weights", shape.form.name()},
                             {"type", shape.type},
                             {"candidates", std::move(candidates)},
                             {"refused", std::move(refused)}});
  }
  llvm::json::Value index =
      Object{{"format", "sparseflow-tune"},   {"version", 1},
             {"producer", compilerVersion()}, {"target", target.name},
             {"shapes", std::move(entries)},  {"base_rows", std::move(base)}};
  if (llvm::Error error = writeFileAtomically(
          path("tune.json"), llvm::formatv("{0:2}\n", index).str()))
    return fail(Environment, llvm::toString(std::move(error)));
  llvm::outs() << good << " candidates of " << list->size() << " shapes in "
               << options.compileOnly << ", " << refusals << " refused\n";
  return good ? Success
              : fail(BadInput, "no candidate is left, as the lines "
                               "above say why; choose other shapes "
                               "(--shapes) or weights (--weights)");
}

/// Says of each fitted model how well times are predicted that no fit has seen:
/// by the calibration that there was, and of each N and K by a fit to the
/// others.
static void sayLeftOut(const Measurements &measured, const Calibration &fitted,
                       const Calibration &known, const Calibration *sms) {
  auto say = [](const CalibratedModel &of, const Twine &how,
                const CalibrationQuality &quality) {
    llvm::outs() << llvm::formatv(
        "{0}, {1}, {2}: rank correlation {3:f3}, regret mean {4:f3}, median "
        "{5:f3} and 95th percentile {6:f3}, predicted by measured {7:f2} to "
        "{8:f2}\n",
        llvm::join(of.weights, ", "), of.pipeline, how.str(),
        quality.rankCorrelation, quality.meanRegret, quality.medianRegret,
        quality.p95Regret, quality.p5Ratio, quality.p95Ratio);
  };
  const Calibration &before = sms ? *sms : known;
  for (const MeasuredModel &times : measured.models)
    if (const CalibratedModel *of =
            fitted.modelOf(times.weights, times.pipeline);
        of && of->gpu.empty())
      if (const CalibratedModel *model =
              before.modelOf(times.weights, times.pipeline))
        say(*of, "by the calibration of " + before.gpu + " before",
            qualityOf(times.times, fitted.machine, *model));
  auto model = fitted.models.begin();
  for (const CalibrationQuality &quality :
       leftOutQuality(measured, known, sms)) {
    const CalibratedModel &of = *model++;
    if (quality.points)
      say(of, "sizes left out", quality);
    else
      llvm::outs() << llvm::formatv("{0}, {1}, sizes left out: there is one\n",
                                    llvm::join(of.weights, ", "), of.pipeline);
  }
}

/// Writes the calibration that fits measurements, and says how well.
static int fitCalibration(const TuneCommandOptions &options) {
  if (options.output.empty())
    return fail(Usage, "--fit needs -o, the calibration to write");
  llvm::Expected<std::string> text =
      readRegularFile(options.fit, kMaxMeasuredBytes);
  if (!text)
    return fail(BadInput, llvm::toString(text.takeError()));
  llvm::Expected<Measurements> measured = readMeasurements(
      *text, options.fit, Calibration::builtin().machine.limits);
  if (!measured)
    return fail(BadInput, llvm::toString(measured.takeError()));
  // What is known of this GPU, where one ships.
  StringRef known = Calibration::shippedFor(measured->gpu);
  std::optional<Calibration> sms;
  if (!options.from.empty()) {
    llvm::Expected<Calibration> read = Calibration::load(options.from);
    if (!read)
      return fail(BadInput, llvm::toString(read.takeError()));
    sms = std::move(*read);
  }
  Calibration begin =
      cantFail(Calibration::load(known.empty() ? "h200" : known));
  llvm::Expected<Calibration> fitted =
      calibrate(*measured, begin, sms ? &*sms : nullptr);
  if (!fitted)
    return fail(BadInput,
                options.fit + ": " + llvm::toString(fitted.takeError()));
  if (llvm::Error error = writeFileAtomically(options.output, fitted->text()))
    return fail(Environment, llvm::toString(std::move(error)));
  for (const CalibratedModel &model : fitted->models) {
    if (!model.gpu.empty()) {
      llvm::outs() << llvm::formatv("{0}, {1}: as measured on {2}\n",
                                    llvm::join(model.weights, ", "),
                                    model.pipeline, model.gpu);
      continue;
    }
    llvm::outs() << llvm::formatv(
        "{0}, {1}: {2} times, rank correlation {3:f3}, regret median {4:f3} "
        "and 95th percentile {5:f3}, predicted by measured {6:f2} to {7:f2}\n",
        llvm::join(model.weights, ", "), model.pipeline, model.quality.points,
        model.quality.rankCorrelation, model.quality.medianRegret,
        model.quality.p95Regret, model.quality.p5Ratio, model.quality.p95Ratio);
  }
  if (options.leftOut)
    sayLeftOut(*measured, *fitted, begin, sms ? &*sms : nullptr);
  return Success;
}

int driver::runTuneCommand(const TuneCommandOptions &options) {
  if (!options.fit.empty())
    return fitCalibration(options);
  if (options.compileOnly.empty() || options.target.empty())
    return fail(Usage, "tune needs --compile-only and --target, or --fit");
  SmallVector<const TargetInfo *> targets;
  if (int code = resolveTargets(options.target, targets))
    return code;
  if (targets.size() != 1)
    return fail(Usage, "tune is for one --target");
  std::optional<TuningSpace> given;
  if (!options.space.empty()) {
    llvm::Expected<TuningSpace> read = TuningSpace::load(options.space);
    if (!read)
      return fail(BadInput, llvm::toString(read.takeError()));
    given = std::move(*read);
  }
  llvm::Expected<std::string> ptxas = findPtxas(options.ptxasPath);
  if (!ptxas)
    return fail(Environment, llvm::toString(ptxas.takeError()));
  return Tuner(options, *targets.front(),
               given ? *given : TuningSpace::builtin(), *ptxas)
      .run();
}
