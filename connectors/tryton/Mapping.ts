/**
 * Maps Tryton's customer invoices, and the accounting move lines that settle them, to documents. Pure.
 *
 * A line is one document, under its own id, whatever it turns out to mean: money received is a payment, its cancellation a
 * reversal; the lines of credit notes and write-offs lower invoices. How much of a line belongs to which invoice follows
 * from the invoice's payment lines and from the line's reconciliation.
 */
import * as Country from "../../core/wire/Country.ts"
import type { Document, Instalment, Invoice, Party, Share } from "../Document.ts"
import type { Decoded } from "../Json.ts"
import * as Json from "../Json.ts"
import * as Sums from "../Sums.ts"
import { allIds, ids, plain } from "./Values.ts"

/** The fields read of an invoice. */
export const INVOICE = [
  "number",
  "type",
  "state",
  "invoice_date",
  "create_date",
  "write_date",
  "untaxed_amount",
  "tax_amount",
  "total_amount",
  "amount_to_pay",
  "lines_to_pay",
  "payment_lines",
  "move",
  "cancel_move",
  "currency.code",
  "company.currency.code",
  "party.name",
  "party_tax_identifier.code",
  "invoice_address.full_address",
  "invoice_address.country.code"
]

/** The fields read of a line. */
export const LINE = [
  "debit",
  "credit",
  "date",
  "maturity_date",
  "amount_second_currency",
  "second_currency.code",
  "reconciliation",
  "move",
  "move.origin",
  "move.journal.type",
  "create_date",
  "write_date"
]

export const fieldsOf = (record: unknown): Json.Fields => {
  const its = plain(record)
  return Json.fieldsOf(its)
}

/** The parts of an invoice or credit note that its lines need. */
export interface Bill {
  readonly id: string
  readonly currency: string
  readonly companyCurrency: string
  readonly total: bigint
  readonly cancelled: boolean
  readonly move: string | undefined
  readonly cancelMove: string | undefined
  readonly payments: ReadonlyArray<string>
  /** Why its amounts cannot be read; the lines that settle it are then unreadable too. */
  readonly wrong?: Json.Unfit
}

export interface Line {
  readonly id: string
  readonly fields: Json.Fields
  readonly move: string
  readonly origin: string
  readonly reconciliation: string | undefined
}

const CANCELLED = ["cancelled", "cancel"]
const STATUSES: Readonly<Record<string, Invoice["status"]>> = {
  draft: "draft",
  validated: "draft",
  posted: "open",
  paid: "paid",
  cancelled: "void",
  cancel: "void"
}

export const bill = (record: unknown): Bill => {
  const fields = fieldsOf(record)
  const named = (path: string) => Json.nameOf(fields.get(path))
  const plainly = {
    id: named("id") ?? "",
    cancelled: CANCELLED.includes(named("state") ?? ""),
    move: named("move.id") ?? named("move"),
    cancelMove: named("cancel_move"),
    payments: ids(fields.get("payment_lines"))
  }
  try {
    fields.oneOf("state", Object.keys(STATUSES), "state")
    allIds(fields, "payment_lines")
    const currency = fields.currency("currency.code")
    const companyCurrency = fields.currency("company.currency.code")
    return { ...plainly, currency, companyCurrency, total: fields.major("total_amount", currency) }
  } catch (cause) {
    if (!(cause instanceof Json.Unfit)) throw cause
    const wrong = new Json.Unfit(cause.field, `its invoice ${plainly.id} cannot be read: ${cause.message}`)
    return { ...plainly, currency: "", companyCurrency: "", total: 0n, wrong }
  }
}

export const line = (record: unknown): Line => {
  const fields = fieldsOf(record)
  return {
    id: fields.text("id"),
    fields,
    move: fields.maybe("move.id") ?? fields.text("move"),
    origin: fields.maybe("move.origin") ?? "",
    reconciliation: fields.maybe("reconciliation")
  }
}

type Money = Pick<Bill, "companyCurrency" | "currency" | "wrong">

/** The amount that a line adds to the receivable, in a currency; negative for money received. */
const amountOf = ({ fields }: Line, { companyCurrency: company, currency, wrong }: Money): bigint => {
  if (wrong !== undefined) throw wrong
  if (fields.maybe("second_currency.code") === currency) return fields.major("amount_second_currency", currency)
  if (currency === company) return fields.major("debit", currency) - fields.major("credit", currency)
  throw new Json.Unfit("second_currency", `the line has no amount in ${currency}, the currency of its invoice`)
}

