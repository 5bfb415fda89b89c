/** Writes a client of the daemon's HTTP interface in Python 3.11: one module, with nothing but the standard library. */
import {
  type OpenApiDocument,
  schemaName,
  type Operation,
  operationsOf,
  type Payload,
  type Shape
} from "./Operations.ts"

/** Words that Python keeps for itself, as far as names here may be one. */
const KEPT = [
  "and",
  "as",
  "class",
  "def",
  "del",
  "for",
  "from",
  "global",
  "import",
  "in",
  "is",
  "not",
  "or",
  "pass",
  "with"
]

const snake = (name: string): string => {
  const made = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replaceAll(/\W/g, "_")
  return KEPT.includes(made) ? `${made}_` : made
}

const PLAIN: Readonly<Record<string, string>> = {
  string: "str",
  integer: "int",
  number: "float",
  boolean: "bool",
  null: "None",
  object: "dict[str, Any]"
}

const typeOf = (shape: Shape): string => {
  const name = schemaName(shape)
  if (name !== undefined) return name
  const { additionalProperties: more, anyOf, enum: values, items, type } = shape
  if (values !== undefined) return `Literal[${values.map((one) => JSON.stringify(one)).join(", ")}]`
  if (anyOf !== undefined) return [...new Set(anyOf.map(typeOf))].join(" | ")
  if (type === "array") return `list[${items === undefined ? "Any" : typeOf(items)}]`
  if (shape.properties === undefined && typeof more === "object") return `dict[str, ${typeOf(more)}]`
  return PLAIN[type ?? (shape.allOf === undefined ? "" : "object")] ?? "Any"
}

const words = (text: string, indent: string): string => {
  const plain = text.replaceAll("\\", "\\\\").replaceAll('"""', "'''").replaceAll(/\s+/g, " ")
  return plain === "" ? "" : `${indent}"""${plain}${plain.endsWith('"') ? " " : ""}"""\n`
}

/** The members by name, in the form that allows any name. Types are texts: they may name what comes later. */
const declared = ([name, shape]: readonly [string, Shape]): string => {
  const { properties, required = [] } = shape
  if (properties === undefined || shape.allOf !== undefined) return `${name} = ${JSON.stringify(typeOf(shape))}\n`
  const members = Object.entries(properties).map(([member, of]) => {
    const type = required.includes(member) ? typeOf(of) : `NotRequired[${typeOf(of)}]`
    return `    ${JSON.stringify(member)}: ${JSON.stringify(type)},\n`
  })
  return `${name} = TypedDict("${name}", {\n${members.join("")}})\n`
}

const answerOf = (answer: Payload): string =>
  answer.kind === "file"
    ? "bytes"
    : answer.kind === "events"
      ? `Iterator[${typeOf(answer.shape)}]`
      : typeOf(answer.shape)

const method = (one: Operation): string => {
  const body = one.body === undefined ? undefined : "shape" in one.body ? typeOf(one.body.shape) : "bytes"
  const by = [...one.query].sort((a, b) => Number(b.required) - Number(a.required))
  const taken = [
    "self",
    ...one.inPath.map(({ name }) => `${snake(name)}: str | int`),
    ...(body === undefined ? [] : [one.bodyRequired ? `body: ${body}` : `body: ${body} | None = None`]),
    ...(by.length > 0 || one.repeatable ? ["*"] : []),
    ...by.map(({ name, required }) =>
      required ? `${snake(name)}: str | int` : `${snake(name)}: str | int | None = None`
    ),
    ...(one.repeatable ? ["key: str | None = None"] : [])
  ]
  const path = one.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `{_quoted(${snake(name)})}`)
  const given = [
    `"${one.method}"`,
    path === one.path ? `"${path}"` : `f"${path}"`,
    ...(one.query.length === 0
      ? []
      : [`query={${one.query.map(({ name }) => `"${name}": ${snake(name)}`).join(", ")}}`]),
    ...(body === undefined ? [] : ["body=body"]),
    ...(one.repeatable ? ["key=key or str(uuid.uuid4())"] : [])
  ]
  const head = `    def ${snake(one.name)}(${taken.join(", ")}) -> ${answerOf(one.answer)}:\n`
  return `${head}${words(one.about, "        ")}        return self._daybook._${one.answer.kind}(${given.join(", ")})\n`
}

