/**
 * Converts minor units between JSON numbers on the wire and decimals.
 */
import { Option, Schema } from "effect"
import { Minor } from "../../money/Codecs.ts"
import * as Decimal from "../../money/Decimal.ts"

const encode = Schema.encodeUnknownSync(Minor)
const encodeOption = Schema.encodeUnknownOption(Minor)

/** Reads a number that a schema has validated: its shortest form is what was sent, without an exponent. */
export const read = (wire: unknown): Decimal.Decimal => Decimal.of(String(wire))

export const write = (value: Decimal.Decimal): number => encode(value)

/** Whether a JSON number can state exactly this value. */
export const isExact = (value: Decimal.Decimal): boolean => Option.isSome(encodeOption(value))