/** The same in the company's currency: a cancellation has negative amounts on the same side. */
const added = ({ fields }: Line): bigint => fields.decimal("debit") - fields.decimal("credit")

const party = (fields: Json.Fields): Party => {
  const [id, vat] = [fields.maybe("party.id"), fields.maybe("party_tax_identifier.code")]
  const country = Country.parse(fields.maybe("invoice_address.country.code") ?? "")
  const address = fields
    .maybe("invoice_address.full_address")
    ?.split(/(?<!\s)\s*\n\s*/)
    .join(", ")
  return {
    ...Json.present({ id }),
    name: fields.text("party.name"),
    ...Json.present({ country, vat, address: address || undefined })
  }
}

/** @param lines the instalments: lines of the invoice's own move */
export const invoice =
  (lines: ReadonlyMap<string, Line>) =>
  (record: Json.Fields): Decoded => {
    const fields = fieldsOf(record.record)
    if (fields.oneOf("type", ["in", "out"], "type") !== "out") return { documents: [] }
    const [id, currency] = [fields.text("id"), fields.currency("currency.code")]
    const status = fields.meaning("state", STATUSES, "state")
    const gross = fields.major("total_amount", currency)
    const net = fields.major("untaxed_amount", currency)
    if (gross < 0n !== net < 0n && gross !== 0n && net !== 0n)
      throw new Json.Unfit("total_amount", `${fields.text("total_amount")} differs in sign from untaxed_amount`)
    if (gross < 0n) return { documents: [] }

    const open = fields.maybeMajor("amount_to_pay", currency)
    const company = fields.currency("company.currency.code")
    const issued = fields.maybe("invoice_date") === undefined ? fields.day("create_date") : fields.day("invoice_date")
    allIds(fields, "payment_lines")
    const schedule = allIds(fields, "lines_to_pay")
      .flatMap((line) => lines.get(line) ?? [])
      .map((line): Instalment => {
        const date = line.fields.maybe("maturity_date") === undefined ? issued : line.fields.day("maturity_date")
        return { date, amount: amountOf(line, { currency, companyCurrency: company }) }
      })
      .sort((a, b) => (a.date < b.date ? -1 : 1))
    const document: Document = {
      kind: "invoice",
      id,
      number: fields.maybe("number") ?? id,
      status,
      party: party(fields),
      currency,
      issued,
      due: schedule.at(-1)?.date ?? issued,
      net,
      gross,
      ...(open === undefined ? {} : { stated: { open } }),
      ...(schedule.length > 1 ? { schedule } : {})
    }
    return {
      documents: [document],
      sums: Sums.added(fields, currency, "total_amount", ["untaxed_amount", "tax_amount"])
    }
  }

/** The context of some lines: whole reconciliations, and the invoices of their moves. */
export interface Around {
  readonly lines: ReadonlyArray<Line>
  readonly bills: ReadonlyArray<Bill>
}

type Role = "claim" | "note" | "cancel" | "writeoff" | "payment" | "back"

/** Maps each line to its document, by how much of it belongs to which invoice, or to an error if that is unknown. */
export const settle = (around: Around): ReadonlyMap<string, Document | Error> => {
  const settlement = new Settlement(around.bills)
  const groups = new Map<string, Array<Line>>()
  for (const one of around.lines) {
    if (one.reconciliation === undefined) settlement.alone(one)
    else if (groups.get(one.reconciliation)?.push(one) === undefined) groups.set(one.reconciliation, [one])
  }
  for (const group of groups.values()) settlement.together(group)
  return settlement.found
}

/** Roles of credits, which lower the amount due. */
const CREDITS: ReadonlyArray<Role> = ["payment", "note", "writeoff"]

class Settlement {
  readonly found = new Map<string, Document | Error>()
  readonly #byMove: ReadonlyMap<string, Bill>
  readonly #cancelMoves: ReadonlySet<string | undefined>
  readonly #byId: ReadonlyMap<string, Bill>
  readonly #byPayment: ReadonlyMap<string, Bill>

  constructor(bills: ReadonlyArray<Bill>) {
    this.#byMove = new Map(bills.flatMap((one) => (one.move === undefined ? [] : [[one.move, one] as const])))
    this.#cancelMoves = new Set(bills.map(({ cancelMove }) => cancelMove))
    this.#byId = new Map(bills.map((one) => [one.id, one]))
    this.#byPayment = new Map(bills.flatMap((one) => one.payments.map((line) => [line, one] as const)))
  }

