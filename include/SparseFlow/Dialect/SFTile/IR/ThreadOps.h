//===- ThreadOps.h - What threads do with registers -------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operations of SFTileThreadOps.td, which belong to the sftile dialect.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_DIALECT_SFTILE_IR_THREADOPS_H
#define SPARSEFLOW_DIALECT_SFTILE_IR_THREADOPS_H

#include "SparseFlow/Dialect/SFTile/IR/SFTile.h"

#include "SparseFlow/Dialect/SFTile/IR/SFTileThreadEnums.h.inc"

#define GET_OP_CLASSES
#include "SparseFlow/Dialect/SFTile/IR/SFTileThreadOps.h.inc"

#endif // SPARSEFLOW_DIALECT_SFTILE_IR_THREADOPS_H
