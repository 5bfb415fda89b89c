/**
 * Sends the elements' requests to the service, with the public key and in the buyer's language, and explains failures to the
 * developer.
 */
import type { Words } from "./Dom.ts"
import type { Locale } from "./Format.ts"

/** The payload of an element's `failure`; `message` is for the developer. */
export interface Failure {
  readonly code: string
  readonly message: string
}

export class Trouble extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

export const failureOf = (cause: unknown): Failure =>
  cause instanceof Trouble
    ? { code: cause.code, message: cause.message }
    : { code: "defect", message: cause instanceof Error ? cause.message : String(cause) }

/** Warns the developer where nothing can be thrown. */
export const warn = (message: string): void => console.warn(`[deferred payment] ${message}`)

export type Body = Readonly<Record<string, unknown>>

export class Session {
  readonly publicKey: string
  /** The base address of requests: `https://sdk.example.com/sdk/v1`. */
  readonly base: string
  readonly locale: Locale

  constructor(publicKey: string, base: string, locale: Locale) {
    this.publicKey = publicKey
    this.base = base
    this.locale = locale
  }

  /** The same session with another base address or language. */
  at(base: string, locale = this.locale): Session {
    return new Session(this.publicKey, base, locale)
  }

  words(signal: AbortSignal): Promise<Words> {
    return ask(`${this.base}/locales/${this.locale.language}.json`, { signal })
  }

  get<A>(path: string, query: Readonly<Record<string, string>>, signal: AbortSignal): Promise<A> {
    return ask(`${this.base}/${path}?${new URLSearchParams({ ...query, public_key: this.publicKey })}`, { signal })
  }

  post<A>(path: string, body: Body, signal: AbortSignal): Promise<A> {
    return ask(`${this.base}/${path}`, {
      signal,
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...body, public_key: this.publicKey })
    })
  }
}

const ask = async <A>(url: string, init: RequestInit): Promise<A> => {
  const { origin } = new URL(url)
  const answer = await fetch(url, { ...init, credentials: "omit" }).catch((cause) => {
    if (init.signal?.aborted === true) throw cause
    throw new Trouble(
      "unreachable",
      `${origin} cannot be reached. If this page has a Content-Security-Policy, its connect-src must name ${origin}.`
    )
  })
  const body = await answer.json().catch(() => undefined)
  if (answer.ok && body !== undefined) return body as A
  const { code = `status_${answer.status}`, detail } = (body ?? {}) as {
    readonly code?: string
    readonly detail?: string
  }
  throw new Trouble(code, `${origin} answers ${answer.status}: ${detail ?? JSON.stringify(body)}`)
}
