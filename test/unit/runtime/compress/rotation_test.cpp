//===- rotation_test.cpp - Random Hadamard rotations ----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compress/rotation.h"

#include "compress/compress.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

using namespace sparseflow::rt;
using namespace sparseflow::rt::compress;

namespace {

using Matrix = std::vector<double>;

Matrix randomMatrix(int64_t size, std::mt19937 &random) {
  std::normal_distribution<double> normal;
  Matrix matrix(size);
  for (double &value : matrix)
    value = normal(random);
  return matrix;
}

/// y = W x for row-major [n][k].
Matrix product(const Matrix &w, const Matrix &x) {
  Matrix y(w.size() / x.size());
  for (size_t r = 0; r < y.size(); ++r)
    for (size_t c = 0; c < x.size(); ++c)
      y[r] += w[r * x.size() + c] * x[c];
  return y;
}

/// A llama of two blocks in float64. Positions do not matter to a rotation of
/// the stream or of values, so that scores are plain products.
struct Llama {
  static constexpr int64_t hidden = 36, heads = 3, keyHeads = 1, size = 12,
                           middle = 40, words = 50;
  struct Block {
    Matrix norm, q, k, v, o, norm2, gate, up, down;
  };

  explicit Llama(std::mt19937 &random) {
    embedding = randomMatrix(words * hidden, random);
    norm = randomMatrix(hidden, random);
    head = randomMatrix(words * hidden, random);
    for (int i = 0; i < 2; ++i)
      blocks.push_back({randomMatrix(hidden, random),
                        randomMatrix(heads * size * hidden, random),
                        randomMatrix(keyHeads * size * hidden, random),
                        randomMatrix(keyHeads * size * hidden, random),
                        randomMatrix(hidden * heads * size, random),
                        randomMatrix(hidden, random),
                        randomMatrix(middle * hidden, random),
                        randomMatrix(middle * hidden, random),
                        randomMatrix(hidden * middle, random)});
  }

  static Matrix normalized(const Matrix &x, const Matrix &weight) {
    double sum = 1e-5;
    for (double value : x)
      sum += value * value / x.size();
    Matrix y(x.size());
    for (size_t i = 0; i < x.size(); ++i)
      y[i] = x[i] / std::sqrt(sum) * weight[i];
    return y;
  }

  /// The logits of the last token.
  Matrix run(const std::vector<int> &tokens) const {
    std::vector<Matrix> stream;
    for (int token : tokens)
      stream.emplace_back(embedding.begin() + token * hidden,
                          embedding.begin() + (token + 1) * hidden);
    for (const Block &block : blocks) {
      std::vector<Matrix> keys, values;
      for (Matrix &x : stream) {
        Matrix h = normalized(x, block.norm);
        keys.push_back(product(block.k, h));
        values.push_back(product(block.v, h));
        Matrix q = product(block.q, h), mixed(heads * size);
        for (int64_t i = 0; i < heads; ++i) {
          std::vector<double> scores;
          double sum = 0;
          for (const Matrix &key : keys) {
            double score = 0;
            for (int64_t d = 0; d < size; ++d)
              score += q[i * size + d] * key[d];
            scores.push_back(std::exp(score / 40));
            sum += scores.back();
          }
          for (size_t t = 0; t < values.size(); ++t)
            for (int64_t d = 0; d < size; ++d)
              mixed[i * size + d] += scores[t] / sum * values[t][d];
        }
        Matrix y = product(block.o, mixed);
        for (int64_t d = 0; d < hidden; ++d)
          x[d] += y[d];
      }
      for (Matrix &x : stream) {
        Matrix h = normalized(x, block.norm2);
        Matrix gate = product(block.gate, h), up = product(block.up, h);
        for (int64_t d = 0; d < middle; ++d)
          up[d] *= gate[d] / (1 + std::exp(-gate[d]));
        Matrix y = product(block.down, up);
        for (int64_t d = 0; d < hidden; ++d)
          x[d] += y[d];
      }
    }
    return product(head, normalized(stream.back(), norm));
  }

  void rotate(const Rotation &stream, const Rotation &values,
              const Rotation &allHeads) {
    auto read = [&](Matrix &w, const Matrix &norm) {
      foldNorm(w.data(), w.size() / hidden, hidden, norm.data());
      stream.rotateInputs(w.data(), w.size() / hidden);
    };
    auto write = [&](Matrix &w) {
      stream.rotateOutputs(w.data(), w.size() / hidden);
    };
    Matrix ones(hidden, 1);
    stream.rotateInputs(embedding.data(), words);
    for (Block &block : blocks) {
      for (Matrix *w : {&block.q, &block.k, &block.v})
        read(*w, block.norm);
      for (Matrix *w : {&block.gate, &block.up})
        read(*w, block.norm2);
      values.rotateOutputs(block.v.data(), hidden);
      allHeads.rotateInputs(block.o.data(), hidden);
      write(block.o);
      write(block.down);
      block.norm = block.norm2 = ones;
    }
    read(head, norm);
    norm = ones;
  }

