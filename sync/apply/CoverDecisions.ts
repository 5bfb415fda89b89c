/**
 * Records a person's decision about an offer of cover: to buy it, to reject it, or to request another quote. An offer is
 * identified by the digest of what was shown, so that nobody approves a price that they did not see; the next plan carries
 * it out.
 */
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import * as Day from "../../core/wire/Day.ts"
import * as ChangedDocuments from "../books/ChangedDocuments.ts"
import { askedWith, isFinal, type CoverPrice, type CoverQuote } from "../model/Cover.ts"
import type { CoverSettings } from "../model/CoverSettings.ts"
import type { Connection, PlannedConnection } from "../model/Connection.ts"
import { nameProblem } from "../model/PersonName.ts"
import type { StoredCoverDecision } from "../model/reports/Books.ts"
import { shownDigest } from "../model/ShownDigest.ts"
import type { RemoteInvoice } from "../model/RemoteInvoice.ts"
import * as CoverFacts from "../plan/CoverFacts.ts"
import * as Facts from "../plan/Facts.ts"
import type { AmountsByCurrency } from "../plan/Figures.ts"
import * as OfferStore from "../plan/OfferStore.ts"
import { planOne } from "../plan/Plan.ts"
import * as ServiceTime from "../plan/ServiceTime.ts"
import * as UnknownCalls from "../plan/UnknownCalls.ts"
import { isOffered, offerDigest } from "../rules/CoverParts.ts"
import { exceeds } from "../rules/CoverPurchase.ts"
import { notSelected } from "../rules/CoverSelection.ts"
import type { Db } from "../state/Database.ts"
import * as LedgerStore from "./LedgerStore.ts"
import type { ShownOffer } from "../model/reports/Cover.ts"

export type { ShownOffer }

export interface CoverChoice {
  readonly decision: "buy" | "reject" | "quote"
  /** The digest of the offer that was shown; not set when a quote is requested. */
  readonly digest?: string
  readonly who: string
  /** Up to which sum per currency this person may spend; absent: any. */
  readonly upTo?: AmountsByCurrency
}

/** Why this person may not buy an offer; undefined: they may. */
const beyondPerson = ({ decision, upTo }: CoverChoice, offer: ShownOffer | undefined): string | undefined => {
  if (decision !== "buy" || upTo === undefined || offer === undefined) return undefined
  const { currency, total } = offer.price
  const price = Decimal.of(total)
  const most = upTo.get(currency)
  return most !== undefined && price <= most
    ? undefined
    : `this offer costs ${Currency.say(price, currency)}, which is more than you may approve`
}

/** The current valid offer for an invoice. */
export const offerOf = (
  db: Db,
  { id, planning }: PlannedConnection,
  subject: string,
  now: number
): ShownOffer | undefined => {
  const remote = Facts.remoteInvoice(db, subject)
  const quote = remote?.cover?.quote
  const settings = planning.cover
  if (
    remote === undefined ||
    settings === undefined ||
    quote?.price === undefined ||
    !isOffered(quote, ServiceTime.of(db, now)) ||
    remote.insured
  )
    return undefined
  // What it may have cost is counted already.
  const beyondMonth = !UnknownCalls.isPurchase(db, subject) && isBeyondMonth(db, id, settings, quote.price, now)
  const too = quote.price.currency === settings.price.currency ? exceeds(quote.price, remote, settings) : undefined
  const { refused } = OfferStore.offerDecisions(db, subject, remote)
  const digest = offerDigest(quote, beyondMonth)
  return {
    quote: quote.id,
    digest: refused === undefined ? digest : shownDigest("sha1", `${digest} ${refused.at} ${refused.who}`),
    ...(refused === undefined ? {} : { rejected: { who: refused.who, on: Day.fromEpochMillis(refused.at) } }),
    price: quote.price,
    company: quote.company ?? null,
    ...(quote.validUntil === undefined ? {} : { validUntil: quote.validUntil }),
    ...(too === undefined ? {} : { exceeds: too }),
    beyondMonth
  }
}

const isBeyondMonth = (db: Db, connection: string, { price }: CoverSettings, offer: CoverPrice, now: number): boolean =>
  CoverFacts.spent(db, connection, price.currency, now) + Decimal.of(offer.total) > Decimal.of(price.per_month)

