func.func @f(%x: tensor<0x384xf16>, %s: tensor<384xf16>) -> tensor<0x384xf16> {
  %y = sparseflow.hadamard %x signs(%s : tensor<384xf16>) block 128 : tensor<0x384xf16>
  return %y : tensor<0x384xf16>
}
