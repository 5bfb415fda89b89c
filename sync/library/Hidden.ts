/**
 * The secrets that this process was given, and text without them: whatever is said of something that went wrong goes
 * through here. An error may repeat what a program was given, and one that nobody thought of is shown with all it has.
 */
import { isVariable, variables, without } from "../../connectors/Secrets.ts"

/** What secrets are sealed with, beside the variables that the configuration names. */
const ALWAYS = ["DAYBOOK_SEAL", "DAYBOOK_SEAL_OLD"]

/** Shorter ones are words that a message may need. */
const SHORTEST = 6

const known = new Set<string>()
/** Made when it is next asked for: many configurations may be read before that. */
let hidden: ((text: string) => string) | undefined

/** Remembers the values of the variables that a configuration names, whether the rest of it can be used or not. */
export const learn = (config: unknown, environment: Readonly<Record<string, string | undefined>>): void => {
  const before = known.size
  for (const name of [...ALWAYS, ...variables(config)]) {
    const value = environment[name]
    // A secret that was written where the name of its variable belongs.
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
