/**
 * Verifies webhook signatures: an HMAC-SHA-256 over the bytes of the body shows that the sender knows the secret.
 */
import { createHash, createHmac, timingSafeEqual } from "node:crypto"
import type { Delivery } from "./Connector.ts"
import * as Json from "./Json.ts"

/** The HMAC of the concatenated parts. */
export const hmac = (
  secret: string | Uint8Array,
  form: "hex" | "base64",
  ...parts: ReadonlyArray<string | Uint8Array>
): string => {
  const made = createHmac("sha256", secret)
  for (const part of parts) made.update(part)
  return made.digest(form)
}

/** Compares in constant time, so that timing does not reveal how much of a guess is right. */
export const isSame = (given: string | undefined, wanted: string): boolean => {
  if (given === undefined) return false
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** An id for a delivery whose source does not name the event. */
export const digest = ({ body }: Delivery): string => createHash("sha256").update(body).digest("base64url")

/** The members of a JSON object body; undefined if the body is not one. */
export const fields = ({ body }: Delivery): Json.Fields | undefined => {
  try {
    const value = Json.parse(Buffer.from(body).toString("utf8"))
    return Json.isObject(value) ? new Json.Fields(value) : undefined
  } catch {
    return undefined
  }
}
