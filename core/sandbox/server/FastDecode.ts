/**
 * Decodes valid bodies quickly: member by member, and re-encodes only members that decoding has changed.
 *
 * The result is exactly that of decoding and encoding the whole body, or undefined; then the full decoder reports why.
 */
import { Result, Schema, SchemaAST } from "effect"
import * as Codecs from "../../money/Codecs.ts"
import { Metadata } from "../../wire/Open.ts"

type Members = Readonly<Record<string, unknown>>

const REFUSED = Symbol()

/** A value after decoding and encoding, or `REFUSED`. */
type Read = (value: unknown) => unknown

/** The most values that are cached per member, and the longest that is cached. */
const REMEMBERED = 1000
const LONGEST = 64

/** Caches results: the same days, currencies and parties occur again and again, and decoding is pure. */
const remembered = (read: Read): Read => {
  const known = new Map<unknown, unknown>()
  return (value) => {
    if (typeof value !== "string" || value.length > LONGEST) return read(value)
    let result = known.get(value)
    if (result === undefined) {
      result = read(value)
      if (result === REFUSED) return REFUSED
      if (known.size >= REMEMBERED) known.clear()
      known.set(value, result)
    }
    return result
  }
}

/** A type check for a schema without rules; undefined for any other schema. */
const simple = (ast: SchemaAST.AST): ((value: unknown) => boolean) | undefined => {
  if (ast.checks !== undefined || ast.encoding !== undefined) return undefined
  switch (ast._tag) {
    case "String":
      return (value) => typeof value === "string"
    case "Boolean":
      return (value) => typeof value === "boolean"
    case "Null":
      return (value) => value === null
    case "Literal": {
      const { literal } = ast
      return (value) => value === literal
    }
    case "Union": {
      const all = ast.types.map(simple)
      return all.every((one) => one !== undefined) ? (value) => all.some((one) => one(value)) : undefined
    }
    default:
      return undefined
  }
}

/** Amounts in their encoded form, which decoding and encoding does not change. */
const WRITTEN: ReadonlyMap<Schema.Top, RegExp> = new Map<Schema.Top, RegExp>([
  [Codecs.Major, /^(0|-?[1-9]\d{0,14})\.\d\d$/],
  [Codecs.Quantity, /^(0|-?[1-9]\d{0,14})\.\d{3}$/]
])

/** The optional parts of a schema. */
interface Parts extends Schema.Top {
  readonly fields?: Readonly<Record<string, Schema.Top>>
  readonly members?: ReadonlyArray<Schema.Top>
  readonly schema?: Schema.Top
  readonly value?: Schema.Top
}

const bare = ({ ast: { checks, encoding } }: Schema.Top): boolean => checks === undefined && encoding === undefined

const whole = (schema: Schema.Top): Read => {
  const codec = Schema.toCodecJson(schema) as Schema.Top as Schema.Codec<unknown, unknown>
  const accepts = simple(codec.ast)
  if (accepts !== undefined) return (value) => (accepts(value) ? value : REFUSED)
  const decode = Schema.decodeUnknownResult(codec)
  // A schema whose encoded form is the same needs no encoding.
  const encode = SchemaAST.toEncoded(codec.ast) === codec.ast ? undefined : Schema.encodeUnknownSync(codec)
  const read: Read = (value) => {
    const decoded = decode(value)
    if (Result.isFailure(decoded)) return REFUSED
    return encode === undefined ? decoded.success : encode(decoded.success)
  }
  const again = remembered(read)
  const written = WRITTEN.get(schema)
  return written === undefined
    ? again
    : (value) => (typeof value === "string" && written.test(value) ? value : again(value))
}

const isObject = (value: unknown): value is Members =>
  value !== null && typeof value === "object" && !Array.isArray(value)

const metadata: Read = (value) => (isObject(value) ? value : Array.isArray(value) && value.length === 0 ? {} : REFUSED)

/** Decodes lists and nullable or optional members separately, and anything else as a whole. */
const reader = (schema: Schema.Top): Read => {
  const { fields, members, schema: inner, value: item } = schema as Parts
  if (!bare(schema)) return whole(schema)
  if (fields !== undefined) return struct(fields)
  if (schema === Metadata) return metadata
  if (inner !== undefined) return SchemaAST.isOptional(schema.ast) ? reader(inner) : whole(schema)
  const [first, second] = members ?? []
  if (first !== undefined && members?.length === 2 && second?.ast._tag === "Null") {
    const read = reader(first)
    return (value) => (value === null ? null : read(value))
  }
  if (item !== undefined && schema.ast._tag === "Arrays") {
    const read = reader(item)
    return (value) => {
      if (!Array.isArray(value)) return REFUSED
      const written = value.map(read)
      return written.includes(REFUSED) ? REFUSED : written
    }
  }
  return whole(schema)
}

const struct = (fields: Readonly<Record<string, Schema.Top>>): Read => {
  const members = Object.entries(fields).map(([name, field]) => ({
    name,
    required: !SchemaAST.isOptional(field.ast),
    read: reader(field)
  }))
  return (body) => {
    if (!isObject(body)) return REFUSED
    const written: Record<string, unknown> = {}
    for (const { name, read, required } of members) {
      if (!Object.hasOwn(body, name)) {
        if (required) return REFUSED
        continue
      }
      const value = read(body[name])
      if (value === REFUSED) return REFUSED
      written[name] = value
    }
    return written
  }
}

/** Undefined for a schema that is more than its members, or that defines how a form is decoded. */
export const quick = (schema: Schema.Top): ((body: unknown) => Members | undefined) | undefined => {
  // An endpoint wraps its schema in its JSON form.
  const inner: Parts = (schema as Parts).schema ?? schema
  if (inner.fields === undefined || !bare(inner)) return undefined
  if (Schema.toCodecJson(inner).ast !== schema.ast) return undefined
  const read = struct(inner.fields)
  return (body) => {
    const written = read(body)
    return written === REFUSED ? undefined : (written as Members)
  }
}
