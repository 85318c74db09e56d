//===- HostHeader.cpp - The C header of an object -------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Target/Object/HostObject.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::sparseflow;
using llvm::StringRef;

/// A comma-separated list, broken before column 80.
static std::string wrap(StringRef head, llvm::ArrayRef<std::string> items,
                        StringRef tail) {
  std::string text = head.str(), line = head.str();
  text.clear();
  for (size_t i = 0; i < items.size(); ++i) {
    std::string item = items[i] + (i + 1 < items.size() ? "," : tail.str());
    if (line.size() + 1 + item.size() > 79 && line != head) {
      text += line + "\n";
      line = "    " + item;
    } else {
      line += (line == head ? "" : " ") + item;
    }
  }
  return text + line + "\n";
}

/// A line of a comment for each tensor.
static void printTensors(llvm::raw_ostream &os, const HostFunction &function) {
  size_t width = 0;
  for (const auto *list : {&function.arguments, &function.results})
    for (const HostTensor &tensor : *list)
      width = std::max(width, tensor.name.size());
  auto describe = [&](const HostTensor &tensor, StringRef direction) {
    os << " *   " << llvm::left_justify(tensor.name, width) << "  " << direction
       << "  " << tensor.description << "\n";
  };
  for (const HostTensor &tensor : function.arguments)
    describe(tensor, "in ");
  for (const HostTensor &tensor : function.results)
    describe(tensor, "out");
}

/// Pointers to arguments, to results, and sizes.
static std::vector<std::string> getParameters(const HostFunction &function) {
  std::vector<std::string> parameters;
  for (const HostTensor &tensor : function.arguments)
    parameters.push_back("const void *" + tensor.name);
  for (const HostTensor &tensor : function.results)
    parameters.push_back("void *" + tensor.name);
  for (const std::string &size : function.sizes)
    parameters.push_back("int64_t " + size);
  return parameters;
}

static void printFunction(llvm::raw_ostream &os, const HostInterface &interface,
                          const HostFunction &function) {
  std::string handle = interface.name + "_program *program";
  os << "/**\n * Puts the kernels of '" << function.name
     << "' on `stream`. Device memory:\n";
  printTensors(os, function);
  os << " * `workspace`: device memory of at least the bytes that\n"
     << " * " << function.name << "_workspace_size gives, aligned to 256; may "
     << "be null when that is 0.\n */\n";
  std::vector<std::string> parameters = getParameters(function);
  parameters.insert(parameters.begin(), handle);
  parameters.push_back("void *workspace");
  parameters.push_back("size_t workspace_bytes");
  parameters.push_back("void *stream");
  os << wrap("sf_status " + function.name + "(", parameters, ");");
  os << "/** Bytes of workspace for these sizes; 0 is possible. */\n";
  parameters = {"const " + handle};
  for (const std::string &size : function.sizes)
    parameters.push_back("int64_t " + size);
  parameters.push_back("size_t *bytes");
  os << wrap("sf_status " + function.name + "_workspace_size(", parameters,
             ");")
     << "\n";
}

std::string mlir::sparseflow::printHostHeader(const HostInterface &interface) {
  std::string text;
  llvm::raw_string_ostream os(text);
  const std::string &name = interface.name;
  std::string guard = "SPARSEFLOW_OBJECT_" + StringRef(name).upper() + "_H";
  os << "/* Made by " << interface.producer << "; do not edit.\n"
     << "   Link the object beside this file with libsparseflow_rt.\n"
     << "   Targets: " << interface.targets << ". */\n"
     << "#ifndef " << guard << "\n#define " << guard << "\n\n"
     << "#include <sparseflow/runtime.h>\n\n"
     << "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
     << "/** The kernels of this object on one GPU. */\n"
     << "typedef struct " << name << "_program " << name << "_program;\n\n"
     << "/** Loads the kernels for the context's GPU, so that no call has to.\n"
     << " * The text of an error is in sf_last_error(). */\n"
     << wrap("sf_status " + name + "_init(",
             {"sf_context *context", name + "_program **program"}, ");")
     << "/** Null is allowed. No call, nor a graph with one, may still run. "
        "*/\n"
     << "void " << name << "_release(" << name << "_program *program);\n\n"
     << "/* Calls check everything, then only launch: no allocation, no "
        "waiting,\n"
     << "   safe from many threads and while a graph is captured. Without\n"
     << "   elements in any result nothing is launched. Results must not "
        "overlap\n"
     << "   anything else. */\n\n";
  for (const HostFunction &function : interface.functions)
    printFunction(os, interface, function);
  os << "#ifdef __cplusplus\n}\n#endif\n\n#endif /* " << guard << " */\n";
  return text;
}

std::string mlir::sparseflow::printCpuHeader(const HostInterface &interface,
                                             StringRef processor) {
  std::string text;
  llvm::raw_string_ostream os(text);
  std::string guard =
      "SPARSEFLOW_OBJECT_" + StringRef(interface.name).upper() + "_H";
  os << "/* Made by " << interface.producer << "; do not edit.\n"
     << "   Link the object beside this file with -lm. It runs on processors\n"
     << "   that have what " << processor << " has. */\n"
     << "#ifndef " << guard << "\n#define " << guard << "\n\n"
     << "#include <stdint.h>\n\n"
     << "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
     << "/* Calls compute on the calling thread, and any number of threads may "
        "call.\n"
     << "   Nothing is checked: memory holds what is said here, aligned to "
        "its\n"
     << "   elements, sizes are at least 0, and results overlap nothing else.\n"
     << "   Temporary memory is malloc's; without it the process aborts. "
        "*/\n\n";
  for (const HostFunction &function : interface.functions) {
    os << "/**\n * Computes '" << function.name << "':\n";
    printTensors(os, function);
    os << " */\n"
       << wrap("void " + function.name + "(", getParameters(function), ");")
       << "\n";
  }
  os << "#ifdef __cplusplus\n}\n#endif\n\n#endif /* " << guard << " */\n";
  return text;
}
