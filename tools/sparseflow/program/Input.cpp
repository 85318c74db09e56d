//===- Input.cpp - Reading a program --------------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "program/Input.h"

#include "Options.h"
#include "SparseFlow/Dialect/SparseFlow/IR/Donation.h"
#include "SparseFlow/System/Files.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sparseflow::driver;

// Text that a person wrote or a front end printed; larger is a mistake.
static constexpr uint64_t kMaxInputBytes = 1ull << 30;
static constexpr StringRef kArgumentName = "sparseflow.name";

unsigned driver::nestingDepth(llvm::StringRef text) {
  // '<' and '>' also occur in arrows and comparisons, so they are counted
  // apart: a stray '>' must not hide a bracket.
  int64_t brackets = 0, angles = 0, deepest = 0;
  for (size_t i = 0, size = text.size(); i < size; ++i) {
    switch (text[i]) {
    case '"':
      for (++i; i < size && text[i] != '"' && text[i] != '\n'; ++i)
        if (text[i] == '\\')
          ++i;
      break;
    case '/':
      if (i + 1 < size && text[i + 1] == '/')
        while (i < size && text[i] != '\n')
          ++i;
      break;
    case '(':
    case '[':
    case '{':
      ++brackets;
      break;
    case ')':
    case ']':
    case '}':
      brackets = std::max<int64_t>(0, brackets - 1);
      break;
    case '<':
      ++angles;
      break;
    case '>':
      if ((i > 0 && text[i - 1] == '-') || (i + 1 < size && text[i + 1] == '='))
        break;
      angles = std::max<int64_t>(0, angles - 1);
      break;
    default:
      break;
    }
    deepest = std::max(deepest, std::max(brackets, angles));
  }
  return static_cast<unsigned>(std::min<int64_t>(deepest, 1u << 30));
}

/// Prints remarks as one line each and the rest with the source line. What
/// several kernels made of one operation have to say about it is said once.
struct Program::Handler : SourceMgrDiagnosticHandler {
  Handler(llvm::SourceMgr &sources, MLIRContext *context, bool printRemarks)
      : SourceMgrDiagnosticHandler(sources, context, llvm::errs()) {
    setHandler([this, printRemarks](Diagnostic &diagnostic) {
      std::string text;
      llvm::raw_string_ostream stream(text);
      stream << static_cast<int>(diagnostic.getSeverity())
             << diagnostic.getLocation() << diagnostic;
      for (Diagnostic &note : diagnostic.getNotes())
        stream << note.getLocation() << note;
      if (!printed.insert(text).second)
        return;
      if (diagnostic.getSeverity() != DiagnosticSeverity::Remark) {
        emitDiagnostic(diagnostic);
        return;
      }
      if (!printRemarks)
        return;
      std::string where;
      diagnostic.getLocation()->walk([&](Location location) {
        auto file = dyn_cast<FileLineColLoc>(location);
        if (!file)
          return WalkResult::advance();
        where = (file.getFilename().getValue() + ":" + Twine(file.getLine()) +
                 ":" + Twine(file.getColumn()) + ": ")
                    .str();
        return WalkResult::interrupt();
      });
      llvm::errs() << where << "remark: " << diagnostic.str() << "\n";
      for (Diagnostic &note : diagnostic.getNotes())
        llvm::errs() << "  note: " << note.str() << "\n";
    });
  }

  llvm::StringSet<> printed;
};

static DialectRegistry makeRegistry() {
  DialectRegistry registry;
  registerCompiler(registry);
  return registry;
}

// One thread: diagnostics come in the order of the program, and a crash in a
// pass happens on the thread that recovers from it.
Program::Program(bool printRemarks)
    : mlirContext(makeRegistry(), MLIRContext::Threading::DISABLED),
      handler(std::make_unique<Handler>(sources, &mlirContext, printRemarks)) {
  // A place in the source says more than a page of generic IR.
  mlirContext.printOpOnDiagnostic(false);
}

Program::~Program() = default;

/// Gives function arguments the name they have in the source, so that the
/// command line can speak of `w1` in a file that has no names.
static void nameArguments(ModuleOp module, const AsmParserState &state) {
  module.walk([&](func::FuncOp function) {
    if (function.isExternal())
      return;
    const AsmParserState::BlockDefinition *block =
        state.getBlockDef(&function.getBody().front());
    if (!block || block->arguments.size() != function.getNumArguments())
      return;
    for (auto [index, definition] : llvm::enumerate(block->arguments)) {
      if (function.getArgAttr(index, kArgumentName))
        continue;
      const char *begin = definition.loc.Start.getPointer();
      StringRef name(begin, definition.loc.End.getPointer() - begin);
      // %0 is an index, not a name.
      if (!name.consume_front("%") || name.empty() ||
          llvm::isDigit(name.front()))
        continue;
      function.setArgAttr(index, kArgumentName,
                          StringAttr::get(module.getContext(), name));
    }
  });
}