  Matrix embedding, norm, head;
  std::vector<Block> blocks;
};

} // namespace

TEST(Rotation, IsOrthogonalForAllSizes) {
  // Order by order: powers of two, Paley's first and second kind, blocks.
  for (auto [size, block, order] :
       {std::tuple<int64_t, int64_t, int64_t>{1, 0, 1},
        {2, 0, 2},
        {64, 0, 64},
        {12, 0, 12},
        {20, 0, 20},
        {28, 0, 28},
        {36, 0, 36},
        {24, 0, 24},
        {576, 0, 576},
        {320, 0, 320},
        {108, 0, 108},
        {92, 0, 4},
        {7, 0, 1},
        {14, 0, 2},
        {192, 64, 64},
        {36, 12, 12}}) {
    Expected<Rotation> rotation = Rotation::create(size, 5, block);
    ASSERT_TRUE(rotation.ok());
    EXPECT_EQ(rotation->order(), order) << size;
    Matrix q(size * size);
    for (int64_t i = 0; i < size; ++i)
      q[i * size + i] = 1;
    Matrix transposed = q;
    rotation->rotateInputs(q.data(), size);
    rotation->rotateOutputs(transposed.data(), size);
    for (int64_t i = 0; i < size; ++i)
      for (int64_t j = 0; j < size; ++j) {
        double sum = 0;
        for (int64_t c = 0; c < size; ++c)
          sum += q[i * size + c] * q[j * size + c];
        ASSERT_NEAR(sum, i == j, 1e-12) << size;
        ASSERT_EQ(q[i * size + j], transposed[j * size + i]);
        // Every number of a block goes into every other.
        bool inside = i / order == j / order;
        ASSERT_NEAR(std::fabs(q[i * size + j]),
                    inside ? 1 / std::sqrt(double(order)) : 0, 1e-12);
      }
  }
}

TEST(Rotation, ARotatedModelComputesTheSame) {
  std::mt19937 random(7);
  Llama model(random);
  std::vector<int> tokens = {3, 49, 0, 17, 3};
  Matrix before = model.run(tokens), embedding = model.embedding;
  model.rotate(*Rotation::create(36, 1), *Rotation::create(12, 2),
               *Rotation::create(36, 2, 12));
  Matrix after = model.run(tokens);
  double largest = 0;
  for (double value : before)
    largest = std::max(largest, std::fabs(value));
  for (size_t i = 0; i < before.size(); ++i)
    EXPECT_NEAR(after[i], before[i], 1e-10 * largest);
  // It was not left as it is.
  EXPECT_GT(std::fabs(model.embedding[0] - embedding[0]), 1e-3);
}

TEST(Rotation, SpreadsOutliers) {
  // Columns of very different sizes: what one scale a row loses.
  std::mt19937 random(11);
  std::normal_distribution<float> normal;
  int64_t n = 64, k = 576;
  std::vector<float> weights(n * k);
  for (int64_t i = 0; i < n * k; ++i)
    weights[i] = normal(random) * (i % k % 97 == 0 ? 20 : 1);
  std::vector<float> rotated = weights;
  Rotation::create(k, 3)->rotateInputs(rotated.data(), n);
  Options options;
  options.method = Method::Magnitude;
  options.format = *formatFromName("int4");
  Report plain, spread;
  ASSERT_TRUE(
      compressLayer(weights.data(), n, k, Moments(), options, plain).ok());
  ASSERT_TRUE(
      compressLayer(rotated.data(), n, k, Moments(), options, spread).ok());
  EXPECT_LT(spread.outputError, 0.7 * plain.outputError);
}

TEST(Rotation, SeedsAndRefusals) {
  std::vector<double> a(24, 1), b = a, c = a;
  Rotation::create(24, 1)->rotateInputs(a.data(), 1);
  Rotation::create(24, 1)->rotateInputs(b.data(), 1);
  Rotation::create(24, 2)->rotateInputs(c.data(), 1);
  EXPECT_EQ(a, b);
  EXPECT_NE(a, c);
  EXPECT_EQ(Rotation::create(10, 1, 4).status().text(),
            "expected a rotation of at least 1 number, in blocks that divide "
            "them, found 10 in blocks of 4");
  EXPECT_FALSE(Rotation::create(0, 1).ok());
}
