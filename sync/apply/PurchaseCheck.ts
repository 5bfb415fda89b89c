/**
 * Decides whether a purchase may be claimed. Runs in the same transaction as the claim, so that no two purchases together
 * exceed the configured limits, whoever planned them and when.
 */
import * as Decimal from "../../core/money/Decimal.ts"
import type { CallOf } from "../model/Call.ts"
import type { CoverSettings } from "../model/CoverSettings.ts"
import * as CoverFacts from "../plan/CoverFacts.ts"
import * as OfferStore from "../plan/OfferStore.ts"
import * as PurchaseBlocks from "../plan/PurchaseBlocks.ts"
import * as Facts from "../plan/Facts.ts"
import * as ServiceTime from "../plan/ServiceTime.ts"
import { isOffered, offerDigest } from "../rules/CoverParts.ts"
import { leaveFor } from "../rules/CoverPurchase.ts"
import { notSelected } from "../rules/CoverSelection.ts"
import type { Db } from "../state/Database.ts"

export const mayClaim = (
  db: Db,
  connection: string,
  settings: CoverSettings | undefined,
  { approved, body, price, subject }: CallOf<"policies.create">,
  now: number
): boolean => {
  const remote = Facts.remoteInvoice(db, subject)
  const quote = remote?.cover?.quote
  if (settings === undefined || remote === undefined || remote.insured) return false
  if (
    quote === undefined ||
    !isOffered(quote, ServiceTime.of(db, now)) ||
    quote.id !== body["quote"] ||
    quote.price === undefined
  )
    return false
  if (offerDigest(quote, false) !== offerDigest({ ...quote, price }, false)) return false
  if (price.currency !== settings.price.currency || PurchaseBlocks.blocked(db, connection, settings, now) !== undefined)
    return false
  const { invoice } = Facts.invoiceFacts(db, subject)
  if (invoice === undefined || notSelected(invoice, remote, settings) !== undefined) return false
  const leave = leaveFor(quote, invoice, remote, settings, OfferStore.offerDecisions(db, subject, remote))
  if (leave.by === "nobody") return false
  const decision = leave.by === "person" ? leave.decision : undefined
  if (decision?.id !== approved) return false
  if (decision?.beyondMonth === true) return true
  const spent = CoverFacts.spent(db, connection, price.currency, now)
  return spent + Decimal.of(price.total) <= Decimal.of(settings.price.per_month)
}
