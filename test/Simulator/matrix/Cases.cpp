//===- Cases.cpp - What the matrix runs -----------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cases.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace mlir::sparseflow::matrix;

// Found by its argument's namespace.
namespace mlir::sparseflow::matrix {
static bool fromJSON(const llvm::json::Value &value, Case &one,
                     llvm::json::Path path) {
  llvm::json::ObjectMapper map(value, path);
  return map && map.map("program", one.program) && map.map("file", one.file) &&
         map.map("target", one.target) && map.map("seed", one.seed) &&
         map.map("special", one.special) && map.map("tokens", one.tokens) &&
         map.map("races", one.races) && map.map("early", one.early) &&
         map.map("unaligned", one.unaligned) &&
         map.map("schedules", one.schedules);
}
} // namespace mlir::sparseflow::matrix

llvm::Expected<std::vector<Case>>
mlir::sparseflow::matrix::readCases(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return llvm::createStringError("cannot read '" + path +
                                   "': " + buffer.getError().message());
  llvm::Expected<llvm::json::Value> parsed =
      llvm::json::parse((*buffer)->getBuffer());
  if (!parsed)
    return parsed.takeError();
  std::vector<Case> cases;
  llvm::json::Path::Root root(path);
  if (!fromJSON(*parsed, cases, root))
    return root.getError();
  // Files are named relative to the table.
  for (Case &one : cases) {
    llvm::SmallString<128> file(llvm::sys::path::parent_path(path));
    llvm::sys::path::append(file, one.file);
    one.file = std::string(file);
  }
  return cases;
}
