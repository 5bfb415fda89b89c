/** A person decides about offers of cover, each exactly as it was shown: about all that are named, or about none. */
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import * as CoverDecisions from "../apply/CoverDecisions.ts"
import type { Connection } from "../model/Connection.ts"
import type { AmountsByCurrency } from "../plan/Figures.ts"
import * as CoverFacts from "../plan/CoverFacts.ts"
import * as Cover from "../reports/Cover.ts"
import type { Db } from "../state/Database.ts"

export interface NamedOffer {
  readonly connection: Connection
  readonly subject: string
  /** Of what was shown. */
  readonly digest: string
}

type Said = Pick<CoverDecisions.CoverChoice, "upTo" | "who"> & { readonly decision: "buy" | "reject" }

interface Sum {
  readonly currency: string
  readonly all: Decimal.Decimal
  /** The part that is within the month's limit if it is bought alone. */
  readonly within: Decimal.Decimal
}

/** What the offers of a connection cost together. */
const sumOf = (db: Db, { id, planning }: Connection, named: ReadonlyArray<NamedOffer>, now: number): Sum => {
  const currency = planning.cover?.price.currency ?? ""
  let [all, within] = [0n, 0n]
  for (const { subject } of named.filter(({ connection }) => connection.id === id)) {
    const offer = CoverDecisions.offerOf(db, { id, planning }, subject, now)
    const price = offer === undefined ? 0n : Decimal.of(offer.price.total)
    all += price
    if (offer?.beyondMonth === false) within += price
  }
  return { currency, all, within }
}

/** Each may be bought alone, but not all of them. */
const tooMuch = (db: Db, named: ReadonlyArray<NamedOffer>, upTo: AmountsByCurrency | undefined, now: number) => {
  const connections = [...new Map(named.map(({ connection }) => [connection.id, connection])).values()]
  const spends = new Map<string, Decimal.Decimal>()
  for (const connection of connections) {
    const { all, currency, within } = sumOf(db, connection, named, now)
    const subjects = named.map(({ subject }) => subject)
    const promised = CoverFacts.promised(db, connection.id, currency, subjects, now)
    const left = Decimal.of(Cover.budget(db, connection, now)?.left ?? "0") - promised
    const before = promised === 0n ? "" : `, after ${Currency.say(promised, currency)} for offers that are bought first`
    if (within > 0n && within > left)
      return `together they cost ${Currency.say(within, currency)}, which is ${Currency.say(within - left, currency)} more than is left of this month's limit of ${connection.id}${before}: choose fewer`
    spends.set(currency, (spends.get(currency) ?? 0n) + all)
  }
  const most = upTo === undefined ? undefined : [...spends].find(([currency, sum]) => sum > (upTo.get(currency) ?? 0n))
  return most === undefined
    ? undefined
    : `together they cost ${Currency.say(most[1], most[0])}, which is more than you may approve`
}

/** Stores the decision about each of them. Returns why not, if so: then nothing was changed. Needs a transaction. */
export const decide = (
  db: Db,
  named: ReadonlyArray<NamedOffer>,
  { decision, who, upTo }: Said,
  now: number
): ReadonlyArray<string> => {
  const choiceOf = ({ digest }: NamedOffer) => ({ decision, digest, who, ...(upTo === undefined ? {} : { upTo }) })
  const each = named.flatMap((one) => CoverDecisions.problem(db, one.connection, one.subject, choiceOf(one), now) ?? [])
  const several = decision === "buy" && named.length > 1 ? tooMuch(db, named, upTo, now) : undefined
  if (each.length > 0 || several !== undefined) return several === undefined ? each : [...each, several]
  for (const one of named) {
    const why = CoverDecisions.decide(db, one.connection, one.subject, choiceOf(one), now)
    // Nobody's name: nothing was stored, of no invoice.
    if (why !== undefined) return [why]
  }
  return []
}
