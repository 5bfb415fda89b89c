/** Defines the kit's check of webhooks: a delivery that the source did not sign is trusted for nothing. */
import { createHash, createHmac } from "node:crypto"
import { Schema } from "effect"
import type { Check } from "./Checks.ts"
import { Wrong } from "./Subject.ts"

const SECRET = "sample-webhook-secret"
const NOW = Date.parse("2026-03-01T12:00:00Z")

/** What anybody can make of a body without the secret. */
const forged = (body: Buffer): ReadonlyArray<string | undefined> => {
  const made = (encoding: "hex" | "base64") => [
    createHash("sha256").update(body).digest(encoding),
    createHmac("sha256", "").update(body).digest(encoding)
  ]
  const signatures = [...made("hex"), ...made("base64")]
  return [undefined, "", "0", ...signatures, ...signatures.map((one) => `sha256=${one}`)]
}

const signed: Check = async ({ connector, settings }) => {
  const { webhook } = connector
  if (webhook === undefined) return "it takes no webhooks"
  const its: unknown = Schema.decodeUnknownSync(connector.settings as Schema.Codec<unknown>)(settings)
  for (const text of ['{"id":"70001","type":"invoice.paid"}', "not JSON", ""]) {
    const body = Buffer.from(text)
    for (const value of forged(body)) {
      const headers = new Proxy({}, { get: () => value, has: () => value !== undefined })
      let isTrusted = false
      try {
        isTrusted = webhook.verify({ headers, body }, SECRET, NOW)
      } catch (cause) {
        throw new Wrong(`a webhook with the header "${value}" makes it throw: ${String(cause)}; say false`)
      }
      if (isTrusted)
        throw new Wrong(`it trusts a webhook that nobody signed with the secret (its header: ${value ?? "none"})`)
    }
    try {
      webhook.events({ headers: {}, body }, its)
    } catch (cause) {
      throw new Wrong(`a webhook with the body "${text}" makes it throw: ${String(cause)}; give undefined`)
    }
  }
  return undefined
}

export const SIGNED: Readonly<Record<string, Check>> = { "trusts no webhook that nobody signed": signed }
