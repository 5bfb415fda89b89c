/**
 * Removes the secrets that this process was given from texts: every message about an error goes through here. An error may
 * repeat what a program was given, and an unforeseen one is shown with everything it contains. Each configuration has its own
 * secrets, which are forgotten when it is closed, or replaced twice: what is running may still have those before.
 */
import { forms, isVariable, variables } from "../../connectors/Secrets.ts"
import { Redactor } from "./Redactor.ts"

/** The variables with encryption keys, which count in addition to those that the configuration names. */
const ALWAYS = ["DAYBOOK_SEAL", "DAYBOOK_SEAL_OLD"]

/** Shorter values may be ordinary words in a message. */
const SHORTEST = 6

type Secrets = ReadonlySet<string>

interface Known {
  readonly now: Secrets
  readonly before: Secrets
}

const NONE: Secrets = new Set()

/** By configuration. */
const known = new Map<string, Known>()
const redactor = new Redactor()

const secretsOf = (config: unknown, environment: Readonly<Record<string, string | undefined>>): Secrets => {
  const found = new Set<string>()
  for (const name of [...ALWAYS, ...variables(config)]) {
    const value = environment[name]
    // A secret written where its variable's name belongs.
    if (!isVariable(name) && name.length >= SHORTEST) found.add(name)
    if (value !== undefined && value.length >= SHORTEST) found.add(value)
  }
  return found
}

const each = (secrets: Secrets, what: (form: string) => void): void => {
  for (const secret of secrets) for (const form of new Set(forms(secret))) what(form)
}

const add = (secrets: Secrets) => each(secrets, (form) => redactor.add(form))
const drop = (secrets: Secrets) => each(secrets, (form) => redactor.drop(form))

/**
 * Remembers the values of the variables that a configuration names, even if the rest of it is invalid.
 *
 * @param whose the configuration: its file
 */
export const learn = (
  whose: string,
  config: unknown,
  environment: Readonly<Record<string, string | undefined>>
): void => {
  const now = secretsOf(config, environment)
  const last = known.get(whose)
  if (last !== undefined && now.size === last.now.size && [...now].every((one) => last.now.has(one))) return
  add(now)
  drop(last?.before ?? NONE)
  known.set(whose, { now, before: last?.now ?? NONE })
}

/** Forgets the secrets of a configuration that is used no more. */
export const forget = (whose: string): void => {
  const last = known.get(whose)
  if (last === undefined) return
  known.delete(whose)
  drop(last.now)
  drop(last.before)
}

/** The text, with `…` in place of every secret. */
export const hide = (text: string): string => redactor.redact(text)
