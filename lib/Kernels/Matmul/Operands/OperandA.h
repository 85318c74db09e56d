//===- OperandA.h - The weight of a matmul in its kernels -------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operand A of the MMAs is the weight: dense, packed 2:4 or quantized. A class
// for each says which parameters of the kernel it takes, what a stage of
// the pipeline holds of it, how it is copied there and what an MMA reads of it.
// Only the factory knows which one a kernel has.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_MATMUL_OPERANDS_OPERANDA_H
#define SPARSEFLOW_LIB_KERNELS_MATMUL_OPERANDS_OPERANDA_H

#include "Kernels/Matmul/MatmulProblem.h"

namespace mlir::sparseflow {

class OperandA {
public:
  /// `copy` brings it into a stage; where that is TMA, its parameters are
  /// tensor maps. `problem` must outlive the operand.
  OperandA(const MatmulProblem &problem, sftile::AtomInterface copy)
      : problem(problem), schedule(problem.schedule), copy(copy) {}
  virtual ~OperandA() = default;

  /// The class for the problem's weight.
  static std::unique_ptr<OperandA> create(const MatmulProblem &problem);

  /// In the order of the kernel's parameters.
  virtual SmallVector<KernelParameter> parameters() const = 0;
  /// What a stage holds of it.
  virtual SmallVector<sftile::TileType> stageTiles() const = 0;
  /// Views of its parameters `pointers`, made before the roles.
  virtual SmallVector<Value> makeViews(KernelBuilder &b,
                                       ValueRange pointers) const = 0;
  /// Starts the copies into `slots` of K step `step` (i32 or i64) and the
  /// block's features from `feature` (i64) on.
  virtual void copyStage(KernelBuilder &b, ArrayRef<Value> views, Value feature,
                         Value step, ArrayRef<Value> slots) const = 0;

  /// What one MMA of a warp reads.
  struct Fragment {
    Value values;
    Value metadata;       // of 2:4 values
    IntegerAttr selector; // whose lanes' metadata
    Value codes;          // the unit that values were dequantized from
  };
  /// The columns of a stage that begin `offset` behind `base` (index), which is
  /// null where warps do not divide a stage.
  struct Columns {
    Value base;
    int64_t offset;
  };
  /// The MMA of a warp (`mma.sync`) that takes it.
  virtual sftile::MmaAtomInterface warpMma() const = 0;
  /// Operand A of that MMA for `rows` rows from `row` (index) on and the
  /// columns from `columns` on of a stage, whose tiles are `stage`. What
  /// `last`, the fragment of the columns before, has of these is not loaded
  /// again.
  virtual Fragment loadFragment(KernelBuilder &b, ArrayRef<Value> stage,
                                Value row, int64_t rows, Columns columns,
                                const Fragment &last) const = 0;

protected:
  /// Units that packed weights come in, counted over the whole weight: a view
  /// of them in global memory. A unit has 64 rows and `unitColumns` columns;
  /// `perUnit` tiles of them follow one another.
  Value viewOfUnits(KernelBuilder &b, Value pointer, Type type,
                    sftile::Order order, int64_t unitColumns,
                    int64_t perUnit = 1) const;
  /// Copies `units` units of each row of units, those of K step `step`.
  void copyUnits(KernelBuilder &b, ArrayRef<Value> views, int64_t units,
                 bool fillStages, Value feature, Value step,
                 ArrayRef<Value> slots) const;
  sftile::TileType tile(int64_t rows, int64_t cols, Type type,
                        sftile::Order order) const;
  bool isByTma() const { return isa<sftile::TmaAttr>(copy); }
  int64_t blockFeatures() const { return schedule.getBlock()[0]; }
  /// Features of all blocks that are scheduled together.
  int64_t clusterFeatures() const {
    return blockFeatures() * schedule.getCluster();
  }

  /// Rows of a unit of packed weights, and columns of one of 2:4 weights.
  static constexpr int64_t kUnit = 64;

  const MatmulProblem &problem;
  sftile::ScheduleAttr schedule;
  sftile::AtomInterface copy;
};

/// Operand A that a warpgroup's MMA (`wgmma`) reads where it lies in a stage.
class SharedOperandA : public OperandA {
public:
  using OperandA::OperandA;

  virtual sftile::AsyncMmaAtomInterface warpgroupMma() const = 0;
  /// The column of the stage's tile that holds column `k` of a stage.
  virtual int64_t columnInTile(int64_t k) const = 0;
  /// The metadata of `rows` rows from `row` (index) on and of 64 columns from
  /// `k` on; null if it has none.
  virtual Value loadMetadata(KernelBuilder &b, ArrayRef<Value> stage, Value row,
                             int64_t rows, int64_t k) const = 0;
  /// Whose lanes' metadata an MMA of `step` columns reads for column `k`.
  virtual IntegerAttr selector(int64_t k, int64_t step) const = 0;

  Fragment loadFragment(KernelBuilder &b, ArrayRef<Value> stage, Value row,
                        int64_t rows, Columns columns,
                        const Fragment &last) const override;
};

/// A matrix [n, k], row by row.
class DenseOperandA : public SharedOperandA {
public:
  using SharedOperandA::SharedOperandA;

  SmallVector<KernelParameter> parameters() const override;
  SmallVector<sftile::TileType> stageTiles() const override;
  SmallVector<Value> makeViews(KernelBuilder &b,
                               ValueRange pointers) const override;
  void copyStage(KernelBuilder &b, ArrayRef<Value> views, Value feature,
                 Value step, ArrayRef<Value> slots) const override;
  sftile::MmaAtomInterface warpMma() const override;
  sftile::AsyncMmaAtomInterface warpgroupMma() const override;
  int64_t columnInTile(int64_t k) const override { return k; }
  Value loadMetadata(KernelBuilder &, ArrayRef<Value>, Value, int64_t,
                     int64_t) const override {
    return {};
  }
  IntegerAttr selector(int64_t, int64_t) const override { return {}; }
};

/// 2:4 values and their metadata, packed in units of 64 x 64 (sf24.v1).
class Packed24OperandA : public SharedOperandA {
public:
  using SharedOperandA::SharedOperandA;

