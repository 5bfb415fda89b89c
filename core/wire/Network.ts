/** Classifies a request that got no answer, by the error codes of Node and its HTTP client. */

/** Codes for a connection that was never established: unknown host, nothing listening, untrusted certificate. */
const NEVER_CONNECTED =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|.*CERT.*|UNABLE_TO_VERIFY.*|ERR_TLS.*|ERR_SSL_WRONG_VERSION_NUMBER)$/

/** Codes for a request that was not even written, for example because of a line break in a header. */
const NEVER_WRITTEN = /^(UND_ERR_INVALID_ARG|ERR_INVALID_CHAR|ERR_INVALID_ARG_.*)$/

export const neverConnected = (codes: ReadonlyArray<string>): boolean =>
  codes.some((code) => NEVER_CONNECTED.test(code))

export const neverWritten = (codes: ReadonlyArray<string>): boolean => codes.some((code) => NEVER_WRITTEN.test(code))

const WORDS: ReadonlyArray<readonly [RegExp, string]> = [
  [/^ECONNREFUSED$/, "nothing answers there"],
  [/^(ENOTFOUND|EAI_AGAIN)$/, "there is no host of that name"],
  [/^(EHOSTUNREACH|ENETUNREACH)$/, "host unreachable from this machine"],
  [/^UND_ERR_CONNECT_TIMEOUT$/, "it does not answer"],
  [/CERT|^UNABLE_TO_VERIFY|^ERR_TLS/, "its certificate is not accepted"]
]

/** `nothing answers there (ECONNREFUSED)`; undefined for codes that mean nothing to users. */
export const words = (codes: ReadonlyArray<string>): string | undefined => {
  for (const [pattern, said] of WORDS) {
    const code = codes.find((one) => pattern.test(one))
    if (code !== undefined) return `${said} (${code})`
  }
  return undefined
}

/** How many nested causes are examined. */
const DEEPEST = 10

/** The codes and messages of an error and its causes, outermost first. */
export const causes = (error: unknown): { readonly codes: ReadonlyArray<string>; readonly why: string } => {
  const seen: Array<string> = []
  const codes: Array<string> = []
  let at: unknown = error
  for (let depth = 0; at instanceof Error && depth < DEEPEST; depth++) {
    const code = (at as { code?: unknown }).code
    if (typeof code === "string") codes.push(code)
    const text = [code, at.message].filter((part) => typeof part === "string" && part !== "").join(" ")
    if (text !== "" && !seen.includes(text)) seen.push(text)
    at = (at as { reason?: unknown }).reason ?? at.cause
  }
  return { codes, why: seen.join(": ") }
}
