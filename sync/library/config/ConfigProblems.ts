/**
 * Describes what is wrong with a configuration, for its author: each mistake with its place and what to write there. For an
 * unknown setting, it suggests the name that was probably meant.
 */
import { SchemaIssue, type SchemaAST } from "effect"
import { nearest } from "../../../core/Nearest.ts"

type Path = ReadonlyArray<PropertyKey>

interface Problem {
  readonly path: Path
  readonly says: string
  /** For an unknown setting: the name that was probably meant. */
  readonly meant?: string | undefined
  readonly kind: "unknown" | "missing" | "other"
}

/** `connections[0].owner.organisation.registered` */
const place = (path: Path): string =>
  path.reduce<string>(
    (text, part) =>
      typeof part === "number" ? `${text}[${part}]` : text === "" ? String(part) : `${text}.${String(part)}`,
    ""
  )

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** @param path the place of the decoded value in the configuration */
export const problems = (issue: SchemaIssue.Issue, path: Path = []): ReadonlyArray<string> => {
  const found = walk(issue, path)
  const meant = new Set(
    found.flatMap(({ meant, path }) => (meant === undefined ? [] : [place([...path.slice(0, -1), meant])]))
  )
  return found
    .filter(({ kind, path }) => kind !== "missing" || !meant.has(place(path)))
    .map(({ path, says }) => (path.length === 0 ? says : `${place(path)}: ${says}`))
}

const walk = (issue: SchemaIssue.Issue, path: Path): ReadonlyArray<Problem> => {
  switch (issue._tag) {
    case "Pointer":
      return walk(issue.issue, [...path, ...issue.path])
    case "Composite":
      return issue.issues.flatMap((one) => walk(one, path))
    case "UnexpectedKey":
      return [unknown(path, names(issue.ast))]
    case "MissingKey":
      return [{ path, kind: "missing", says: missing(issue) }]
    case "AnyOf":
      return anyOf(issue, path)
    default:
      return format(issue).issues.map(({ message, path: inner = [] }) => ({
        path: [...path, ...inner.map((part) => (typeof part === "object" ? part.key : part))],
        kind: "other" as const,
        says: plain(message)
      }))
  }
}

/** A schema may say what to write there. */
const missing = ({ annotations }: SchemaIssue.MissingKey): string => {
  const says = annotations?.["messageMissingKey"]
  return typeof says === "string" ? says : "is missing"
}

const names = (ast: SchemaAST.AST): ReadonlyArray<string> =>
  ast._tag === "Objects" ? ast.propertySignatures.map(({ name }) => String(name)) : []

const unknown = (path: Path, known: ReadonlyArray<string>): Problem => {
  const name = String(path.at(-1))
  const meant = nearest(name, known)
  const hint =
    meant !== undefined
      ? `; did you mean "${meant}"?`
      : known.length === 0
        ? ""
        : `; known settings are ${known.join(", ")}`
  return { path, kind: "unknown", meant, says: `is not a known setting${hint}` }
}

/** For a union: describes the form that was begun, or how each of the forms begins. */
const anyOf = (issue: SchemaIssue.AnyOf, path: Path): ReadonlyArray<Problem> => {
  const { ast, issues } = issue
  const forms = issues.map((one) => walk(one, path))
  const begun = forms.filter(
    (form) => !form.some((one) => one.kind === "missing" && one.path.length === path.length + 1)
  )
  const [best] = begun.toSorted((a, b) => a.length - b.length)
  if (best !== undefined) return best
  // The value's type fits none of the forms; text is the simplest of them.
  if (forms.length === 0 && ast.types.some(({ _tag }) => _tag === "String"))
    return [{ path, kind: "other", says: plain("Expected string") }]
  const starts = ast.types.flatMap(names)
  if (starts.length === 0) return [{ path, kind: "other", says: plain(format(issue).issues[0]?.message ?? "") }]
  const strange = forms.flatMap((form) => form.filter(({ kind }) => kind === "unknown").map(({ path }) => path))
  const written = [...new Map(strange.map((path) => [place(path), path])).values()]
  if (written.length > 0) return written.map((path) => unknown(path, starts))
  return [{ path, kind: "missing", says: `needs ${starts.map((name) => `"${name}"`).join(" or ")}` }]
}

const WORDS: ReadonlyArray<readonly [RegExp, string]> = [
  [/^Expected string$/, 'write text in quotes, like "text"'],
  [/^Expected boolean$/, "write true or false"],
  [/^Expected object$/, "write an object, in { and }"],
  [/^Expected array$/, "write a list, in [ and ]"],
  [/^Expected (a finite )?number$/, "write a number"],
  [/^Expected an integer$/, "write a whole number"],
  [/^Expected a (value with a length of at least 1|non-empty string).*$/, "must not be empty"],
  [/^Datetime has wrong format.*$/s, 'write a day and a time, like "2024-01-01T00:00:00Z"'],
  [/^Date has wrong format.*$/s, 'write a day like "2024-01-31"']
]

const plain = (message: string): string => {
  for (const [pattern, words] of WORDS) if (pattern.test(message)) return words
  const [, choice] = /^Expected ("[^"]*"(?: \| "[^"]*")*)$/.exec(message) ?? []
  return choice === undefined ? message : `write one of ${choice.replaceAll(" | ", ", ")}`
}
