/**
 * A body that does not decode may break rules as well, and a 400 names every offending field at once (DP 7). So what
 * of it can be read goes through the handler too, which refuses it or is stopped before it changes anything.
 */
import { Result, Schema } from "effect"
import { type Answer, type Context, type Handler, type Problems, Refusal } from "../store/Handler.ts"
import type { Store } from "../store/Store.ts"

type Members = Readonly<Record<string, unknown>>

/** The parts that structs, lists, unions and optional members are made of; a schema has one of them or none. */
interface Parts {
  readonly fields?: Readonly<Record<string, Schema.Top>>
  readonly value?: Schema.Top
  readonly members?: ReadonlyArray<Schema.Top>
  readonly schema?: Schema.Top
}

const readers = new WeakMap<Schema.Top, (value: unknown) => unknown>()

/** Reads and writes again, as a whole payload is; undefined for what does not decode. */
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

/** What of `value` can be read: members that cannot are left out, items of a list that cannot are undefined. */
export const readable = (schema: Schema.Top, value: unknown): unknown => {
  const { fields, members, schema: inner, value: item } = schema as Parts
  if (inner !== undefined && fields === undefined) return readable(inner, value)
  if (members !== undefined) return members.map((one) => readable(one, value)).find((one) => one !== undefined)
  if (item !== undefined && Array.isArray(value)) {
    const good = value.every((one) => leaf(item)(one) !== undefined)
    // A list whose items are good may have something wrong with itself: it is empty, say.
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

/** What the rules find wrong with what was read. Nothing is kept, and nothing is sent. */
const broken = (handle: Handler, context: Context): Problems => {
  try {
    handle({ ...context, store: Object.create(context.store, STOPPED), notify: stop })
  } catch (cause) {
    // Handlers are written for whole payloads: whatever else befalls one here says nothing about the request.
    if (cause instanceof Refusal && cause.answer.status === 400) {
      const body = cause.answer.body as Problems
      // A `detail` or an `error` is about the whole request, and names no member.
      return "detail" in body || "error" in body ? {} : body
    }
  }
  return {}
}

const isNested = (value: unknown): value is Members =>
  value !== null && typeof value === "object" && !Array.isArray(value)

/** Where both complain of one member, what cannot be read is what is wrong with it. */
const merge = (unread: Members, rules: Members): Members => {
  const merged: Record<string, unknown> = { ...unread }
  for (const [name, value] of Object.entries(rules)) {
    const before = merged[name]
    if (before === undefined) merged[name] = value
    else if (isNested(before) && isNested(value)) merged[name] = merge(before, value)
  }
  return merged
}

/** A refusal of what does not decode, with the rules that the rest of it breaks. */
export const withRules = (refusal: Answer, handle: Handler, context: Context): Answer => {
  const body = refusal.body as Members
  return { ...refusal, body: merge(body, broken(handle, { ...context, unread: new Set(Object.keys(body)) })) }
}
