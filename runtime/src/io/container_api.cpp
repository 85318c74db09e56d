//===- container_api.cpp - C ABI of .sfpk containers ----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sparseflow/weights.h"

#include "common/buffer.h"
#include "io/sfpk.h"

using namespace sparseflow::rt;

struct sf_container {
  SfpkFile file;
};

static void describe(const SfpkSection &from, sf_section *to) {
  *to = {};
  to->name = from.name.c_str();
  to->layout = from.layout();
  to->kind = from.kind;
  to->dtype = from.dtype;
  to->rank = from.shape.size();
  for (size_t i = 0; i < from.shape.size(); ++i)
    to->dims[i] = from.shape[i];
  to->offset = from.offset;
  to->bytes = from.bytes;
  to->crc32c = from.crc;
}

/// The section, or an error that names the range.
static Expected<const SfpkSection *> sectionAt(const sf_container *container,
                                               size_t index) {
  if (!container)
    return invalidArgument("container is null");
  const std::vector<SfpkSection> &sections = container->file.sections();
  if (index >= sections.size())
    return invalidArgument("expected a section index below " +
                           std::to_string(sections.size()) + ", found " +
                           std::to_string(index));
  return &sections[index];
}

extern "C" sf_status sf_container_open(const char *path,
                                       sf_container **container) {
  return guard([&]() -> Status {
    if (!path || !container)
      return invalidArgument("path or container is null");
    *container = nullptr;
    Expected<SfpkFile> file = SfpkFile::open(path);
    if (!file)
      return file.status();
    *container = new sf_container{std::move(*file)};
    return Status::success();
  });
}

extern "C" void sf_container_close(sf_container *container) {
  delete container;
}

extern "C" size_t sf_container_count(const sf_container *container) {
  return container ? container->file.sections().size() : 0;
}

extern "C" sf_status sf_container_section(const sf_container *container,
                                          size_t index, sf_section *section) {
  return guard([&]() -> Status {
    if (!section)
      return invalidArgument("section is null");
    Expected<const SfpkSection *> found = sectionAt(container, index);
    if (!found)
      return found.status();
    describe(**found, section);
    return Status::success();
  });
}

extern "C" sf_status sf_container_find(const sf_container *container,
                                       const char *name, size_t *index,
                                       sf_section *section) {
  return guard([&]() -> Status {
    if (!container || !name)
      return invalidArgument("container or name is null");
    const SfpkSection *found = container->file.find(name);
    if (!found)
      return invalidArgument("'" + printable(container->file.path()) +
                             "' has no tensor '" + printable(name) + "'");
    if (index)
      *index = found - container->file.sections().data();
    if (section)
      describe(*found, section);
    return Status::success();
  });
}

extern "C" sf_status sf_container_read(const sf_container *container,
                                       size_t index, int threads, void *buffer,
                                       size_t bufferBytes) {
  return guard([&]() -> Status {
    Expected<const SfpkSection *> found = sectionAt(container, index);
    if (!found)
      return found.status();
    if (Status status =
            checkBuffer("buffer", buffer, (*found)->bytes, bufferBytes);
        !status)
      return status;
    return container->file.read(**found, buffer, threads);
  });
}