  /** A line without a reconciliation. */
  alone(line: Line): void {
    this.#attempt([line], () => {
      const one = this.#byPayment.get(line.id)
      if (one === undefined || one.cancelled || one.total < 0n) return
      if (!CREDITS.includes(this.#role(line))) return
      this.#document(line, one.currency, new Map([[one.id, -amountOf(line, one)]]))
    })
  }

  /** Lines reconciled with each other. */
  together(group: ReadonlyArray<Line>): void {
    this.#attempt(group, () => {
      const sorted = [...group].sort((a, b) => order(a).localeCompare(order(b), "en"))
      const claims = sorted.flatMap((line) => {
        const one = this.#byMove.get(line.move)
        if (this.#role(line) !== "claim" || one === undefined || one.cancelled) return []
        return [{ one, left: amountOf(line, one) }]
      })
      const settled = this.#takenBack(sorted)
      const credits = sorted.filter((line) => CREDITS.includes(this.#role(line)) && !settled.has(line.id))
      const shared = credits.map((line) => ({ line, shares: new Map<string, bigint>() }))
      // First the invoices that name a credit as their own payment, then the rest in order.
      for (const { line, shares } of shared)
        this.#share(
          line,
          shares,
          claims.filter(({ one }) => this.#byPayment.get(line.id)?.id === one.id)
        )
      for (const { line, shares } of shared) this.#share(line, shares, claims)
    })
  }

  #role(line: Line): Role {
    const own = this.#byMove.get(line.move)
    if (own !== undefined) return own.total < 0n ? "note" : "claim"
    if (this.#cancelMoves.has(line.move)) return "cancel"
    if (added(line) >= 0n) return "back"
    return line.fields.maybe("move.journal.type") === "write-off" ? "writeoff" : "payment"
  }

  /** The invoice that a payment was made for. */
  #target({ id, origin }: Line): Bill | undefined {
    const one = this.#byPayment.get(id) ?? this.#byId.get(/^account\.invoice,(\d+)$/.exec(origin)?.[1] ?? "")
    return one === undefined || one.cancelled || one.total < 0n ? undefined : one
  }

  #document(line: Line, currency: string, shares: ReadonlyMap<string, bigint>, of?: Line): void {
    const list: ReadonlyArray<Share> = [...shares].map(([invoice, amount]) => ({ invoice, amount }))
    const shared = { id: line.id, date: line.fields.day("date"), currency, shares: list }
    const kind = this.#role(line)
    if (kind === "back")
      this.found.set(line.id, { kind: "reversal", ...shared, type: "unknown", ...(of && { payment: of.id }) })
    else this.found.set(line.id, { kind: kind === "payment" ? "payment" : "credit_note", ...shared })
  }

  /** If anything cannot be read, all of these lines become errors. */
  #attempt(lines: ReadonlyArray<Line>, work: () => void): void {
    try {
      work()
    } catch (cause) {
      if (!(cause instanceof Json.Unfit)) throw cause
      for (const { id } of lines) this.found.set(id, cause)
    }
  }

  /** Payments and their cancellations: both concern the invoice that the payment was for. Returns these payments. */
  #takenBack(sorted: ReadonlyArray<Line>): ReadonlySet<string> {
    const settled = new Set<string>()
    for (const back of sorted.filter((line) => this.#role(line) === "back")) {
      const payment = sorted.find(
        (line) => this.#role(line) === "payment" && back.origin === `account.move,${line.move}`
      )
      const one = payment === undefined ? undefined : this.#target(payment)
      if (payment === undefined || settled.has(payment.id)) continue
      settled.add(payment.id)
      if (one === undefined) continue
      for (const line of [payment, back])
        this.#attempt([line], () => {
          const amount = amountOf(line, one)
          this.#document(line, one.currency, new Map([[one.id, amount < 0n ? -amount : amount]]), payment)
        })
    }
    return settled
  }

  /** Allocates what is left of a credit to these claims, in order. */
  #share(line: Line, given: Map<string, bigint>, claims: ReadonlyArray<{ readonly one: Bill; left: bigint }>): void {
    this.#attempt([line], () => {
      for (const claim of claims.filter(({ left }) => left > 0n)) {
        const { currency, id } = claim.one
        const left = -amountOf(line, claim.one) - [...given.values()].reduce((sum, amount) => sum + amount, 0n)
        const part = left < claim.left ? left : claim.left
        if (part <= 0n) continue
        claim.left -= part
        given.set(id, (given.get(id) ?? 0n) + part)
        this.#document(line, currency, given)
      }
    })
  }
}

/** Older first, then by due date. */
const order = ({ fields, id }: Line): string =>
  `${fields.maybe("maturity_date") ?? fields.maybe("date") ?? ""} ${id.padStart(20, "0")}`
