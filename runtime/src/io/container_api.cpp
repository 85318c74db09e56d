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

#include <optional>

using namespace sparseflow::rt;

struct sf_container {
  SfpkFile file;
};

struct sf_container_writer {
  /// Empty behind a commit.
  std::optional<SfpkWriter> file;
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

/// What a description of a section says that is not computed.
static Expected<SfpkSection> sectionOf(const sf_section &from) {
  if (!from.name)
    return invalidArgument("a section's name is null");
  SfpkSection section;
  section.name = from.name;
  section.kind = from.kind;
  section.dtype = from.dtype;
  if (from.rank < 0 || from.rank > SF_MAX_RANK)
    return invalidArgument("section '" + printable(section.name) +
                           "': expected a rank of at most " +
                           std::to_string(SF_MAX_RANK) + ", found " +
                           std::to_string(from.rank));
  section.shape.assign(from.dims, from.dims + from.rank);
  if (from.kind != SF_SECTION_TERNARY)
    return section;
  Expected<TernaryStorage> storage =
      storageFromLayout(from.layout ? from.layout : "");
  if (!storage)
    return storage.status().withContext("section '" + printable(section.name) +
                                        "'");
  section.storage = *storage;
  return section;
}

extern "C" sf_status sf_container_create(const char *path,
                                         const sf_section *sections,
                                         size_t count,
                                         sf_container_writer **writer) {
  return guard([&]() -> Status {
    if (!path || !writer || (!sections && count))
      return invalidArgument("path, sections or writer is null");
    *writer = nullptr;
    std::vector<SfpkSection> table;
    for (size_t i = 0; i < count; ++i) {
      Expected<SfpkSection> section = sectionOf(sections[i]);
      if (!section)
        return section.status();
      table.push_back(std::move(*section));
    }
    Expected<SfpkWriter> file = SfpkWriter::create(path, std::move(table));
    if (!file)
      return file.status();
    *writer = new sf_container_writer{std::move(*file)};
    return Status::success();
  });
}

/// The file of a writer, or an error where there is none any more.
static Expected<SfpkWriter *> fileOf(sf_container_writer *writer) {
  if (!writer)
    return invalidArgument("writer is null");
  if (!writer->file)
    return invalidArgument("the container was committed already");
  return &*writer->file;
}

extern "C" sf_status sf_container_write(sf_container_writer *writer,
                                        const void *data, uint64_t bytes) {
  return guard([&]() -> Status {
    Expected<SfpkWriter *> file = fileOf(writer);
    if (!file)
      return file.status();
    if (!data && bytes)
      return invalidArgument("data is null");
    return (*file)->write(data, bytes);
  });
}

extern "C" sf_status sf_container_commit(sf_container_writer *writer) {
  return guard([&]() -> Status {
    Expected<SfpkWriter *> file = fileOf(writer);
    if (!file)
      return file.status();
    Status status = (*file)->commit();
    if (status)
      writer->file.reset();
    return status;
  });
}

extern "C" void sf_container_writer_close(sf_container_writer *writer) {
  delete writer;
}
