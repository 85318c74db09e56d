//===- ProductLaunch.cpp - How products of activations are launched -------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two kernels at most: one whose copies and stores are as wide as what is known
// of strides allows, at run time checked for those that are dynamic, and behind
// it one that moves elements.
//
//===----------------------------------------------------------------------===//

#include "Launch/ProductLaunch.h"
#include "Kernels/Tensor/ProductKernel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::sparseflow;

// Elements of 16 bits in the widest copy.
static constexpr int64_t kWideCopy = 8;

namespace {

class ProductLaunch {
public:
  ProductLaunch(linalg::LinalgOp root, const ActivationProduct &product,
                ArrayRef<linalg::LinalgOp> maps, HostProgramBuilder &program)
      : root(root), product(product), maps(maps), program(program),
        operandType(getElementTypeOrSelf(product.a.source.getType())),
        resultType(getElementTypeOrSelf(root->getResult(0).getType())) {}

  void collect();
  /// The kernel and its guards, with accesses of more than an element or, for
  /// any pointers and strides, without.
  Variant variant(OpBuilder &kernels, const std::string &name, bool isWide,
                  sftile::ScheduleAttr schedule, bool programmatic);

private:
  /// The elements between the iterations of a loop that indexes a tensor.
  struct Strides {
    llvm::SmallDenseMap<int64_t, Value> of, sizes;
    Value operator()(int64_t loop) const { return of.lookup(loop); }
  };
  Strides stridesOf(Value tensor, ArrayRef<int64_t> loops);
  /// Elements of an access where all of `strides` are multiples of it, at most
  /// `most`; of those that are dynamic `variant` asks for it.
  int64_t widthOf(ArrayRef<Value> strides, int64_t most, Variant &variant);
  sftile::CopyAtomInterface copyOf(int64_t elements) const;

  linalg::LinalgOp root;
  const ActivationProduct &product;
  ArrayRef<linalg::LinalgOp> maps;
  HostProgramBuilder &program;
  Type operandType, resultType;
  SmallVector<Value> pointers;
  /// In the order of ProductKernel::sizes, and of each tensor those that say
  /// how wide it may be accessed.
  SmallVector<Value> sizes, ofA, ofB, ofResult;
};

} // namespace

ProductLaunch::Strides ProductLaunch::stridesOf(Value tensor,
                                                ArrayRef<int64_t> loops) {
  Strides strides;
  Value stride = program.constant(1);
  for (int64_t dim = int64_t(loops.size()) - 1; dim >= 0; --dim) {
    Value size = program.dimOf(tensor, dim);
    strides.of[loops[dim]] = stride;
    strides.sizes[loops[dim]] = size;
    stride = program.builder.createOrFold<arith::MulIOp>(root.getLoc(), stride,
                                                         size);
  }
  return strides;
}

void ProductLaunch::collect() {
  Value result = root->getResult(0);
  Strides a = stridesOf(product.a.source, product.a.loops);
  Strides b = stridesOf(product.b.source, product.b.loops);
  Strides c = stridesOf(result, product.result);
  Value pitchA = a(product.a.isAcross ? product.k : product.m);
  Value pitchB = b(product.b.isAcross ? product.k : product.n);
  sizes = {c.sizes[product.m],
           c.sizes[product.n],
           a.sizes[product.k],
           pitchA,
           pitchB,
           c(product.m)};
  ofA = {pitchA};
  ofB = {pitchB};
  ofResult = {c(product.m), c.sizes[product.n]};
  for (int64_t loop : product.batch) {
    sizes.push_back(c.sizes[loop]);
    for (auto [strides, list] :
         {std::pair(&a, &ofA), {&b, &ofB}, {&c, &ofResult}}) {
      Value stride = (*strides)(loop);
      // What the loop does not index is the same in all of its iterations.
      sizes.push_back(stride ? stride : program.constant(0));
      list->push_back(sizes.back());
    }
  }
  for (Value tensor : {product.a.source, product.b.source, result})
    pointers.push_back(program.bufferOf(tensor));
}