/// True for a constant of booleans whose bytes are written in hexadecimal.
static bool hasHexadecimalFlags(StringRef text) {
  for (size_t at = 0; (at = text.find("dense<\"0x", at)) != StringRef::npos;) {
    at = text.find('>', at);
    StringRef type =
        at == StringRef::npos
            ? StringRef()
            : text.substr(at).take_until([](char c) { return c == '\n'; });
    if (type.contains("xi1>"))
      return true;
  }
  return false;
}

/// After an error of the parser: says which tool turns text of another level,
/// or of another version, into linalg on tensors.
static void explainForeignText(StringRef text) {
  static constexpr struct {
    const char *sign, *advice;
  } kForeign[] = {
      {"util.", "this is IREE's form, whose globals and functions SparseFlow "
                "does not read: give it the linalg that the front end printed, "
                "with parameters as arguments"},
      {"torch.aten.", "this is the torch dialect: lower it with torch-mlir-opt "
                      "--torch-backend-to-linalg-on-tensors-backend-pipeline"},
      {"stablehlo.", "this is StableHLO: lower it with stablehlo-opt "
                     "--stablehlo-legalize-to-linalg"},
      {"mhlo.add", "this is MHLO: convert it to StableHLO, then lower it with "
                   "stablehlo-opt --stablehlo-legalize-to-linalg"},
      {"tm_tensor.",
       "this is torch-mlir's tm_tensor dialect, which it leaves in the place "
       "of scans and scatters: decompose the op before the export (cumsum as "
       "a product with a triangle, index_copy and index_put as a select), or "
       "pass its result as an argument"}};
  for (const auto &[sign, advice] : kForeign)
    if (text.contains(sign)) {
      note(advice);
      return;
    }
  if (hasHexadecimalFlags(text))
    note("a newer LLVM writes constants of i1 in hexadecimal with one byte an "
         "element, LLVM " LLVM_VERSION_STRING
         " with one bit: print the file without hexadecimal constants "
         "(--mlir-print-elementsattrs-with-hex-if-larger=-1)");
}

/// Marks the arguments that `donated` names; in a file of several functions,
/// those of all that have one.
static bool donateArguments(ModuleOp module, ArrayRef<std::string> donated) {
  UnitAttr yes = UnitAttr::get(module.getContext());
  for (const std::string &wanted : donated) {
    bool isFound = false;
    module.walk([&](func::FuncOp function) {
      for (unsigned index = 0; index < function.getNumArguments(); ++index) {
        auto name = function.getArgAttrOfType<StringAttr>(index, kArgumentName);
        if ((!name || name.getValue() != wanted) &&
            std::to_string(index) != wanted)
          continue;
        function.setArgAttr(index, kDonatedAttr, yes);
        isFound = true;
      }
    });
    if (!isFound) {
      fail(BadInput, "--donate " + wanted +
                         ": no function has such an argument; give its name "
                         "or its number");
      return false;
    }
  }
  return true;
}

bool Program::parse(const std::string &path, ArrayRef<std::string> donated) {
  if (path == "-") {
    auto buffer = llvm::MemoryBuffer::getSTDIN();
    if (!buffer) {
      fail(BadInput,
           "cannot read the standard input: " + buffer.getError().message());
      return false;
    }
    source = (*buffer)->getBuffer().str();
  } else {
    llvm::Expected<std::string> text = readRegularFile(path, kMaxInputBytes);
    if (!text) {
      fail(BadInput, llvm::toString(text.takeError()));
      return false;
    }
    source = std::move(*text);
  }
  if (StringRef(source).starts_with("ML\xefR")) {
    fail(BadInput, "'" + path +
                       "' is MLIR bytecode, which is not accepted: its reader "
                       "does not withstand damaged files; print it as text "
                       "(mlir-opt)");
    return false;
  }
  unsigned depth = nestingDepth(source);
  if (depth > kMaxNesting) {
    fail(BadInput, "'" + path + "' nests brackets " + Twine(depth) +
                       " deep, at most " + Twine(kMaxNesting) +
                       " are accepted");
    return false;
  }
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBuffer(source, path == "-" ? "<stdin>" : path),
      llvm::SMLoc());
  // Errors of the parser come with places; a module is made here so that an
  // empty file is an empty module.
  AsmParserState state;
  Block block;
  ParserConfig config(&mlirContext, /*verifyAfterParse=*/false);
  if (failed(parseAsmSourceFile(sources, &block, config, &state))) {
    explainForeignText(source);
    return false;
  }
  Location location =
      FileLineColLoc::get(&mlirContext, path == "-" ? "<stdin>" : path, 1, 1);
  auto only = llvm::hasSingleElement(block) ? dyn_cast<ModuleOp>(block.front())
                                            : ModuleOp();
  if (only) {
    only->remove();
    parsed = OwningOpRef<ModuleOp>(only);
  } else {
    parsed = OwningOpRef<ModuleOp>(ModuleOp::create(location));
    Block *body = parsed->getBody();
    body->getOperations().splice(body->end(), block.getOperations());
  }
  if (failed(verify(*parsed)))
    return false;
  nameArguments(*parsed, state);
  return donateArguments(*parsed, donated);
}
