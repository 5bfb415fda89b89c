/**
 * What a shop's page needs of the service (DP 5.4, 6.3): the public key, the offer or the intent, and a content security
 * policy that lets the elements work. The secret key never gets there.
 */
import { Redacted, Schema } from "effect"
import { Intent } from "./Intents.ts"
import { Offer } from "./Offers.ts"

const encodeOffer = Schema.encodeSync(Offer)
const encodeIntent = Schema.encodeSync(Intent)

interface Given {
  readonly sdk: string
  readonly publicKey: string
  readonly offer?: Offer
  readonly intent?: Intent
}

/**
 * JSON for `<script type="application/json">`: `sdk`, `publicKey`, and `paymentOffer` or `intent` as the element takes it.
 * No text in it ends the script. Throws a `RangeError` when the secret key would be in it.
 *
 * @param key the secret key, to be kept out
 */
export const page = ({ intent, offer, publicKey, sdk }: Given, key: string | Redacted.Redacted): string => {
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
 * What a page's content security policy must allow for the elements, by directive. Nothing inline is needed.
 *
 * @param sdk the address of the SDK's script
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
