/**
 * Idempotency keys (DP 8): a request that comes again under its key gets the answer that it got, and nothing happens a
 * second time. A key that comes with another operation or another amount is a mistake, and refused.
 *
 * Assumptions: a key belongs to one path and body, so another payment or other metadata is another operation; what was
 * refused has done nothing and may be tried again under its key; keys are kept as long as the rest.
 */
import { type Answer, type Context, Refusal } from "../store/Handler.ts"

/** Assumption: no maximum is shown. */
const LONGEST = 255

const misused = (why: string): Refusal => new Refusal(400, { error: why })

/** JSON that is the same whatever order its members came in. */
const canonical = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(canonical)
    : value !== null && typeof value === "object"
      ? Object.fromEntries(
          Object.entries(value)
            .toSorted(([a], [b]) => (a < b ? -1 : 1))
            .map(([name, one]) => [name, canonical(one)])
        )
      : value

/** The answer of `act`, or the one that it gave under this key before. `path` names the operation and its object. */
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
  // What is refused is thrown, and comes by here no more.
  const answer = act()
  context.store.put(context.key, "idempotency", { id, operation: path, body, answer })
  return answer
}
