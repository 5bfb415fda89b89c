/**
 * Derives public keys (DP 5.4): besides its secret key, each platform has a key that may be seen in a browser. It allows the
 * requests of the elements, and none of the service's endpoints.
 *
 * Assumption: neither its form nor its origin is shown. Here it begins with `pk-`, so that a secret key in its place is
 * noticed before it is sent anywhere, and is derived from the secret key, so that it is the same in every run.
 */
import { hash } from "node:crypto"

export const publicKeyOf = (key: string): string => `pk-${hash("sha256", `public key of ${key}`).slice(0, 24)}`

/** The platform of the page `/docs/checkout`; no request can be signed with its secret key. */
export const DOCS_PLATFORM = "docs/checkout"

export class PublicKeys {
  readonly #secret: ReadonlySet<string>
  readonly #platforms: ReadonlyMap<string, string>

  constructor(keys: ReadonlyArray<string>) {
    this.#secret = new Set(keys)
    this.#platforms = new Map([...keys, DOCS_PLATFORM].map((key) => [publicKeyOf(key), key]))
  }

  /** The platform that a public key belongs to; for anything else, the error to answer with. */
  platform(
    given: string
  ): { readonly key: string } | { readonly status: number; readonly code: string; readonly detail: string } {
    const key = this.#platforms.get(given)
    if (key !== undefined) return { key }
    return this.#secret.has(given)
      ? {
          status: 403,
          code: "secret_key",
          detail: "This is a secret key, and a browser has sent it: replace the key, and give the page the public key."
        }
      : { status: 401, code: "public_key", detail: "This public key is not known." }
  }
}
