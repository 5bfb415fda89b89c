/**
 * A decision that somebody else, such as an assistant, prepares for a person: an address of the page on which everything is chosen, and
 * the digest of what it was prepared for. Preparing stores nothing and decides nothing: the page shows what is so now, chooses nothing
 * if that is something else, and the person decides there as always. Read-only.
 */
import * as AttentionStore from "../apply/AttentionStore.ts"
import * as MatchCandidates from "../matching/Candidates.ts"
import * as Choices from "../matching/Choices.ts"
import { shownDigest } from "../model/ShownDigest.ts"
import type { PlannedConnection } from "../model/Connection.ts"
import * as Approvals from "../plan/Approvals.ts"
import * as Cover from "../reports/Cover.ts"
import type { Db } from "../state/Database.ts"

/** What is prepared: one of `item`, `plan` and `offers`, and what is chosen of it. */
export interface DraftWanted {
  /** The number of an attention item, and the invoices that its payment may be for: `INV-7`, or `INV-7=10.00`. */
  readonly item?: number | undefined
  readonly invoices?: ReadonlyArray<string> | undefined
  /** The connection of a plan that waits for approval, and the keys of documents; without them all of it. */
  readonly plan?: string | undefined
  readonly documents?: ReadonlyArray<string> | undefined
  /** Invoices, by number, id or key. */
  readonly offers?: ReadonlyArray<string> | undefined
}

export interface PreparedDecision {
  /** A path of the page, with what is chosen and the digest. */
  readonly page: string
  readonly digest: string
}

/** How many invoices a person is shown beside a payment. */
export const MOST_CANDIDATES = 10

/** The invoices that are chosen for a payment, as they are in the books now; of one that cannot be chosen, why. */
const chosenOf = (db: Db, payment: string, invoices: ReadonlyArray<string>) => {
  const pays = db
    .prepare("SELECT m.pays FROM document d JOIN matching m ON m.document = d.id WHERE d.key = ?")
    .pluck()
    .get(payment) as string | undefined
  return invoices.map((text) => Choices.find(db, pays ?? "", text.replace(/=[^=]*$/, "").trim()))
}

/**
 * Of an item as it is shown, with the invoices that its payment may be for.
 *
 * @param invoices those that are chosen
 */
export const digestOfItem = (db: Db, item: AttentionStore.OpenAttention, invoices: ReadonlyArray<string>): string => {
  const { fact, id, rule, subject, todo, why } = item
  const candidates = Choices.isMatchingItem(rule) ? MatchCandidates.candidates(db, subject, MOST_CANDIDATES) : []
  const chosen = chosenOf(db, subject, invoices)
  return shownDigest("sha1", JSON.stringify([id, subject, fact, rule, why, todo, candidates, chosen]))
}

/** Of offers, each with what it costs: in the order of their invoices. */
export const digestOfOffers = (offers: ReadonlyArray<Pick<Cover.WaitingOffer, "digest" | "subject">>): string =>
  shownDigest(
    "sha1",
    offers
      .map(({ digest, subject }) => `${subject} ${digest}`)
      .toSorted()
      .join("\n")
  )

const address = (
  path: string,
  digest: string,
  fields: ReadonlyArray<readonly [name: string, value: string]>
): PreparedDecision => ({
  page: `${path}?${new URLSearchParams([...fields.map(([name, value]) => [name, value]), ["draft", digest]])}`,
  digest
})

/** The offers of these invoices, by number, id or key, that wait for a person; or why they are not. */
const offersOf = (
  db: Db,
  connections: ReadonlyArray<PlannedConnection>,
  names: ReadonlyArray<string>,
  now: number
): ReadonlyArray<Cover.WaitingOffer> | string => {
  const all = connections.flatMap((one) => Cover.offers(db, one, now))
  const chosen: Array<Cover.WaitingOffer> = []
  for (const name of new Set(names)) {
    const named = all.filter(
      ({ number, subject }) => name === number || name === subject || subject.endsWith(`/${name}`)
    )
    const [one, another] = named
    if (one === undefined) return `no offer for ${JSON.stringify(name)} waits`
    if (another !== undefined)
      return `${JSON.stringify(name)} is several invoices: ${named.map(({ subject }) => subject).join(", ")}`
    if (one.standing !== "asks" && one.standing !== "waits") return `the offer for ${name} does not wait for a person`
    chosen.push(one)
  }
  return chosen
}

const ofOffers = (
  db: Db,
  connections: ReadonlyArray<PlannedConnection>,
  names: ReadonlyArray<string>,
  now: number
): PreparedDecision | { readonly why: string } => {
  const found = offersOf(db, connections, names, now)
  if (typeof found === "string") return { why: found }
  return address(
    "/cover",
    digestOfOffers(found),
    found.map(({ subject }) => ["offer", subject])
  )
}

const ofPlan = (
  db: Db,
  plan: string,
  documents: ReadonlyArray<string>
): PreparedDecision | { readonly why: string } => {
  const approval = Approvals.of(db, plan)
  if (approval === undefined || approval.decision !== null) return { why: `no plan of ${plan} waits for approval` }
  const chosen = documents.map((one) => ["document", one] as const)
  return address("/plans", approval.digest, [["connection", plan], ...chosen])
}

const ofItem = (db: Db, item: number, invoices: ReadonlyArray<string>): PreparedDecision | { readonly why: string } => {
  const found = AttentionStore.find(db, item)
  if (found === undefined) return { why: `attention item ${item} is not open` }
  if (invoices.length > 0 && !Choices.isMatchingItem(found.rule))
    return { why: `item ${item} is not about a payment that needs an invoice: leave the invoices out` }
  const wrong = chosenOf(db, found.subject, invoices).find((one) => typeof one === "string")
  if (wrong !== undefined) return { why: wrong }
  const chosen = invoices.length === 0 ? [] : [["invoices", invoices.join("\n")] as const]
  return address(`/attention/${item}`, digestOfItem(db, found, invoices), chosen)
}

/**
 * @param connections those that the decision may be about
 * @returns why it cannot be prepared, if so
 */
export const prepare = (
  db: Db,
  connections: ReadonlyArray<PlannedConnection>,
  { documents = [], invoices = [], item, offers = [], plan }: DraftWanted,
  now: number
): PreparedDecision | { readonly why: string } => {
  const named = [item !== undefined, plan !== undefined, offers.length > 0].filter((is) => is)
  if (named.length !== 1) return { why: "name one of item, plan and offers" }
  if (item !== undefined) return ofItem(db, item, invoices)
  return plan === undefined ? ofOffers(db, connections, offers, now) : ofPlan(db, plan, documents)
}
