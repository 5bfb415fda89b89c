/**
 * Parses JSON that a person wrote, and describes a mistake in words, with its line and column.
 */
import { findNodeAtLocation, type ParseError, parse as tolerant, parseTree, printParseErrorCode } from "jsonc-parser"

/** `connections[0].owner`, before the description of a problem there. */
const PLACE = /^[A-Za-z_$][\w$-]*(?:\.[\w$-]+|\[\d+\])*(?=: )/

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split("\n").length

/**
 * Adds the line to problems that start with their place: the line of the setting, or of the object in which it is missing. A
 * file with a single line gets none.
 */
export const placed = (text: string, problems: ReadonlyArray<string>): ReadonlyArray<string> => {
  const json = text.replace(/^\uFEFF/, "")
  const root = json.trim().includes("\n") ? parseTree(json) : undefined
  if (root === undefined) return problems
  return problems.map((problem) => {
    const path = (PLACE.exec(problem)?.[0] ?? "")
      .split(/[.[\]]+/)
      .filter((part) => part !== "")
      .map((part) => (/^\d+$/.test(part) ? Number(part) : part))
    for (let known = path; known.length > 0; known = known.slice(0, -1)) {
      const node = findNodeAtLocation(root, known)
      // A property's line is that of its name.
      if (node !== undefined)
        return `line ${lineOf(json, node.parent?.type === "property" ? node.parent.offset : node.offset)}: ${problem}`
    }
    return problem
  })
}

class JsonError extends Error {
  /** From 1. */
  readonly line: number
  /** From 1. */
  readonly column: number

  constructor(text: string, offset: number, why: string) {
    const before = text.slice(0, offset)
    const line = before.split("\n").length
    const column = offset - before.lastIndexOf("\n")
    super(`line ${line}, column ${column}: ${why}`)
    this.line = line
    this.column = column
  }
}

/** The value, or a `JsonError`. */
export const parse = (text: string): unknown => {
  const json = text.replace(/^\uFEFF/, "")
  try {
    return JSON.parse(json)
  } catch (cause) {
    if (json.trim() === "") throw new JsonError(json, 0, "the file is empty")
    const errors: Array<ParseError> = []
    tolerant(json, errors, { disallowComments: true })
    const [first] = errors.toSorted((a, b) => a.offset - b.offset)
    if (first === undefined) throw cause
    throw mistake(json, first)
  }
}

/** The first mistake, in words: what is expected, what is there instead, and what to write. */
const mistake = (json: string, { error, offset }: ParseError): JsonError => {
  const next = json[offset]
  const there = next === undefined ? "the file ends" : `there is ${JSON.stringify(next)}`
  const fail = (why: string, at = offset) => new JsonError(json, at, why)
  if (endsBefore(json, offset)) return fail(`${there} after the end of the configuration`)
  const comma = /,\s*$/.exec(json.slice(0, offset))
  if (comma !== null && (next === "]" || next === "}")) return fail(`remove the "," before "${next}"`, comma.index)
  if (next !== undefined && "'\u2018\u2019\u201c\u201d".includes(next))
    return fail('use straight double quotes ("), as JSON requires')
  switch (printParseErrorCode(error)) {
    case "InvalidCommentToken":
      return fail("remove the comment: JSON does not allow comments")
    case "UnexpectedEndOfString":
      return fail("this text has no closing quote on its line")
    case "InvalidEscapeCharacter":
    case "InvalidUnicode":
    case "InvalidCharacter":
      return fail('this text has a "\\" or a character that JSON does not allow; write "\\\\" for a backslash')
    case "ColonExpected":
      return fail(`":" is expected after a name, and ${there}`)
    case "CommaExpected":
      return fail(`"," is expected before the next entry, and ${there}`)
    case "CloseBraceExpected":
      return fail(`"," or "}" is expected, and ${there}`)
    case "CloseBracketExpected":
      return fail(`"," or "]" is expected, and ${there}`)
    case "PropertyNameExpected":
      return fail(`a name in double quotes is expected, and ${there}`)
    default:
      return fail(`a value is expected, and ${there}`)
  }
}

/** Whether the text before is already a complete value. */
const endsBefore = (json: string, offset: number): boolean => {
  const errors: Array<ParseError> = []
  tolerant(json.slice(0, offset), errors)
  return errors.length === 0 && offset > 0
}
