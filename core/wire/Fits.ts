/**
 * Whether a JSON value has the shape of a schema, without decoding it: a few microseconds for an answer, where decoding takes
 * ten times as long and most in the first hundred calls. Says the same as decoding: what is not a plain shape, such as an
 * amount, is still decoded.
 */
import { Option, Schema, SchemaAST } from "effect"

type Fits = (value: unknown) => boolean

const OPTIONS: SchemaAST.ParseOptions = {}

/** Built on first use: a run uses few of the service's operations, and an answer few of a schema's alternatives. */
const late = (build: () => Fits): Fits => {
  let built: Fits | undefined
  return (value) => (built ??= build())(value)
}

export const fits = (schema: Schema.Codec<unknown>): Fits => late(() => shapeOf(schema.ast))

const FITTING = "daybook/core/wire/Fits"

type Certain = (value: unknown) => unknown

/**
 * Annotates a schema that transforms texts and numbers, and accepts nothing else: what this returns is what the schema would
 * decode; undefined where the schema has to.
 */
export const fitting = (certain: Certain) => ({ [FITTING]: certain })

export const certainly = (ast: SchemaAST.AST): Certain | undefined => ast.annotations?.[FITTING] as Certain | undefined

const decodes = (ast: SchemaAST.AST): Fits => {
  const certain = certainly(ast)
  const decodes = late(() => {
    const decode = Schema.decodeUnknownOption(Schema.make<Schema.Codec<unknown>>(ast))
    return (value) => Option.isSome(decode(value))
  })
  return certain === undefined ? decodes : (value) => certain(value) !== undefined || decodes(value)
}

const shapeOf = (ast: SchemaAST.AST): Fits => {
  const { checks = [], encoding } = ast
  const transformed = encoding !== undefined || ("encodingChecks" in ast && ast.encodingChecks !== undefined)
  const plain = transformed ? undefined : withoutChecks(ast)
  const filters = checks.flatMap((check) => (check._tag === "Filter" ? [check] : []))
  if (plain === undefined || filters.length < checks.length) return decodes(ast)
  return filters.length === 0
    ? plain
    : (value) => plain(value) && filters.every((filter) => filter.run(value, ast, OPTIONS) === undefined)
}

/** Undefined if it is not one of the shapes that answers consist of. */
const withoutChecks = (ast: SchemaAST.AST): Fits | undefined => {
  if (SchemaAST.isString(ast)) return (value) => typeof value === "string"
  if (SchemaAST.isNumber(ast)) return (value) => typeof value === "number"
  if (SchemaAST.isBoolean(ast)) return (value) => typeof value === "boolean"
  if (SchemaAST.isNull(ast)) return (value) => value === null
  if (SchemaAST.isUnknown(ast)) return () => true
  if (SchemaAST.isLiteral(ast)) return (value) => value === ast.literal
  if (SchemaAST.isUnion(ast)) return unionOf(ast)
  if (SchemaAST.isArrays(ast)) return listOf(ast)
  return SchemaAST.isObjects(ast) ? objectOf(ast) : undefined
}

const unionOf = (ast: SchemaAST.Union): Fits | undefined => {
  if (ast.options?.mode === "oneOf") return undefined
  const types = ast.types.map((type) => late(() => shapeOf(type)))
  return (value) => types.some((type) => type(value))
}

const listOf = ({ elements, rest }: SchemaAST.Arrays): Fits | undefined => {
  const [each] = rest
  if (each === undefined || rest.length > 1 || elements.length > 0) return undefined
  const fits = shapeOf(each)
  return (value) => Array.isArray(value) && value.every((one) => fits(one))
}

const objectOf = ({ indexSignatures, propertySignatures }: SchemaAST.Objects): Fits | undefined => {
  // Without members of its own it may be anything but null; other members that are not of any kind are not plain.
  if (propertySignatures.length + indexSignatures.length === 0) return undefined
  if (indexSignatures.some(({ type }) => !SchemaAST.isUnknown(type))) return undefined
  const members = propertySignatures.map(({ name, type }) => ({
    name,
    fits: shapeOf(type),
    optional: type.context?.isOptional === true
  }))
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false
    const object = value as Readonly<Record<PropertyKey, unknown>>
    return members.every(({ fits, name, optional }) => (Object.hasOwn(object, name) ? fits(object[name]) : optional))
  }
}
