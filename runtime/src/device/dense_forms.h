//===- dense_forms.h - Dense forms of packed weights ------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A packed weight may have a dense form beside it: the same numbers, row-major,
// which dense kernels read where they are the faster ones or the only ones that
// run. A form belongs to the address of the packed weight, so that functions of
// a bundle share it, and calls with other weights never meet it.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_DEVICE_DENSE_FORMS_H
#define SPARSEFLOW_RT_DEVICE_DENSE_FORMS_H

#include "device/manifest/manifest.h"
#include "sparseflow/driver.h"

#include <atomic>
#include <memory>
#include <mutex>

namespace sparseflow::rt {

class DeviceContext;

struct DenseForm {
  /// Device addresses of the packed weight and of the dense form.
  uint64_t packed = 0, dense = 0;
  int64_t n = 0, k = 0;
  DType dtype = DType::F16;
  /// Of the dense form.
  uint64_t bytes = 0;
  /// Whether the bundle allocated it.
  bool isOwned = false;
};

/// The dense forms that a bundle knows. Any thread may call anything; a table
/// is never changed, only replaced, and a launch reads the one that it found
/// first.
class DenseForms {
public:
  /// Ascending by the packed address, of which each has one form.
  using Table = std::vector<DenseForm>;

  /// Valid as long as this; null where there never was a form.
  const Table *table() const { return current.load(std::memory_order_acquire); }
  /// The form of the weight at `packed`, or null where there is none of the
  /// sizes and type of `spec`. Allocates nothing.
  static const DenseForm *find(const Table *table, uint64_t packed,
                               const TensorSpec &spec);

  /// Puts a form in the place of the one at its packed address, whose memory is
  /// freed if it is the bundle's. The context must be current.
  Status set(DeviceContext &context, const DenseForm &form);
  /// Forgets the form of a packed weight, as above.
  Status forget(DeviceContext &context, uint64_t packed);
  /// Copies `values`, row-major, to memory of the bundle: that of the form at
  /// this packed address, if it has the size.
  Status store(DeviceContext &context, DenseForm form,
               const std::vector<uint16_t> &values);
  void bytes(uint64_t &given, uint64_t &owned) const;

  bool empty() const { return !table(); }
  /// Frees what the bundle owns, at its end; the context must be current.
  void release(const sf_driver_table &driver);

private:
  /// With the mutex held.
  Status replace(DeviceContext &context, uint64_t packed,
                 const DenseForm *form);

  std::atomic<const Table *> current{nullptr};
  std::mutex mutex;
  /// Every table there was: a launch may be reading an old one.
  std::vector<std::unique_ptr<const Table>> tables;
};

/// The dense form of a packed weight of `spec`, row-major, as bits of its type:
/// its numbers; of a quantized weight with one scale for each row or for all
/// those before that scale, which kernels apply to their sums. A product with
/// the scale of a group that the type does not hold exactly is an error.
Expected<std::vector<uint16_t>> unpackDense(const TensorSpec &spec,
                                            const std::vector<uint8_t> &blob);

} // namespace sparseflow::rt

#endif // SPARSEFLOW_RT_DEVICE_DENSE_FORMS_H
