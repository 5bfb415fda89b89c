/**
 * The secrets of a connection: what stands in the variables of the environment that its settings name. They are taken out
 * of whatever a connector says, because a program that fails may repeat what it was given.
 */

/** Shorter ones would take ordinary words out of a message. */
const SHORTEST = 4

/** The variables that settings name, as `{ "env": "NAME" }`, wherever they stand. */
export const variables = (settings: unknown, depth = 8): ReadonlyArray<string> => {
  if (typeof settings !== "object" || settings === null || depth === 0) return []
  const { env } = settings as { readonly env?: unknown }
  const own = typeof env === "string" ? [env] : []
  return [...own, ...Object.values(settings).flatMap((one) => variables(one, depth - 1))]
}

/**
 * Whether it can be the name of a variable. A secret that was written in its place is not: it has other characters, or is
 * long and mixes small letters with digits.
 */
export const isVariable = (name: string): boolean =>
  /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !(name.length >= 16 && /[a-z]/.test(name) && /\d/.test(name))

/** What is said of a variable that is not set. A secret that stands in the place of its name is not shown. */
export const notSet = (name: string): string =>
  isVariable(name)
    ? `the environment variable ${name} is not set`
    : "`env` does not name an environment variable, and may hold the secret itself, which is not shown here: put the secret into a variable and write the variable's name"

/** As it is written, and as it is sent: in an address, in a header, in JSON. */
const forms = (secret: string): ReadonlyArray<string> => [
  secret,
  encodeURIComponent(secret.toWellFormed()),
  Buffer.from(secret).toString("base64"),
  JSON.stringify(secret).slice(1, -1)
]

/** Takes these secrets out of a text. */
export const without = (secrets: Iterable<string | undefined>): ((text: string) => string) => {
  const all = new Set<string>()
  for (const secret of secrets)
    if (secret !== undefined && secret.length >= SHORTEST) for (const form of forms(secret)) all.add(form)
  // The longest first, so that nothing is left of one that holds another.
  const hidden = [...all].toSorted((a, b) => b.length - a.length)
  return (text) => hidden.reduce((rest, one) => rest.replaceAll(one, "…"), text)
}

/** Takes a connection's secrets out of a text. */
export const hiding = (
  settings: unknown,
  environment: Readonly<Record<string, string | undefined>> = {}
): ((text: string) => string) => without(variables(settings).map((name) => environment[name]))
