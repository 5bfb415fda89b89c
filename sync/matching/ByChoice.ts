/** The invoices that a person allocated a payment to. Read-only. */
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type { Db } from "../state/Database.ts"
import { currencyOfInvoice } from "./Lookups.ts"
import type { ChosenPart } from "./References.ts"
import * as MatchRules from "./Rules.ts"

/** A payment for which a person chose invoices of connection `pays`. */
interface Chosen {
  readonly amount: Decimal.Decimal
  readonly currency: string
  readonly pays: string
}

/** What each invoice gets, and why a person is needed for the rest. */
interface Allocated {
  readonly shares: ReadonlyArray<MatchRules.Share>
  readonly why?: string
  /** The shares are in the invoices' currency, which is not the payment's. */
  readonly converted?: true
}

/** M4: a person's choice, as far as it is still possible: invoices may have been deleted since, or the payment changed. */
export const byChoice = (db: Db, { amount, currency, pays }: Chosen, choice: ReadonlyArray<ChosenPart>): Allocated => {
  const say = (amount: Decimal.Decimal, of = currency) => Currency.say(amount, of)
  const total = Decimal.sum(choice.flatMap(({ amount, currency }) => (currency === undefined ? [amount] : [])))
  const list = MatchRules.names(choice.map(({ invoice }) => invoice))
  if (total > amount)
    return {
      shares: [],
      why: `${say(total)} of it was allocated by hand to ${list}, but its amount is now ${say(amount)}`
    }
  const shares: Array<MatchRules.Share> = []
  const problems: Array<string> = []
  let left = amount
  for (const { amount, currency: stated = currency, invoice } of choice) {
    const its = currencyOfInvoice(db, invoice)
    const name = MatchRules.names([invoice])
    if (its === undefined) problems.push(`it was allocated by hand to ${name}, which was not found in ${pays}`)
    else if (stated !== "" && its !== stated) problems.push(`it was allocated by hand to ${name}, which is in ${its}`)
    else if (!Currency.fits(amount, its))
      problems.push(
        `${say(amount, stated)} of it was allocated by hand to ${name}, which has more decimal places than ${its} allows`
      )
    else {
      shares.push({ invoice, amount })
      if (stated === currency) left -= amount
    }
  }
  // In another currency a person says what the invoices got; all of the payment is for them.
  if (shares.length === choice.length && choice.some((one) => one.currency !== undefined))
    return { shares, converted: true }
  // "For no invoice" is a valid choice as well.
  if (left === 0n || choice.length === 0) return { shares }
  if (problems.length === 0) problems.push("the source does not say what the rest is for")
  return { shares, why: `${say(left)} of it is unallocated: ${problems.join("; ")}` }
}
