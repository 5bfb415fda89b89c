/**
 * Removes the secrets that this process was given from texts: every message about an error goes through here. An error may
 * repeat what a program was given, and an unforeseen one is shown with everything it contains.
 */
import { isVariable, variables, without } from "../../connectors/Secrets.ts"

/** The variables with encryption keys, which count in addition to those that the configuration names. */
const ALWAYS = ["DAYBOOK_SEAL", "DAYBOOK_SEAL_OLD"]

/** Shorter values may be ordinary words in a message. */
const SHORTEST = 6

/** A configuration names a few; one that names more must not make every message slow. */
const MOST = 1000

const known = new Set<string>()
/** Built on next use: many configurations may be read before that. */
let hidden: ((text: string) => string) | undefined

/** Remembers the values of the variables that a configuration names, even if the rest of it is invalid. */
export const learn = (config: unknown, environment: Readonly<Record<string, string | undefined>>): void => {
  const before = known.size
  for (const name of [...ALWAYS, ...variables(config)].slice(0, MOST)) {
    const value = environment[name]
    // A secret written where its variable's name belongs.
    if (!isVariable(name) && name.length >= SHORTEST) known.add(name)
    if (value !== undefined && value.length >= SHORTEST) known.add(value)
  }
  if (known.size > before) hidden = undefined
}

/** The text, with `…` in place of every secret. */
export const hide = (text: string): string => {
  hidden ??= without(known)
  return hidden(text)
}