const RUNTIME = `from __future__ import annotations

import json
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from typing import Any, Iterator, Literal, NotRequired, TypedDict

_RETRIES = (0.5, 1.0, 2.0)
_AGAIN = (502, 503, 504)


class DaybookError(Exception):
    """What the daemon answered in place of what was asked for; \`kind\` is the answer's \`_tag\`, as "NotFound"."""

    def __init__(self, status: int, kind: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.kind = kind


def _quoted(text: str | int) -> str:
    return urllib.parse.quote(str(text), safe="")


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """The token is for the address that was given, and for no other."""

    def redirect_request(self, *_: Any) -> None:
        return None


def _refusal(status: int, text: str) -> DaybookError:
    try:
        said = json.loads(text)
        return DaybookError(status, said.get("_tag", ""), said.get("message", text))
    except (ValueError, AttributeError):
        return DaybookError(status, "", text)
`

const CLASS = `class Daybook:
    """Each group of operations is a member, as \`daybook.read.status()\`. Raises \`DaybookError\`.

    address: like "https://books.example.com", or "https://books.example.com/t/acme" of one of many tenants
    token: one of \`daemon.api\` in the configuration
    timeout: in seconds, of each request
    """

    def __init__(self, address: str, token: str, timeout: float = 120.0) -> None:
        self._address = address.rstrip("/")
        self._token = token
        self._timeout = timeout
        self._opener = urllib.request.build_opener(_NoRedirect)
GROUPS
    def _send(self, method: str, path: str, *, query: Any = None, body: Any = None, key: str | None = None) -> Any:
        """What is only read, or has a key, is asked for again where no answer came."""
        given = {name: value for name, value in (query or {}).items() if value is not None}
        url = self._address + path + ("?" + urllib.parse.urlencode(given) if given else "")
        headers = {"authorization": f"Bearer {self._token}"}
        if key is not None:
            headers["idempotency-key"] = key
        data = body
        if body is not None:
            is_file = isinstance(body, bytes)
            headers["content-type"] = "application/octet-stream" if is_file else "application/json"
            data = body if is_file else json.dumps(body).encode()
        waits = list(_RETRIES) if method == "GET" or key is not None else []
        while True:
            try:
                request = urllib.request.Request(url, data=data, headers=headers, method=method)
                return self._opener.open(request, timeout=self._timeout)
            except urllib.error.HTTPError as refused:
                text = refused.read().decode("utf-8", "replace")
                if refused.code not in _AGAIN or not waits:
                    raise _refusal(refused.code, text) from None
            except (urllib.error.URLError, TimeoutError, ConnectionError):
                if not waits:
                    raise
            time.sleep(waits.pop(0))

    def _file(self, method: str, path: str, **sent: Any) -> bytes:
        with self._send(method, path, **sent) as answer:
            return answer.read()

    def _json(self, method: str, path: str, **sent: Any) -> Any:
        return json.loads(self._file(method, path, **sent))

    def _events(self, method: str, path: str, **sent: Any) -> Iterator[Any]:
        with self._send(method, path, **sent) as answer:
            data: list[str] = []
            for raw in answer:
                line = raw.decode().rstrip("\\r\\n")
                if line.startswith("data:"):
                    data.append(line[5:].strip())
                elif line == "" and data:
                    yield json.loads("\\n".join(data))
                    data = []
`

const className = (group: string): string => `${group.charAt(0).toUpperCase()}${group.slice(1)}Operations`

/** @returns the module's text */
export const pythonClient = (document: OpenApiDocument, version: string): string => {
  const operations = [...operationsOf(document)]
  const groups = operations.map(([group]) => `        self.${snake(group)} = ${className(group)}(self)\n`)
  const classes = operations.map(
    ([group, all]) =>
      `class ${className(group)}:\n    def __init__(self, daybook: Daybook) -> None:\n        self._daybook = daybook\n\n${all.map(method).join("\n")}`
  )
  return [
    `"""A client of Daybook ${version}, made from its OpenAPI document. Amounts are decimal text, instants ISO 8601 in UTC."""\n`,
    RUNTIME,
    ...Object.entries(document.components.schemas).map(declared),
    ...classes,
    CLASS.replace("GROUPS\n", `${groups.join("")}\n`)
  ].join("\n\n")
}
