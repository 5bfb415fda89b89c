/**
 * Minor units between the wire and arithmetic: JSON numbers there, decimals here.
 */
import { Option, Schema } from "effect"
import { Minor } from "../../money/Codecs.ts"
import * as Decimal from "../../money/Decimal.ts"

const encode = Schema.encodeUnknownSync(Minor)
const encodeOption = Schema.encodeUnknownOption(Minor)

/** Of a number that a schema has read before: its shortest form is what was sent, and has no exponent. */
export const read = (wire: unknown): Decimal.Decimal => Decimal.of(String(wire))

export const write = (value: Decimal.Decimal): number => encode(value)

/** Whether a JSON number says exactly this. */
export const isExact = (value: Decimal.Decimal): boolean => Option.isSome(encodeOption(value))