/** Why a decision cannot be made and what to do, in a sentence; undefined if it can. */
export const problem = (
  db: Db,
  connection: Connection,
  subject: string,
  choice: CoverChoice,
  now: number
): string | undefined => {
  const { cover } = connection.planning
  if (cover === undefined) return `the connection ${connection.id} has no cover in its configuration`
  const remote = Facts.remoteInvoice(db, subject)
  if (remote === undefined) return `${subject} is not on the service yet: run daybook sync first`
  const policy = remote.cover?.policy
  if (policy !== undefined && isFinal(policy))
    return `${subject} was insured, and its policy is ${policy.status}: no other cover is bought for it`
  if (remote.insured || policy !== undefined) return `${subject} is insured already`
  if (UnknownCalls.isPurchase(db, subject))
    return `whether cover was bought for ${subject} is not known yet: the next sync finds out`
  const offer = offerOf(db, connection, subject, now)
  if (choice.decision !== "quote")
    return (
      notDecidable(subject, remote.cover?.quote, offer, cover, choice) ??
      notWanted(db, subject, remote, cover, choice) ??
      beyondPerson(choice, offer)
    )
  return offer === undefined
    ? undefined
    : `${subject} has an offer until ${offer.validUntil ?? "it is withdrawn"}: buy it or reject it`
}

/** Stores a decision. Returns why it cannot be made, or undefined if it was stored. */
export const decide = (
  db: Db,
  connection: Connection,
  subject: string,
  choice: CoverChoice,
  now: number
): string | undefined => {
  const why = problem(db, connection, subject, choice, now) ?? nameProblem(choice.who, "say who decides")
  const remote = Facts.remoteInvoice(db, subject)
  if (why !== undefined || remote === undefined) return why
  const offer = offerOf(db, connection, subject, now)
  const { quote } = remote.cover ?? {}
  const digest = offer === undefined || quote === undefined ? "" : offerDigest(quote, offer.beyondMonth)
  const shown =
    offer === undefined
      ? {}
      : {
          ...offer.price,
          company: offer.company,
          beyond_month: offer.beyondMonth ? 1 : 0,
          asked_with: askedWith(remote.fields)
        }
  keep(db, subject, { about: quote?.id ?? "", digest, shown }, choice, now)
  LedgerStore.write(db, planOne(db, connection, subject), remote)
  ChangedDocuments.touch(db, subject)
  return undefined
}

/** What the configuration does not select is not bought: a person changes that first. */
const notWanted = (
  db: Db,
  subject: string,
  remote: RemoteInvoice,
  cover: CoverSettings,
  { decision }: CoverChoice
): string | undefined => {
  const { invoice } = Facts.invoiceFacts(db, subject)
  const missed = invoice === undefined ? "it is not in the books" : notSelected(invoice, remote, cover)
  return decision === "reject" || missed === undefined
    ? undefined
    : `${subject} is not selected by the configuration (${missed}), so nothing is bought for it: change cover.select first`
}

const standingOf = (quote: CoverQuote | undefined): string => {
  if (quote === undefined) return "no quote was asked for yet"
  if (quote.status === "declined")
    return `it was declined${quote.rejection === undefined ? "" : `, ${quote.rejection.code}`}`
  return quote.status === "offered" ? "the offer has ended" : `its quote is ${quote.status}`
}

const notDecidable = (
  subject: string,
  quote: CoverQuote | undefined,
  offer: ShownOffer | undefined,
  { pay_with, price }: CoverSettings,
  { decision, digest }: CoverChoice
): string | undefined => {
  if (offer === undefined) return `${subject} has no offer now: ${standingOf(quote)}`
  if (decision === "buy" && offer.price.currency !== price.currency)
    return `the offer for ${subject} is in ${offer.price.currency}, and cover.price is in ${price.currency}: there is no budget for it; insure invoices in ${offer.price.currency} over a connection whose cover.price is in ${offer.price.currency}`
  if (decision === "buy" && pay_with === undefined)
    return `${subject}: no payment method is configured; add "pay_with": { "env": "NAME" } to cover, and set the variable NAME to a token of the card processor`
  if (digest !== offer.digest && offer.rejected !== undefined)
    return `${offer.rejected.who} rejected the offer for ${subject} on ${offer.rejected.on}: look at it again, if you decide otherwise`
  if (digest !== offer.digest)
    return `the offer for ${subject} is not the one that was shown: it costs ${Currency.say(Decimal.of(offer.price.total), offer.price.currency)} now; look at it again`
  return undefined
}

const keep = (
  db: Db,
  subject: string,
  { about, digest, shown }: { readonly about: string; readonly digest: string; readonly shown: object },
  { decision, who }: CoverChoice,
  now: number
): void =>
  void db
    .prepare(
      "INSERT INTO cover_decision (subject, about, decision, who, decided, digest, shown) VALUES (?, ?, ?, ?, ?, ?, ?)"
    )
    .run(subject, about, decision, who, now, digest, JSON.stringify(shown))

export const decisions = (db: Db, subject: string): ReadonlyArray<StoredCoverDecision> =>
  db
    .prepare("SELECT id, about, decision, who, decided, shown FROM cover_decision WHERE subject = ? ORDER BY id")
    .all(subject) as ReadonlyArray<StoredCoverDecision>
