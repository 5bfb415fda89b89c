/**
 * Implements idempotency keys (DP 8): a request repeated under its key gets the earlier answer, and nothing happens a second
 * time. A key reused for another operation or another amount is rejected.
 *
 * Assumptions: a key belongs to one path and body, so another payment or other metadata is another operation; a rejected
 * request has done nothing and may be retried under its key; keys are kept as long as everything else.
 */
import { hash } from "node:crypto"
import { type Answer, type Context, Refusal } from "../store/Handler.ts"

/** Assumption: no maximum length is shown. */
const LONGEST = 255

const misused = (why: string): Refusal => new Refusal(400, { error: why })

/** JSON that does not depend on the order of members. */
const canonical = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(canonical)
    : value instanceof Uint8Array
      ? hash("sha256", value, "base64url")
      : value !== null && typeof value === "object"
        ? Object.fromEntries(
            Object.entries(value)
              .toSorted(([a], [b]) => (a < b ? -1 : 1))
              .map(([name, one]) => [name, canonical(one)])
          )
        : value

/** Returns the result of `act`, or its earlier result under this key. `path` names the operation and its object. */
export const once = (context: Context, key: string, path: string, act: () => Answer): Answer => {
  if (key.length > LONGEST) throw misused(`The idempotency key is longer than ${LONGEST} characters.`)
  const id = `idempotency-${key}`
  const body = JSON.stringify(canonical(context.payload))
  const before = context.mine.idempotency.get(id)
  if (before !== undefined) {
    if (before["operation"] !== path) throw misused("The idempotency key was used for another operation.")
    if (before["body"] !== body) throw misused("The idempotency key was used with another amount or body.")
    return before["answer"] as Answer
  }
  // A rejection is thrown, so it is not stored under the key.
  const answer = act()
  context.store.put(context.key, "idempotency", { id, operation: path, body, answer })
  return answer
}
