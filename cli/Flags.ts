/** Declares the options of commands in their usual forms. */
import { Flag } from "effect/cli"

/** A text that must be given, or has a default. */
export const needed = (name: string, metavar: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.withMetavar(metavar))

/** A text that may be left out. */
export const text = (name: string, metavar: string, description: string) =>
  Flag.optional(needed(name, metavar, description))

/** A text that earlier versions took; who gives it is told what to do instead. */
export const former = (name: string) => Flag.optional(Flag.withHidden(Flag.String(name)))

/** A text that can be given several times. */
export const several = (name: string, metavar: string, description: string) =>
  Flag.atLeast(needed(name, metavar, description), 0)

/** True if it is given. */
export const yes = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false), Flag.withoutNegation)

export const oneOf = <const Values extends ReadonlyArray<string>>(name: string, values: Values, description: string) =>
  Flag.Literals(name, values).pipe(Flag.withDescription(description), Flag.optional)
