/*===- status.h - Status codes of the SparseFlow runtime -----------*- C
-*-===*\
|*
|* Part of the SparseFlow project, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*
|*
|* Every function of the C ABI that can fail returns an sf_status. The code is
|* for programs; the text behind it, sf_last_error(), is for people: what was
|* expected, what was found and what to do.
|*
\*===----------------------------------------------------------------------===*/

#ifndef SPARSEFLOW_STATUS_H
#define SPARSEFLOW_STATUS_H

#if defined(__GNUC__)
#define SF_API __attribute__((visibility("default")))
#else
#define SF_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** The values are part of the ABI and never change their number. */
typedef enum sf_status {
  SF_OK = 0,
  /** An argument is null, out of range or inconsistent with another one. */
  SF_ERROR_INVALID_ARGUMENT = 1,
  /** No usable driver or GPU was found. */
  SF_ERROR_NO_DEVICE = 2,
  /** Host or device memory is exhausted; nothing stays allocated. */
  SF_ERROR_OUT_OF_MEMORY = 3,
  /** The operating system refused to open, read, write or rename a file. */
  SF_ERROR_IO = 4,
  /** Data does not follow its format: truncated, corrupt, not 2:4, ... */
  SF_ERROR_FORMAT = 5,
  /** Well-formed, but this version or this device cannot do it. */
  SF_ERROR_UNSUPPORTED = 6,
  /** The GPU driver reported an error; its context is still usable. */
  SF_ERROR_DRIVER = 7,
  /** The GPU context is dead; only a new process helps. */
  SF_ERROR_DEVICE_LOST = 8,
  /** A defect of SparseFlow itself: please report it. */
  SF_ERROR_INTERNAL = 9
} sf_status;

/**
 * A short constant text for `status`, such as "file format error". Never null,
 * for any value. Thread-safe.
 */
SF_API const char *sf_status_string(sf_status status);

/**
 * The detail text of the last call on this thread that did not return SF_OK,
 * or "" if there was none. A successful call leaves it as it is. The pointer
 * stays valid until the next failing call on the same thread; never null.
 */
SF_API const char *sf_last_error(void);

#ifdef __cplusplus
}
#endif

#endif /* SPARSEFLOW_STATUS_H */
