/** Why a payment is not for the only invoice that its payer and its amount leave. Read-only. */
import type { Invoice } from "../../connectors/Document.ts"
import * as Body from "../state/Body.ts"
import type { Db } from "../state/Database.ts"
import type { Fitting } from "./Amounts.ts"
import type { Later } from "./Later.ts"
import type { LookAlike } from "./LookAlikes.ts"
import { untoldOf, waitsFor } from "./Place.ts"
import * as MatchRules from "./Rules.ts"
import { isEndOf } from "./Texts.ts"

interface Found {
  readonly invoice: Fitting
  /** The payer's others of this amount that no payment has. */
  readonly others: ReadonlyArray<Fitting>
  /** The service has it there: it stays. */
  readonly stands: boolean
}

export const heldUp = (
  db: Db,
  later: Later,
  payment: { readonly document: number; readonly key: string; readonly names: string },
  { invoice, others, stands }: Found
): { readonly why: string; readonly twin?: LookAlike } | undefined => {
  const twin = untoldOf(db, later, payment, invoice.key)
  if (twin !== undefined) return { why: waitsFor(twin), twin }
  const names = JSON.parse(payment.names) as ReadonlyArray<string>
  if (stands || others.length === 0 || names.some((name) => isEndOf(name, invoice.number))) return undefined
  const paid = otherwise(db, invoice, others)
  return paid === undefined ? undefined : { why: paid }
}

/** The source says that this one is open, and that another one is paid of which no payment was read. */
const otherwise = (db: Db, invoice: Fitting, others: ReadonlyArray<Fitting>): string | undefined => {
  const openOf = ({ key }: Fitting) => {
    const body = db.prepare("SELECT body FROM document WHERE key = ?").pluck().get(key)
    if (typeof body !== "string") return undefined
    const { gross, net, stated = {}, status } = Body.read(body) as Invoice
    if (status === "paid") return 0n
    const { credited = 0n, open, paid } = stated
    return open ?? (paid === undefined ? undefined : (gross ?? net ?? 0n) - paid - credited)
  }
  if ((openOf(invoice) ?? 0n) <= 0n) return undefined
  const paid = others.find((one) => openOf(one) === 0n)
  if (paid === undefined) return undefined
  const [its, other] = [invoice, paid].map(({ key }) => MatchRules.names([key]))
  return `it could be for ${its}, but the source says that ${its} is open, and that ${other}, of the same amount, is paid`
}
