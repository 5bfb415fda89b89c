/**
 * Programs that assume something of the world that is not so. Each must be caught within 200 lives: a life fails of something of which
 * the program as it is does not. `node test/world/mutants.ts` tries all, or those with the given words.
 */
import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import type { Change } from "../simulation/mutants.ts"
import { inCopy } from "../simulation/Trial.ts"
import { lifeOf } from "./Lives.ts"

const LIVES = 200

interface Assumption {
  readonly name: string
  readonly changes: ReadonlyArray<Change>
  /** A word of the setting of lives that it may change anything in. */
  readonly where: string
}

/** A connector is read in lives with its vendor only. */
const one = (name: string, file: string, from: string, to: string): Assumption => ({
  name,
  changes: [{ file, from, to }],
  where: /^connectors\/(\w+)/.exec(file)?.[1] ?? ""
})

const ASSUMPTIONS: ReadonlyArray<Assumption> = [
  one(
    "paid in part means settled",
    "sync/rules/Settled.ts",
    "const settled = balance <= 0n ||",
    "const settled = balance < due ||"
  ),
  one(
    "a debit that was submitted was received",
    "connectors/gocardless/Mapping.ts",
    'const CONFIRMED = ["confirmed"',
    'const CONFIRMED = ["submitted", "confirmed"'
  ),
  one(
    "a status implies a delivery",
    "connectors/woocommerce/WooCommerce.ts",
    'settings.shipped ?? ["completed"]',
    '["completed", "processing"]'
  ),
  one(
    "zero means absent",
    "sync/rules/Settled.ts",
    "const settled = balance <= 0n ||",
    "const settled = balance < 0n ||"
  ),
  one(
    "what is paid by gift card is deferred",
    "connectors/shopify/Mapping.ts",
    '["gift_card", "shopify_store_credit", "exchange-credit"].includes(gateway)',
    '["exchange-credit"].includes(gateway)'
  ),
  one(
    "a credit note lowers nothing",
    "sync/rules/InvoiceFields.ts",
    "credited > total ? 0n : total - credited",
    "total"
  ),
  one(
    "what is shipped in part left whole",
    "connectors/bigcommerce/Mapping.ts",
    'const LEFT = ["2", "10"]',
    'const LEFT = ["2", "3", "10"]'
  ),
  one("a due date is the day of issue", "sync/rules/InvoiceFields.ts", "due_date: lastDay", "due_date: invoice.issued"),
  one(
    "what a processor calls an invoice is its id",
    "sync/matching/Lookups.ts",
    "return invoicesNumbered(db, memory, pays, normal(name))",
    "return []"
  ),
  one(
    "a payment that was deleted in Xero stays",
    "connectors/xero/Mapping.ts",
    'const ENDED = ["DELETED", "VOIDED", ',
    'const ENDED = ["VOIDED", '
  ),
  one(
    "a dispute takes no money",
    "connectors/stripe/Mapping.ts",
    "const NO_CHARGEBACK = /^(warning_.*|prevented|charge_refunded)$/",
    "const NO_CHARGEBACK = /^.*$/"
  ),
  one(
    "what QuickBooks has not applied is for the invoice",
    "connectors/quickbooks/Mapping.ts",
    'const amount = line.major("Amount", currency)',
    'const amount = fields.major("TotalAmt", currency)'
  ),
  one(
    "what is pending at PayPal was received",
    "connectors/paypal/Mapping.ts",
    'meaning === undefined || status === "P"',
    "meaning === undefined"
  ),
  one(
    "what Odoo calls a credit note is money",
    "connectors/odoo/Mapping.ts",
    'const isMoney = isEntered || (type === "entry" && BANKS.includes(journal))',
    'const isMoney = isEntered || type !== ""'
  )
]

/** What the program as it is fails of, by seed. */
const known = new Map<number, ReadonlySet<string>>()
const asIs = async (seed: number): Promise<ReadonlySet<string>> => {
  const before =
    known.get(seed) ??
    new Set((await lifeOf(seed).play()).failures.map(({ about, kind, what }) => `${kind}: ${about}: ${what}`))
  known.set(seed, before)
  return before
}

/** The first seed that fails otherwise, and of what. */
const caught = (mutant: Assumption): Promise<string | undefined> =>
  inCopy(mutant, [], async (folder) => {
    const child = spawn(process.execPath, ["test/world/failures.ts", `${LIVES}`, mutant.where], {
      cwd: folder,
      stdio: ["ignore", "pipe", "inherit"]
    })
    let seed = 0
    try {
      for await (const line of createInterface({ input: child.stdout })) {
        seed++
        const failures = JSON.parse(line) as ReadonlyArray<string>
        if (failures.length === 0) continue
        const before = await asIs(seed)
        const found = failures.find((failure) => !before.has(failure))
        if (found !== undefined) return `seed ${seed}: ${found}`
      }
    } finally {
      child.kill()
    }
    return undefined
  })

let survived = 0
for (const mutant of ASSUMPTIONS.filter(({ name }) => name.includes(process.argv.slice(2).join(" ")))) {
  const found = await caught(mutant)
  if (found === undefined) survived++
  console.log(
    `${found === undefined ? "SURVIVED" : "caught"}: ${mutant.name}${found === undefined ? "" : `\n    ${found.slice(0, 220)}`}`
  )
}
process.exitCode = survived === 0 ? 0 : 1
