/**
 * Sends the buyer's submission so that it pays once: if the answer is lost, it is sent again under the same name.
 */
import type { Outcome, Reference, Submission } from "./Protocol.ts"
import { type Session, Trouble } from "./Session.ts"

/** @param name unique per choice of the buyer, so that another choice is another submission */
export const submit = async (
  session: Session,
  reference: Reference,
  { payment_method, plan }: Submission,
  name: string,
  signal: AbortSignal
): Promise<Outcome> => {
  const body = { ...reference, plan, payment_method, submission: name }
  const send = () => session.post<Outcome>("submit", body, signal)
  return send().catch((cause) => {
    if (cause instanceof Trouble && cause.code === "unreachable") return send()
    throw cause
  })
}

/** Whether the service rejected what was submitted. */
export const isRefused = ({ deferred_payment }: Outcome): boolean => deferred_payment.status === "rejected"
