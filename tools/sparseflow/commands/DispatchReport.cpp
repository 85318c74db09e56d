//===- DispatchReport.cpp - sparseflow doctor --dispatch ------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "sparseflow/dispatch.h"

#include "llvm/Support/Chrono.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::sparseflow;
using namespace mlir::sparseflow::driver;
using llvm::json::Array;
using llvm::json::Object;

/// What the runtime knows; its objects are JSON that it has written itself.
static Array readRecords() {
  Array records;
  sf_dispatch_quarantined(
      [](const char *text, void *to) {
        llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
        if (value)
          static_cast<Array *>(to)->push_back(std::move(*value));
        else
          llvm::consumeError(value.takeError());
      },
      &records);
  return records;
}

static llvm::StringRef textOf(const Object &object, llvm::StringRef member) {
  return object.getString(member).value_or("");
}

int driver::reportDispatch(const DoctorCommandOptions &options) {
  Array records = readRecords();
  Object about = records.empty() ? Object() : *records[0].getAsObject();
  llvm::raw_ostream &os = llvm::outs();
  llvm::StringRef store = textOf(about, "store");
  os << "store        "
     << (store.empty() ? "none: times and failures last as long as a process"
                       : store)
     << "\n";
  if (llvm::StringRef error = textOf(about, "error"); !error.empty())
    os << "             cannot be read: " << error << "\n";
  os << "enabled      ";
  const Array *enabled = about.getArray("enabled");
  if (!enabled || enabled->empty())
    os << "no opt-in kernels (SPARSEFLOW_ENABLE)";
  else
    for (const llvm::json::Value &family : *enabled)
      os << family.getAsString().value_or("") << " ";
  os << "\nquarantined  ";
  if (records.size() < 2)
    os << "no kernel\n";
  for (size_t i = 1; i < records.size(); ++i) {
    const Object &kernel = *records[i].getAsObject();
    os << (i > 1 ? "             " : "") << textOf(kernel, "kernel")
       << " of image " << textOf(kernel, "image") << " on "
       << textOf(kernel, "gpu") << ", driver for CUDA "
       << textOf(kernel, "driver") << "\n               "
       << textOf(kernel, "error") << "\n               seen by version "
       << textOf(kernel, "runtime") << " on "
       << llvm::formatv(
              "{0:%Y-%m-%d %H:%M}",
              llvm::sys::toTimePoint(kernel.getInteger("time").value_or(0)))
       << "\n";
  }
  os.flush();
  if (options.clear) {
    int64_t count = 0;
    if (sf_dispatch_clear(&count) != SF_OK)
      return fail(Environment, sf_last_error());
    os << "cleared      " << count
       << (count == 1 ? " kernel is" : " kernels are") << " used again\n";
    os.flush();
  }
  if (options.json.empty())
    return Success;
  llvm::json::Value report = Object{{"dispatch", std::move(records)}};
  return writeOutput(options.json, llvm::formatv("{0:2}\n", report).str());
}
