/**
 * Redacts a connection's secrets (the values of the environment variables that its settings name) from everything that the
 * connector says, because a failing program may repeat its input.
 */

/** Shorter secrets are not redacted: that would remove ordinary words from messages. */
const SHORTEST = 4

/** The variables that settings name, as `{ "env": "NAME" }`, at any depth. */
export const variables = (settings: unknown, depth = 8): ReadonlyArray<string> => {
  if (typeof settings !== "object" || settings === null || depth === 0) return []
  const { env } = settings as { readonly env?: unknown }
  const own = typeof env === "string" ? [env] : []
  return [...own, ...Object.values(settings).flatMap((one) => variables(one, depth - 1))]
}

/**
 * Whether a text can be a variable's name. A secret that was pasted in its place is not: it has other characters, or is
 * long and mixes lower-case letters with digits.
 */
export const isVariable = (name: string): boolean =>
  /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !(name.length >= 16 && /[a-z]/.test(name) && /\d/.test(name))

/** The message for a variable that is not set. Does not show a secret that was pasted in place of a name. */
export const notSet = (name: string): string =>
  isVariable(name)
    ? `the environment variable ${name} is not set`
    : "`env` does not name an environment variable, and may hold the secret itself, which is not shown here: put the secret into a variable and write the variable's name"

/** A secret as it is written, and as it appears in URLs, headers and JSON. */
export const forms = (secret: string): ReadonlyArray<string> => [
  secret,
  encodeURIComponent(secret.toWellFormed()),
  Buffer.from(secret).toString("base64"),
  JSON.stringify(secret).slice(1, -1)
]

/** Returns a function that redacts these secrets from a text. */
export const without = (secrets: Iterable<string | undefined>): ((text: string) => string) => {
  const all = new Set<string>()
  for (const secret of secrets)
    if (secret !== undefined && secret.length >= SHORTEST) for (const form of forms(secret)) all.add(form)
  // The longest first, so that a secret that contains another one is removed completely.
  const hidden = [...all].toSorted((a, b) => b.length - a.length)
  return (text) => hidden.reduce((rest, one) => rest.replaceAll(one, "…"), text)
}

/** Returns a function that redacts a connection's secrets from a text. */
export const hiding = (
  settings: unknown,
  environment: Readonly<Record<string, string | undefined>> = {}
): ((text: string) => string) => without(variables(settings).map((name) => environment[name]))
