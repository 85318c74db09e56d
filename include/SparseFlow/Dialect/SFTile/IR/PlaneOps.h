//===- PlaneOps.h - Numbers as signed bytes ---------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operations of SFTilePlaneOps.td, which belong to the sftile dialect.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_DIALECT_SFTILE_IR_PLANEOPS_H
#define SPARSEFLOW_DIALECT_SFTILE_IR_PLANEOPS_H

#include "SparseFlow/Dialect/SFTile/IR/SFTile.h"

#define GET_OP_CLASSES
#include "SparseFlow/Dialect/SFTile/IR/SFTilePlaneOps.h.inc"

#endif // SPARSEFLOW_DIALECT_SFTILE_IR_PLANEOPS_H
