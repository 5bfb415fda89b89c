/** Who buys from a seller in a year, how each of them pays, and what is billed. */
import type { Dice } from "../../../simulation/Dice.ts"
import type { Day, Minor } from "../../Values.ts"
import type { Abroad } from "./Abroad.ts"

const BEGIN =
  "Meyer Schulz Otto Müller Jäger Größe Alder Birch Cherry Damson Elm Fir Peel Tern Wren Heron Lark Finch Weiß Kühn Lange Krüger Baker Cooper".split(
    " "
  )
const MIDDLE =
  "Bau,Technik,Logistik,Street Cafe,Medien,Werkzeug,Foods,Print,Garten,Praxis,Consulting,Stahl,Motors,Design,Holz,Optik".split(
    ","
  )
const FORMS = ["GmbH", "Ltd", "AG", "KG", "& Sons", "e.K.", "GmbH & Co. KG"]

export interface Buyer {
  readonly id: string
  readonly name: string
  readonly iban: string
  readonly debited: boolean
  /** Its debits are one line of the bank with those of others. */
  readonly batched: boolean
  /** The same amount each month; 0 if there is none. */
  readonly monthly: Minor
  /** Two of them each month. */
  readonly twins: boolean
  readonly foreign: boolean
  readonly takesDiscount: boolean
  /** Who pays for it, if somebody else does. */
  readonly parent: string | undefined
  /** Never writes a number. */
  readonly mute: boolean
  readonly abroad?: Abroad
}

export interface Bill {
  readonly id: string
  readonly number: string
  readonly buyer: Buyer
  readonly gross: Minor
  readonly issued: Day
  readonly due: Day
}

/** Invoices are issued until this day. */
export const YEAR: Day = 365

const between = (dice: Dice, least: number, most: number): number => least + dice.below(most - least + 1)

export const buyersOf = (
  dice: Dice,
  count: number,
  has: { readonly debits: boolean; readonly batches: boolean }
): ReadonlyArray<Buyer> => {
  const buyers: Array<Buyer> = []
  while (buyers.length < count) {
    const name = `${dice.of(BEGIN)} ${dice.of(MIDDLE)} ${dice.of(FORMS)}`
    if (buyers.some((one) => one.name === name)) continue
    const n = buyers.length
    const mute = dice.chance(0.15)
    buyers.push({
      id: `C${n + 1}`,
      name,
      iban: `DE0212030000${String(n + 1).padStart(10, "0")}`,
      debited: has.debits && dice.chance(0.35),
      batched: has.batches && dice.chance(0.2),
      monthly: dice.chance(0.4) ? BigInt(dice.of([4900, 9900, 4900, 12_000, between(dice, 2000, 90_000)])!) : 0n,
      twins: dice.chance(0.03),
      foreign: dice.chance(0.03),
      takesDiscount: !mute && dice.chance(0.04),
      parent: dice.chance(0.04) ? `${dice.of(BEGIN)} Holding ${n}` : undefined,
      mute
    })
  }
  return buyers
}

/** What is billed in a year, in the order of issue. */
export const billsOf = (dice: Dice, buyers: ReadonlyArray<Buyer>, numbers: "INV-" | "plain"): ReadonlyArray<Bill> => {
  const drawn: Array<Omit<Bill, "id" | "number">> = []
  for (const buyer of buyers) {
    const bill = (issued: Day, gross: Minor) => drawn.push({ buyer, gross, issued, due: issued + dice.of([14, 30])! })
    for (let month = 0; buyer.monthly > 0n && month < 12; month++)
      for (let n = buyer.twins ? 2 : 1; n > 0; n--) bill(month * 30 + 2, buyer.monthly)
    for (let n = buyer.monthly > 0n ? between(dice, 5, 14) : between(dice, 17, 34); n > 0; n--)
      bill(dice.below(YEAR - 14), BigInt(between(dice, 3000, 800_000)))
  }
  return drawn
    .toSorted((a, b) => a.issued - b.issued)
    .map((one, n) => ({
      ...one,
      id: `K${String(n).padStart(5, "0")}`,
      number: numbers === "plain" ? `${100_200 + n}` : `INV-${1000 + n}`
    }))
}

/** Whether a text says which invoices a payment is for, rightly or not. */
export const isDesignated = (text: string): boolean =>
  !/^(|danke|thanks|Ueberweisung|Mitgliedsbeitrag|Miete 2026\/03|Kundennr \d+|SEPA \d+)$/.test(text)

/** What a payer writes of the invoices that a payment is for. */
export const textFor = (dice: Dice, { mute }: Buyer, bills: ReadonlyArray<Bill>): string => {
  const roll = dice.throw()
  const numbers = bills.map(({ number }) => number)
  const [first = ""] = numbers
  if (mute || roll < 0.1) return dice.of(["", "danke", "thanks", "Ueberweisung"])!
  // Only the last digits of the others.
  if (bills.length > 1 && roll < 0.3)
    return `${first}${numbers
      .slice(1)
      .map((one) => `/${one.slice(-2)}`)
      .join("")}`
  if (roll < 0.14 && bills.length === 1) {
    const at = first.length - between(dice, 1, 3)
    return `Rechnung ${first.slice(0, at)}${(Number(first[at]) + between(dice, 1, 9)) % 10}${first.slice(at + 1)}`
  }
  if (roll < 0.17) return dice.of(["Miete 2026/03", `Kundennr ${100_200 + dice.below(900)}`, "SEPA 261020"])!
  if (roll < 0.3) return `Rg. ${numbers.map((one) => one.replace("INV-", "")).join(" ")}`
  return `${dice.of(["", "Invoice ", "RG ", "Zahlung "])}${numbers.join(dice.of([" ", ", ", " + "]))}`
}
