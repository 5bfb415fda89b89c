/**
 * Converts schema errors to the messages and shapes of DP 7: every offending member at once, nested like the request. The
 * body that was sent is used to find the value that an error points to.
 */
import { type Schema, SchemaIssue } from "effect"
import { type Answer, put } from "../store/Handler.ts"

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** 400 with every offending member; `unnamed` is the member whose problems are reported under no name. */
export const invalid = (error: Schema.SchemaError, sent: unknown, unnamed?: string): Answer => {
  const body: Record<string, unknown> = {}
  for (const { message, path = [] } of format(error.issue).issues) {
    const keys = path.map((part) => (typeof part === "object" ? part.key : part))
    const why = wording(message, at(sent, keys))
    if (unnamed !== undefined && keys[0] === unnamed) {
      put(body, ["non_field_errors"], `Missing or invalid payment information in ${unnamed}: ${why}`)
    } else put(body, keys.length === 0 ? ["non_field_errors"] : keys, why)
  }
  return { status: 400, body }
}

const at = (sent: unknown, keys: ReadonlyArray<PropertyKey>): unknown =>
  keys.reduce<unknown>(
    (value, key) =>
      value !== null && typeof value === "object" && Object.hasOwn(value, key)
        ? (value as Readonly<Record<PropertyKey, unknown>>)[key]
        : undefined,
    sent
  )

/** Longer values are shortened in messages. */
const LONGEST = 60

const quoted = (value: unknown): string => {
  const text = JSON.stringify(value) ?? ""
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}...` : text
}

/** Messages by what the schema expected; the first that matches is used. */
const EXPECTED: ReadonlyArray<readonly [RegExp, (value: unknown, wanted: string) => string]> = [
  [
    /length of at least 1/,
    (value) => (Array.isArray(value) ? "This list may not be empty." : "This field may not be blank.")
  ],
  [/^"/, (value) => `${quoted(value)} is not a valid choice.`],
  [/identifier/, (value, wanted) => `Invalid id ${quoted(value)} - ${wanted} is expected.`],
  [/number/, () => "A valid number is required."],
  [/string/, () => "Not a valid string."],
  [/boolean/, () => "Must be a valid boolean."],
  [/array/, () => "A list is required."],
  [/object/, () => "An object is required."]
]

const wording = (message: string, value: unknown): string => {
  if (message === "Missing key") return "This field is required."
  const places = /has more than (\d+) decimal places/.exec(message)
  if (places !== null) return `Ensure that there are no more than ${places[1]} decimal places.`
  if (/is not a decimal number|is too large|is longer than|carries exactly/.test(message)) {
    return "A valid number is required."
  }
  const wanted = /^Expected (.*)$/s.exec(message)?.[1]
  if (wanted === undefined) return message
  if (value === undefined) return "This field is required."
  if (value === null) return "This field may not be null."
  const say = EXPECTED.find(([pattern]) => pattern.test(wanted))?.[1]
  return say === undefined ? `Expected ${wanted}.` : say(value, wanted)
}
