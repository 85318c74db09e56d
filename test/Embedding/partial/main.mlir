func.func private @printMemrefF32(tensor<*xf32>) attributes {llvm.emit_c_interface}

// small whole numbers, (a * i + b * j) mod m - m / 2
func.func private @numbers(%rows: index, %columns: index, %a: index, %b: index, %m: index) -> tensor<?x?xf16> {
  %c2 = arith.constant 2 : index
  %half = arith.divui %m, %c2 : index
  %x = tensor.generate %rows, %columns {
  ^bb0(%i: index, %j: index):
    %0 = arith.muli %i, %a : index
    %1 = arith.muli %j, %b : index
    %2 = arith.addi %0, %1 : index
    %3 = arith.remui %2, %m : index
    %4 = arith.subi %3, %half : index
    %5 = arith.index_cast %4 : index to i32
    %6 = arith.sitofp %5 : i32 to f16
    tensor.yield %6 : f16
  } : tensor<?x?xf16>
  return %x : tensor<?x?xf16>
}

func.func @main() {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %c9 = arith.constant 9 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %x0 = call @numbers(%c9, %c64, %c5, %c3, %c7) : (index, index, index, index, index) -> tensor<?x?xf16>
  %v0 = call @numbers(%c64, %c64, %c3, %c1, %c5) : (index, index, index, index, index) -> tensor<?x?xf16>
  %w0 = call @numbers(%c32, %c64, %c1, %c2, %c7) : (index, index, index, index, index) -> tensor<?x?xf16>
  %x = tensor.cast %x0 : tensor<?x?xf16> to tensor<?x64xf16>
  %v = tensor.cast %v0 : tensor<?x?xf16> to tensor<64x64xf16>
  %w = tensor.cast %w0 : tensor<?x?xf16> to tensor<32x64xf16>
  %y = call @model(%x, %v, %w) : (tensor<?x64xf16>, tensor<64x64xf16>, tensor<32x64xf16>) -> tensor<?x32xf16>
  %f = tensor.generate %c9, %c32 {
  ^bb0(%i: index, %j: index):
    %0 = tensor.extract %y[%i, %j] : tensor<?x32xf16>
    %1 = arith.extf %0 : f16 to f32
    tensor.yield %1 : f32
  } : tensor<?x?xf32>
  %u = tensor.cast %f : tensor<?x?xf32> to tensor<*xf32>
  call @printMemrefF32(%u) : (tensor<*xf32>) -> ()
  return
}
