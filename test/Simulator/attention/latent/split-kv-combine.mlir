// Rows of a block that combines splits: one, which all of its warps share, and two, four and eight
// of more than 256 features; blocks with fewer rows than they have room for, warps without splits, and more splits
// than a warp loads at once.
//
// RUN: rm -rf %t && split-file %s %t
// DEFINE: %{run} = sparseflow run --device sim --check --races --target sm_80
// RUN: %{run} %t/few.mlir --dim T=1 --dim T1=1200 --seed 1 | FileCheck %s
// RUN: %{run} %t/many.mlir --dim T=16 --dim T1=130 --seed 2 | FileCheck %s
// RUN: %{run} %t/many.mlir --dim T=33 --dim T1=50 --seed 3 | FileCheck %s
// RUN: %{run} %t/many.mlir --dim T=65 --dim T1=33 --seed 4 | FileCheck %s
//
// CHECK-COUNT-2: check {{.*}} ok
// CHECK: found    nothing: bounds, alignment, operands, races

//--- few.mlir
#few = #sftile.attention_schedule<"few", queries = 16, warp = 16, keys = 16, packed = true, max_queries = 1, split_blocks = 74, split_min_keys = 16, pipeline = #sftile.multistage_attention<stages = 2>>
#any = #sftile.attention_schedule<"any", queries = 16, warp = 16, keys = 16, pipeline = #sftile.multistage_attention<stages = 2>>
func.func @f(%q: tensor<?x3x1x32xf16>, %k: tensor<?x1x?x32xf16>, %v: tensor<?x1x?x32xf16>) -> (tensor<?x3x1x32xf16>, tensor<?x3x1xf32>) {
  %o, %l = sparseflow.attention %q, %k, %v {sftile.schedules = [#few, #any]}
    : tensor<?x3x1x32xf16>, tensor<?x1x?x32xf16>, tensor<?x1x?x32xf16> -> tensor<?x3x1x32xf16>, tensor<?x3x1xf32>
  return %o, %l : tensor<?x3x1x32xf16>, tensor<?x3x1xf32>
}

//--- many.mlir
#many = #sftile.attention_schedule<"many", queries = 16, warp = 16, keys = 16, packed = true, max_queries = 1, split_blocks = 128, split_min_keys = 16, pipeline = #sftile.multistage_attention<stages = 2, feature_warps = 4>>
#any = #sftile.attention_schedule<"any", queries = 16, warp = 16, keys = 16, pipeline = #sftile.multistage_attention<stages = 2, feature_warps = 4>>
func.func @f(%q: tensor<?x16x1x272xf16>, %k: tensor<?x1x?x272xf16>) -> (tensor<?x16x1x264xf16>, tensor<?x16x1xf32>) {
  %o, %l = sparseflow.attention %q, %k, %k {value_features = 264 : i64, sftile.schedules = [#many, #any]}
    : tensor<?x16x1x272xf16>, tensor<?x1x?x272xf16>, tensor<?x1x?x272xf16> -> tensor<?x16x1x264xf16>, tensor<?x16x1xf32>
  return %o, %l : tensor<?x16x1x264xf16>, tensor<?x16x1xf32>
}
