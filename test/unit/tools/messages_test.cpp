//===- messages_test.cpp - What files and tensors are refused for ---------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "arguments/Npy.h"
#include "arguments/Random.h"
#include "reference/AttentionReference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

using namespace sparseflow::tools;

/// A file of version 1 with this header and so many bytes of elements.
static std::string npy(const std::string &header, size_t bytes = 0) {
  std::string file("\x93NUMPY\x01\x00", 8);
  file += static_cast<char>(header.size() & 0xff);
  file += static_cast<char>(header.size() >> 8);
  return file + header + std::string(bytes, 'x');
}

static std::string refusal(const std::string &file) {
  auto array = parseNpy(reinterpret_cast<const uint8_t *>(file.data()),
                        file.size(), "a.npy");
  return array ? "none" : array.status().text();
}

TEST(Messages, Npy) {
  const std::string type = "'descr': '<f2'";
  const std::string order = "'fortran_order': False";
  const std::string shape = "'shape': (2,)";
  auto header = [](const std::string &a, const std::string &b,
                   const std::string &c) {
    return npy("{" + a + ", " + b + ", " + c + "}", 4);
  };
  EXPECT_EQ(refusal(header(type, order, shape)), "none");
  std::string longer = npy("");
  longer[6] = 2;
  struct Case {
    std::string file, message;
  };
  for (const Case &test : std::initializer_list<Case>{
           {"hello, world", "not a .npy file (no \\x93NUMPY at its start)"},
           {std::string("\x93NUMPY\x04\x00\x00\x00", 10),
            ".npy version 4 is unknown, expected 1 to 3"},
           {longer, "cut short inside the header's length"},
           {longer + std::string("\xff\xff", 2) + std::string(8, 0),
            " bytes, the limit is 65536"},
           {npy("{").substr(0, 10) + "", "cut short inside the header"},
           {npy("[]"), "header byte 0: expected a dictionary"},
           {npy("{descr"), "header byte 1: expected 'key':"},
           {npy("{'descr': [('a', '<f2')]}"),
            "expected a simple element type (structured ones are refused)"},
           {header("'descr': '<f8'", order, shape),
            "element type '<f8' is not read; expected <f2, <f4, <u2 (bf16 "
            "bits), |b1, |i1, <i4 or <i8: convert with astype"},
           {header(type, "'fortran_order': True", shape),
            "the array is in Fortran order; save it with "
            "numpy.ascontiguousarray"},
           {header(type, "'fortran_order': 1", shape),
            "expected True or False"},
           {header(type, order, "'shape': 2"),
            "expected a tuple of at most 8 sizes"},
           {header(type, type, shape),
            "unexpected or repeated member 'descr' in the header"},
           {npy("{" + type + " " + order + "}"), "expected ',' or '}'"},
           {npy("{" + type + ", " + order + ", " + shape + "} x", 4),
            "expected nothing after the dictionary"},
           {npy("{" + type + "}"),
            "the header lacks descr, fortran_order or shape"},
           {header(type, order, "'shape': (4294967296, 4294967296)"),
            "the shape does not fit 64 bits"},
           {header(type, order, "'shape': (3,)"),
            "the header says 6 bytes of elements, the file has 4"},
       })
    EXPECT_NE(refusal(test.file).find(test.message), std::string::npos)
        << test.message << "\n  gave: " << refusal(test.file);
}

TEST(Messages, Patterns) {
  HostTensor tensor = HostTensor::allocate(DType::F32, {4, 4});
  float *values = reinterpret_cast<float *>(tensor.data.data());
  for (int i = 0; i < 16; ++i)
    values[i] = static_cast<float>(i + 1);
  Pattern pattern;
  pattern.n = 2;
  pattern.m = 4;
  pattern.axis = 2;
  EXPECT_EQ(pruneToPattern(tensor, pattern, 1).text(),
            "a pattern along dimension 2 of a tensor 4x4");
  pattern.axis = 1;
  EXPECT_EQ(checkPattern(tensor, pattern).text(),
            "the group of 4 that starts at element 0 of 4x4 has 4 "
            "non-zeros, the pattern allows 2; prune the tensor first "
            "(sparseflow pack)");
  values[5] = std::nanf("");
  EXPECT_EQ(pruneToPattern(tensor, pattern, 1).text(),
            "element 5 is NaN and has no magnitude");
}

TEST(Messages, AttentionSizes) {
  AttentionStep step;
  step.q = 0, step.k = 1, step.v = 2;
  auto refusal = [&](std::vector<std::vector<int64_t>> shapes) -> std::string {
    auto sizes = attentionSizes(step, shapes);
    return sizes ? "none" : sizes.status().text();
  };
  EXPECT_EQ(refusal({{1, 4, 2, 8}, {1, 2, 9, 8}, {1, 2, 9, 8}}), "none");
  EXPECT_EQ(refusal({{4, 2, 8}, {1, 2, 9, 8}, {1, 2, 9, 8}}),
            "attention of q 4x2x8, k 1x2x9x8, v 1x2x9x8: expected tensors of "
            "rank 4");
  EXPECT_EQ(refusal({{1, 4, 2, 8}, {1, 3, 9, 8}, {1, 3, 9, 8}}),
            "attention of q 1x4x2x8, k 1x3x9x8, v 1x3x9x8: the sizes do not "
            "fit one another");
  step.valueFeatures = 9;
  EXPECT_EQ(refusal({{1, 4, 2, 8}, {1, 2, 9, 8}, {1, 2, 9, 8}}),
            "attention of q 1x4x2x8, k 1x2x9x8, v 1x2x9x8: 9 features of v "
            "were to be values");
}