  /// Whether a stage's values and its metadata come in a box each, by TMA,
  /// instead of a bulk copy for each row of units.
  static bool comesInBoxes(const MatmulProblem &problem);

  SmallVector<KernelParameter> parameters() const override;
  SmallVector<sftile::TileType> stageTiles() const override;
  SmallVector<Value> makeViews(KernelBuilder &b,
                               ValueRange pointers) const override;
  void copyStage(KernelBuilder &b, ArrayRef<Value> views, Value feature,
                 Value step, ArrayRef<Value> slots) const override;
  sftile::MmaAtomInterface warpMma() const override;
  sftile::AsyncMmaAtomInterface warpgroupMma() const override;
  int64_t columnInTile(int64_t k) const override { return k / 2; }
  Value loadMetadata(KernelBuilder &b, ArrayRef<Value> stage, Value row,
                     int64_t rows, int64_t k) const override;
  IntegerAttr selector(int64_t k, int64_t step) const override;
};

/// The weights of two matmuls of which one gates the other: twice an operand A,
/// a stage has the block's features of both.
class GatedOperandA : public OperandA {
public:
  explicit GatedOperandA(const MatmulProblem &problem);

  static constexpr size_t kWeights = 2;
  /// The operand that either weight is.
  const OperandA &ofOne() const { return *weight; }
  /// What of the tiles or views of both, `all`, is those of weight `number`.
  static ArrayRef<Value> partOf(ArrayRef<Value> all, size_t number) {
    size_t count = all.size() / kWeights;
    return all.slice(number * count, count);
  }

  SmallVector<KernelParameter> parameters() const override;
  SmallVector<sftile::TileType> stageTiles() const override;
  SmallVector<Value> makeViews(KernelBuilder &b,
                               ValueRange pointers) const override;
  void copyStage(KernelBuilder &b, ArrayRef<Value> views, Value feature,
                 Value step, ArrayRef<Value> slots) const override;
  sftile::MmaAtomInterface warpMma() const override {
    return weight->warpMma();
  }
  /// Of the weight whose tiles are `stage`.
  Fragment loadFragment(KernelBuilder &b, ArrayRef<Value> stage, Value row,
                        int64_t rows, Columns columns,
                        const Fragment &last) const override;

private:
  MatmulProblem own; // of either weight: they differ in what follows the MMAs
  std::unique_ptr<OperandA> weight; // of `own`
};

/// Codes of quantized weights, dequantized in registers as their codec says.
/// Where the mainloop multiplies by scales, they are a parameter, and come with
/// the stage if a producer warp copies it and rows have their own.
class QuantizedOperandA : public OperandA {
public:
  QuantizedOperandA(const MatmulProblem &problem, sftile::AtomInterface copy)
      : OperandA(problem, copy), codec(problem.codec) {}

  SmallVector<KernelParameter> parameters() const override;
  SmallVector<sftile::TileType> stageTiles() const override;
  /// Of the codes; of the scales a pointer, and a view for each plane whose
  /// scales come with a stage.
  SmallVector<Value> makeViews(KernelBuilder &b,
                               ValueRange pointers) const override;
  void copyStage(KernelBuilder &b, ArrayRef<Value> views, Value feature,
                 Value step, ArrayRef<Value> slots) const override;
  sftile::MmaAtomInterface warpMma() const override;
  Fragment loadFragment(KernelBuilder &b, ArrayRef<Value> stage, Value row,
                        int64_t rows, Columns columns,
                        const Fragment &last) const override;

  /// The MMA of a warpgroup (`wgmma`) whose operand A is dequantized.
  sftile::AsyncMmaAtomInterface warpgroupMma() const;
  /// Whether that operand is 64 times the codes, or where the mainloop has
  /// scales -64 times the weights.
  bool isShifted() const;

  /// What a lane has of the codes of some rows and a unit of columns, and of
  /// 2:4 sparse weights the metadata.
  struct Words {
    Value codes, metadata;
  };
  /// Columns of such a unit.
  int64_t unitColumns() const { return codec.getUnitColumns(); }
  /// The words of `rows` rows from `row` on, 16 of sparse weights, of unit
  /// `unit` and plane `plane` of a stage whose codes are `tile`.
  Words loadUnit(KernelBuilder &b, Value tile, Value row, int64_t rows,
                 int64_t unit, int64_t plane) const;
  /// Operand A as `type`, of the columns from `k` of the stage on, times
  /// `scale` of its rows if there is one.
  Value dequantize(KernelBuilder &b, const Words &words, sftile::FragType type,
                   int64_t k, bool shifted = false, Value scale = {}) const;
  /// The same for an MMA of a warp, of `rows` rows.
  Value dequantize(KernelBuilder &b, const Words &words, int64_t rows,
                   int64_t k) const;

  /// Among the views, the pointer to the scales of the mainloop.
  static Value scalesOf(ArrayRef<Value> views) { return views[1]; }

private:
  /// Groups of columns in a stage whose scales come with it; 0: none do.
  int64_t stageGroups() const;
  /// The type of dequantized values. Those whose partial sums are multiplied by
  /// scales have no bias: nothing could be taken away behind the mainloop.
  Type valueType() const;
  Words loadNonzeros(KernelBuilder &b, Value tile, Value row) const;

  sftile::CodecInterface codec;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_MATMUL_OPERANDS_OPERANDA_H
