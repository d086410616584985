// SPDX-License-Identifier: GPL-3.0-or-later
// A glTF 2.0 file as a JSON document with typed access, whose messages name what is wrong and where.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "builder/base/result.h"

namespace espalier::import_formats::gltf {

using Json = nlohmann::json;

/// Carries an Error out of the nested functions of the glTF reader, which never lets it escape.
struct Failure {
    Error error;
};

[[noreturn]] void fail(const std::string& message, ErrorKind kind = ErrorKind::kInvalidInput);

/// The parts of a GLB file; of a glTF file, its text.
struct Container {
    std::string_view json;
    std::string_view binary;   ///< of the binary chunk, empty without one
    std::size_t trailing = 0;  ///< bytes after the last chunk
};

/// Each of the following throws Failure where the file is not as it should be; `where` names the owner.
Container open_container(std::string_view bytes);

/// The same of a GLB file of `size` bytes: its document alone, read to `bytes`; empty where there is none.
Container open_head(std::istream& file, std::uint64_t size, std::string& bytes);

/// The document: an object.
Json parse_json(std::string_view text);

/// The member of an object; null without one.
const Json* member(const Json& object, const char* key);

const Json& required(const Json& object, const char* key, const std::string& where);

/// `value` as a non-negative integer; `key` is its name.
std::uint64_t integer(const Json& value, const std::string& where, const char* key);

std::uint64_t integer_or(const Json& object, const char* key, std::uint64_t otherwise,
                         const std::string& where);

/// An array; empty where there is none.
const Json& array(const Json& object, const char* key, const std::string& where);

/// Element `index` of the document's array `list`.
const Json& element(const Json& root, const char* list, std::uint64_t index, const std::string& where);

/// What the extension `name` says of `object`; null where it says nothing.
const Json* extension_of(const Json& object, const char* name);

/// The "name" of an object; empty without one.
std::string name_of(const Json& object);

/// The numbers of the array `key`, each at most 1e30 from zero; `size` of them unless that is 0. Empty
/// without the array.
std::vector<double> numbers(const Json& object, const char* key, std::size_t size, const std::string& where);

std::string decode_base64(std::string_view text, const std::string& where);

}  // namespace espalier::import_formats::gltf
