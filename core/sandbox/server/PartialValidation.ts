/**
 * Applies the handlers' rules to a body that does not decode, because a 400 names every offending field at once (DP 7). The
 * readable part of the body goes through the handler, which rejects it or is stopped before it changes anything.
 */
import { Result, Schema } from "effect"
import { type Answer, type Context, type Handler, type Problems, Refusal } from "../store/Handler.ts"
import type { Store } from "../store/Store.ts"

type Members = Readonly<Record<string, unknown>>

/** The optional parts of a schema: of structs, lists, unions and optional members. */
interface Parts {
  readonly fields?: Readonly<Record<string, Schema.Top>>
  readonly value?: Schema.Top
  readonly members?: ReadonlyArray<Schema.Top>
  readonly schema?: Schema.Top
}

const readers = new WeakMap<Schema.Top, (value: unknown) => unknown>()

/** Decodes and encodes a value like a whole payload; undefined if it does not decode. */
const leaf = (schema: Schema.Top): ((value: unknown) => unknown) => {
  let reader = readers.get(schema)
  if (reader === undefined) {
    const codec = schema as Schema.Codec<unknown, unknown>
    const [decode, encode] = [Schema.decodeUnknownResult(codec), Schema.encodeUnknownSync(codec)]
    reader = (value) => {
      const decoded = decode(value)
      return Result.isFailure(decoded) ? undefined : encode(decoded.success)
    }
    readers.set(schema, reader)
  }
  return reader
}

/** The readable part of `value`: unreadable members are left out, unreadable items of a list are undefined. */
export const readable = (schema: Schema.Top, value: unknown): unknown => {
  const { fields, members, schema: inner, value: item } = schema as Parts
  if (inner !== undefined && fields === undefined) return readable(inner, value)
  if (members !== undefined) return members.map((one) => readable(one, value)).find((one) => one !== undefined)
  if (item !== undefined && Array.isArray(value)) {
    const good = value.every((one) => leaf(item)(one) !== undefined)
    // A list with valid items may be invalid itself, for example empty.
    return good ? leaf(schema)(value) : value.map((one) => readable(item, one))
  }
  if (fields === undefined || value === null || typeof value !== "object") return leaf(schema)(value)
  const read: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(fields)) {
    const one = Object.hasOwn(value, name) ? readable(field, (value as Members)[name]) : undefined
    if (one !== undefined) read[name] = one
  }
  return read
}

const stop = (): never => {
  throw new Error("the body was not read whole")
}

const STOPPED = Object.fromEntries(
  (["put", "delete", "id", "identify", "keep"] satisfies ReadonlyArray<keyof Store>).map((name) => [
    name,
    { value: stop }
  ])
)

/** The rules broken by the readable part. Nothing is stored, and nothing is sent. */
const broken = (handle: Handler, context: Context): Problems => {
  try {
    handle({ ...context, store: Object.create(context.store, STOPPED), notify: stop })
  } catch (cause) {
    // Handlers expect complete payloads, so any other error here says nothing about the request.
    if (cause instanceof Refusal && cause.answer.status === 400) {
      const body = cause.answer.body as Problems
      // A `detail` or an `error` concerns the whole request, and names no member.
      return "detail" in body || "error" in body ? {} : body
    }
  }
  return {}
}

const isNested = (value: unknown): value is Members =>
  value !== null && typeof value === "object" && !Array.isArray(value)

/** If both complain about a member, the decoding error is kept. */
const merge = (unread: Members, rules: Members): Members => {
  const merged: Record<string, unknown> = { ...unread }
  for (const [name, value] of Object.entries(rules)) {
    const before = merged[name]
    if (before === undefined) merged[name] = value
    else if (isNested(before) && isNested(value)) merged[name] = merge(before, value)
  }
  return merged
}

/** Adds to a decoding error the rules that the readable part breaks. */
export const withRules = (refusal: Answer, handle: Handler, context: Context): Answer => {
  const body = refusal.body as Members
  return { ...refusal, body: merge(body, broken(handle, { ...context, unread: new Set(Object.keys(body)) })) }
}
