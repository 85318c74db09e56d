"""Checks a JSON file against a JSON schema (the part of draft 7 that
docs/formats uses): check_schema.py SCHEMA FILE."""

import json
import sys

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool,
         "integer": int, "number": (int, float)}


def errors(value, schema, root, path):
    if "$ref" in schema:
        schema = root["definitions"][schema["$ref"].rsplit("/", 1)[1]]
    known = {"$schema", "title", "type", "required", "additionalProperties", "properties",
             "definitions", "items", "enum", "const", "minimum", "maximum"}
    assert set(schema) <= known, f"the checker does not know {set(schema) - known}"
    found = json.dumps(value)[:60]
    if "const" in schema and value != schema["const"]:
        yield f"{path}: expected {json.dumps(schema['const'])}, found {found}"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{path}: expected one of {schema['enum']}, found {found}"
    if "type" in schema:
        good = isinstance(value, TYPES[schema["type"]])
        if not good or (isinstance(value, bool) and schema["type"] != "boolean"):
            yield f"{path}: expected {schema['type']}, found {found}"
            return
    if value < schema.get("minimum", value) or value > schema.get("maximum", value) \
            if isinstance(value, (int, float)) else False:
        yield f"{path}: {found} is out of range"
    if isinstance(value, list):
        for i, item in enumerate(value):
            yield from errors(item, schema.get("items", {}), root, f"{path}[{i}]")
    if isinstance(value, dict):
        for name in schema.get("required", []):
            if name not in value:
                yield f"{path}: member \"{name}\" is missing"
        more = schema.get("additionalProperties", True)
        for name, item in value.items():
            if name in schema.get("properties", {}):
                yield from errors(item, schema["properties"][name], root, f"{path}.{name}")
            elif more is False:
                yield f"{path}: member \"{name}\" is not in the schema"
            elif isinstance(more, dict):
                yield from errors(item, more, root, f"{path}.{name}")


def main():
    with open(sys.argv[1]) as schema_file, open(sys.argv[2]) as file:
        schema, value = json.load(schema_file), json.load(file)
    found = list(errors(value, schema, schema, "$"))
    print("\n".join(found), file=sys.stderr)
    return 1 if found else 0


sys.exit(main())