int64_t ProductLaunch::widthOf(ArrayRef<Value> strides, int64_t most,
                               Variant &variant) {
  APInt known;
  for (Value stride : strides)
    if (matchPattern(stride, m_ConstantInt(&known)) && !known.isZero())
      most =
          std::min<int64_t>(most, known.getZExtValue() & -known.getZExtValue());
  for (Value stride : strides) {
    if (most == 1 || matchPattern(stride, m_Constant()))
      continue;
    Value rest = arith::RemUIOp::create(program.builder, root.getLoc(), stride,
                                        program.constant(most));
    variant.conditions.push_back(arith::CmpIOp::create(
        program.builder, root.getLoc(), arith::CmpIPredicate::eq, rest,
        program.constant(0)));
  }
  return most;
}

sftile::CopyAtomInterface ProductLaunch::copyOf(int64_t elements) const {
  MLIRContext *context = operandType.getContext();
  if (elements > 1)
    return sftile::CpAsyncAttr::get(context, 2 * elements);
  return sftile::LdStAttr::get(context, 2);
}

Variant ProductLaunch::variant(OpBuilder &kernels, const std::string &name,
                               bool isWide, sftile::ScheduleAttr schedule,
                               bool programmatic) {
  Variant variant;
  int64_t a = 1, b = 1, c = 1;
  int64_t bytes = resultType.getIntOrFloatBitWidth() / 8;
  if (isWide) {
    a = widthOf(ofA, kWideCopy, variant);
    b = widthOf(ofB, kWideCopy, variant);
    // A lane has two adjacent columns.
    c = widthOf(ofResult, 2, variant);
    // A list in the loop's head would be gone when the loop runs.
    int64_t widths[] = {2 * a, 2 * b, bytes * c};
    for (auto [pointer, width] : llvm::zip_equal(pointers, widths))
      if (width > (pointer == pointers.back() ? bytes : 2))
        variant.require(pointer, width);
  }
  SmallVector<int64_t> known;
  SmallVector<Value> numbers;
  for (Value size : sizes) {
    APInt number;
    bool isKnown = matchPattern(size, m_ConstantInt(&number));
    known.push_back(isKnown ? number.getSExtValue() : ShapedType::kDynamic);
    if (!isKnown)
      numbers.push_back(size);
  }
  // A kernel has an integer at least.
  if (numbers.empty())
    numbers.push_back(program.constant(0));
  ProductKernel kernel{name,
                       root.getLoc(),
                       schedule,
                       operandType,
                       resultType,
                       product.a.isAcross,
                       product.b.isAcross,
                       copyOf(a),
                       copyOf(b),
                       bytes * c,
                       known,
                       programmatic,
                       SmallVector<linalg::LinalgOp>(maps)};
  gpu::GPUFuncOp function = kernel.generate(kernels);
  Value grid = kernel.gridSize(program.builder, sizes);
  variant.launches = [=, pointers = pointers](OpBuilder &) {
    return SmallVector<Launch>{
        {function, grid, pointers, numbers, programmatic}};
  };
  return variant;
}

FailureOr<SmallVector<Variant>> mlir::sparseflow::productVariants(
    linalg::LinalgOp root, const ActivationProduct &product,
    ArrayRef<linalg::LinalgOp> maps, ArrayRef<sftile::ScheduleAttr> schedules,
    const StepContext &context) {
  ProductLaunch launch(root, product, maps, context.program);
  launch.collect();
  if (context.program.sizesFailed())
    return failure();
  return withFallback([&](bool isWide) {
    return launch.variant(
        context.kernels,
        context.prefix + (isWide ? "_product" : "_product_any"), isWide,
        isWide ? schedules.front() : schedules.back(), context.programmatic());
  });
}
