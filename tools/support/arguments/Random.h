//===- Random.h - Seeded tensors, the same on every machine -----*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_SUPPORT_ARGUMENTS_RANDOM_H
#define SPARSEFLOW_TOOLS_SUPPORT_ARGUMENTS_RANDOM_H

#include "arguments/Tensor.h"

namespace sparseflow::tools {

/// Mixes 64 bits (the finaliser of splitmix64).
uint64_t mixBits(uint64_t value);

/// The seed of stream `stream` (an argument's index, say) under `seed`.
uint64_t streamSeed(uint64_t seed, uint64_t stream);

/// Element `index` of a stream: mean 0, variance 1, close to normal (the sum of
/// eight uniform numbers, so within 4.9). Integer arithmetic up to one last
/// multiplication: the same bits on every machine, in any order.
float normalAt(uint64_t stream, uint64_t index);

/// Fills with normalAt * scale, rounded to the tensor's type.
void fillNormal(HostTensor &tensor, uint64_t stream, float scale,
                int threads = 0);

/// Fills an integer tensor with numbers from 0 to `most`, all equally likely.
void fillUniform(HostTensor &tensor, uint64_t stream, int64_t most);

/// Puts what arithmetic treats specially into some rows (all indices but the
/// last; the row modulo 8 decides): row 1 zeros of either sign, row 2 denormal
/// numbers, row 3 one infinity, row 4 one NaN, row 5 infinities of both signs.
/// Other rows are left alone. `stream` chooses the columns.
void fillSpecialRows(HostTensor &tensor, uint64_t stream);

/// An N:M pattern: at most `n` non-zeros in `m` adjacent elements of dimension
/// `axis`.
struct Pattern {
  int n = 2, m = 4;
  size_t axis = 1;
};

/// Zeroes all but the `n` largest magnitudes of every group (ties: the lower
/// index stays). NaN is refused.
Status pruneToPattern(HostTensor &tensor, const Pattern &pattern,
                      int threads = 0);
/// Success when every group keeps to the pattern; otherwise the first that does
/// not is named.
Status checkPattern(const HostTensor &tensor, const Pattern &pattern);

} // namespace sparseflow::tools

#endif // SPARSEFLOW_TOOLS_SUPPORT_ARGUMENTS_RANDOM_H
