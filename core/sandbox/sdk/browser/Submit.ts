/**
 * The buyer's submission, sent so that it pays once: an answer that is lost is asked for again under the same name.
 */
import type { Outcome, Reference, Submission } from "./Protocol.ts"
import { type Session, Trouble } from "./Session.ts"

/** @param name one per choice of the buyer, so that another choice is another submission */
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

/** Statuses with which the service refuses what was submitted. */
export const isRefused = ({ deferred_payment }: Outcome): boolean => deferred_payment.status === "rejected"
