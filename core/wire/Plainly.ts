/**
 * Decodes a JSON value the short way, if it has beyond doubt the plain shape that its schema expects: a page of a hundred
 * transactions in a tenth of the time. Everything else is in doubt, and left to the schema, which accepts or rejects it with
 * its own words. So the result is always the schema's, whoever finds it.
 */
import { type Schema, SchemaAST } from "effect"
import { certainly, fits } from "./Fits.ts"

/** The schema has to decode it. */
export const DOUBT: unique symbol = Symbol("doubt")

type Read = (value: unknown) => unknown

const doubt: Read = () => DOUBT

/** Built on first use, see `Fits.ts`. */
const late = (build: () => Read): Read => {
  let built: Read | undefined
  return (value) => (built ??= build())(value)
}

/** Decodes, or returns `DOUBT`. */
export const plainly = (schema: Schema.Codec<unknown>): Read => late(() => readOf(schema.ast))

const isTransformed = (ast: SchemaAST.AST): boolean =>
  ast.encoding !== undefined || ("encodingChecks" in ast && ast.encodingChecks !== undefined)

/** How deep a value of any kind is looked through. */
const DEEPEST = 20

/** Whether a value is JSON through and through: a number that is too large for any is read as infinite, and no JSON. */
const isJson = (value: unknown, depth = 0): boolean => {
  if (typeof value === "number") return Number.isFinite(value)
  if (typeof value !== "object" || value === null) return true
  return depth < DEEPEST && Object.values(value).every((one) => isJson(one, depth + 1))
}

const anything: Read = (value) => (isJson(value) ? value : DOUBT)

const PLAIN = [SchemaAST.isString, SchemaAST.isNumber, SchemaAST.isBoolean, SchemaAST.isNull, SchemaAST.isLiteral]

/** Whether decoding leaves every value as it is. */
const isPure = (ast: SchemaAST.AST): boolean =>
  !isTransformed(ast) && (SchemaAST.isUnion(ast) ? ast.types.every(isPure) : PLAIN.some((is) => is(ast)))

const readOf = (ast: SchemaAST.AST): Read => {
  const certain = certainly(ast)
  if (certain !== undefined) return (value) => certain(value) ?? DOUBT
  if (SchemaAST.isUnknown(ast)) return anything
  if (isPure(ast)) {
    const shape = fits({ ast } as Schema.Codec<unknown>)
    return (value) => (shape(value) ? value : DOUBT)
  }
  if (isTransformed(ast) || (ast.checks ?? []).length > 0) return doubt
  if (SchemaAST.isUnion(ast)) return unionOf(ast)
  if (SchemaAST.isArrays(ast)) return listOf(ast)
  return SchemaAST.isObjects(ast) ? objectOf(ast) : doubt
}

/** The kinds of JSON that a schema may accept; undefined if any. */
const kindsOf = (ast: SchemaAST.AST): ReadonlyArray<string> | undefined => {
  if (SchemaAST.isUnknown(ast)) return undefined
  if (isTransformed(ast)) return kindsOf(SchemaAST.toEncoded(ast))
  if (SchemaAST.isUnion(ast)) {
    const all = ast.types.map(kindsOf)
    return all.every((one) => one !== undefined) ? all.flat() : undefined
  }
  if (SchemaAST.isString(ast)) return ["string"]
  if (SchemaAST.isNumber(ast)) return ["number"]
  if (SchemaAST.isBoolean(ast)) return ["boolean"]
  if (SchemaAST.isNull(ast)) return ["null"]
  if (SchemaAST.isLiteral(ast)) return [typeof ast.literal]
  if (SchemaAST.isArrays(ast)) return ["array"]
  return SchemaAST.isObjects(ast) && ast.propertySignatures.length + ast.indexSignatures.length > 0
    ? ["object"]
    : undefined
}

const kindOf = (value: unknown): string => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value)

/** Of several that accept a kind of value, the schema takes the first that accepts the value: it has to choose. */
const unionOf = ({ options, types }: SchemaAST.Union): Read => {
  if (options?.mode === "oneOf") return doubt
  const members = types.map((type) => ({ kinds: kindsOf(type), read: readOf(type) }))
  const readers = new Map<string, Read>()
  for (const kind of ["null", "string", "number", "boolean", "array", "object"]) {
    const [first, ...others] = members.filter(({ kinds }) => kinds === undefined || kinds.includes(kind))
    const isFirst = first?.read === anything || others.length === 0
    readers.set(kind, first !== undefined && isFirst ? first.read : doubt)
  }
  return (value) => (readers.get(kindOf(value)) ?? doubt)(value)
}

const listOf = ({ elements, rest }: SchemaAST.Arrays): Read => {
  const [each] = rest
  if (each === undefined || rest.length > 1 || elements.length > 0) return doubt
  const read = readOf(each)
  return (value) => {
    if (!Array.isArray(value)) return DOUBT
    const all: Array<unknown> = []
    for (const one of value) {
      const found = read(one)
      if (found === DOUBT) return DOUBT
      all.push(found)
    }
    return all
  }
}

/** The members that the schema names, in its order, then the others as they are. */
const objectOf = ({ indexSignatures, propertySignatures }: SchemaAST.Objects): Read => {
  const [others, ...more] = indexSignatures
  if (more.length > 0 || (others !== undefined && !SchemaAST.isUnknown(others.type))) return doubt
  const members = propertySignatures.map(({ name, type }) => ({
    name: String(name),
    read: readOf(type),
    optional: type.context?.isOptional === true
  }))
  const named = new Set(members.map(({ name }) => name))
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return DOUBT
    const object = value as Readonly<Record<string, unknown>>
    const decoded: Record<string, unknown> = {}
    for (const { name, optional, read } of members) {
      const given = object[name]
      if (given === undefined) {
        if (optional) continue
        return DOUBT
      }
      const found = read(given)
      if (found === DOUBT) return DOUBT
      decoded[name] = found
    }
    for (const name of Object.keys(object)) {
      if (named.has(name)) continue
      // What the schema would leave out, and a name that no assignment makes a member.
      if (others === undefined || name === "__proto__" || !isJson(object[name])) return DOUBT
      decoded[name] = object[name]
    }
    return decoded
  }
}
