/**
 * Computes the state of an invoice's cover, and the fields of it that are stored beside the ledger for budget, exposure and
 * reports. A pure function of the invoice and of what the service holds.
 */
import * as Day from "../../core/wire/Day.ts"
import { hasLapsed, isBeforeHandover, isFinal, type CoverPolicy } from "./Cover.ts"
import { WINDOW_DAYS, type CoverSettings } from "./CoverSettings.ts"
import { openOn, type RemoteInvoice } from "./RemoteInvoice.ts"

/** `closed`: paid, or the policy has ended or is no longer our concern; `unselected`: cover was not requested. */
export const COVER_STATES = [
  "insured",
  "offered",
  "waiting",
  "declined",
  "collection",
  "lapsed",
  "unselected",
  "closed"
] as const
export type CoverState = (typeof COVER_STATES)[number]

const ofPolicy = (policy: CoverPolicy): CoverState => {
  if (hasLapsed(policy)) return "lapsed"
  if (isFinal(policy)) return "closed"
  return isBeforeHandover(policy) ? "insured" : "collection"
}

/** @param selected the configuration wants it insured */
export const stateOf = (remote: RemoteInvoice, selected: boolean): CoverState => {
  const { cover } = remote
  if (cover?.policy !== undefined) return ofPolicy(cover.policy)
  if (remote.insured) return "insured"
  if (remote.status !== "pending" || openOn(remote) <= 0n) return "closed"
  if (cover?.quote?.status === "offered") return "offered"
  if (cover?.quote?.status === "declined") return "declined"
  return selected ? "waiting" : "unselected"
}

/**
 * The last day on which a late invoice can be handed over: the service's own, or the last of the configured number of days,
 * counted from the first day on which it may have begun: never later than the service's.
 */
export const windowEnds = (policy: CoverPolicy | undefined, { handover }: CoverSettings): Day.Day | undefined => {
  if (policy?.windowEnds !== undefined) return policy.windowEnds
  const { handoverSeen, handoverSince } = policy ?? {}
  if (handoverSince === undefined) return undefined
  const ends = Day.addDays(handoverSince, (handover?.window_days ?? WINDOW_DAYS) - 1)
  // On the day on which it was seen, the window was still open.
  return handoverSeen !== undefined && handoverSeen > ends ? handoverSeen : ends
}
