/**
 * Prepares the data for a shop's page (DP 5, 6.3): the public key, the offer or intent, and the content security policy that
 * the elements need. The secret key must never reach the page.
 */
import { Redacted, Schema } from "effect"
import { Intent } from "./Intents.ts"
import { Offer } from "./Offers.ts"

const encodeOffer = Schema.encodeSync(Offer)
const encodeIntent = Schema.encodeSync(Intent)

interface PageData {
  /** The URL of the SDK's script. */
  readonly sdk: string
  readonly publicKey: string
  readonly offer?: Offer
  readonly intent?: Intent
}

/**
 * Returns JSON for `<script type="application/json">`: `sdk`, `publicKey`, and `paymentOffer` or `intent` in the form that the
 * element takes. It is escaped, so that no text in it can end the script. Throws a `RangeError` if it would contain the secret
 * key.
 *
 * @param key the secret key, for this check
 */
export const page = ({ intent, offer, publicKey, sdk }: PageData, key: string | Redacted.Redacted): string => {
  if (publicKey === "")
    throw new RangeError("the page needs the public key, which is next to the secret key in the dashboard")
  const text = JSON.stringify({
    sdk,
    publicKey,
    ...(offer === undefined ? {} : { paymentOffer: encodeOffer(offer) }),
    ...(intent === undefined ? {} : { intent: encodeIntent(intent) })
  })
  const secret = typeof key === "string" ? key : Redacted.value(key)
  if (secret !== "" && text.includes(secret)) {
    throw new RangeError(
      "the page would show the secret key to everybody: give the public key to it, and replace the secret one if this page was ever served"
    )
  }
  return text.replace(/[<>&\u2028\u2029]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`)
}

/**
 * Returns what a page's content security policy must allow for the elements, by directive. Nothing inline is needed.
 *
 * @param sdk the URL of the SDK's script
 * @param frame the origin of the payment frame
 */
export const policy = (
  sdk: string,
  frame: string
): Readonly<Record<"script-src" | "connect-src" | "frame-src", string>> => {
  const { origin } = new URL(sdk)
  const both = `${origin} ${new URL(frame).origin}`
  return { "script-src": origin, "connect-src": both, "frame-src": both }
}
