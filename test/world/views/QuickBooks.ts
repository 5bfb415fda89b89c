/**
 * QuickBooks Online's interface, version 3: queries and change data capture of invoices, payments and refund receipts. A payment has
 * a line for each invoice and credit memo that it uses; what no line uses is unapplied. A void record is kept with zeroes and a note;
 * of a deleted one, only change data capture tells.
 */
import type { Entry, Invoice, Money } from "../truth/Money.ts"
import { type Day, instant, iso, least, major, type Minor, sum } from "../Values.ts"
import { Changed, Numbered } from "./Changed.ts"
import { roomOf } from "./Postings.ts"
import type { Program } from "./Program.ts"
import type { Answered, Asked } from "./Server.ts"

type Json = Readonly<Record<string, unknown>>
type Type = "Invoice" | "Payment" | "RefundReceipt"

interface Kept {
  readonly type: Type
  readonly record: Json
  readonly created: number
  /** When it was changed, or deleted, last. */
  readonly at: number
  readonly isDeleted: boolean
}

const COMPANY = "4620816365"
const TOKEN = "qbo-access"
const KEPT_DAYS = 30
const TYPES: ReadonlyArray<Type> = ["Invoice", "Payment", "RefundReceipt"]

/** With an offset of its own, as QuickBooks writes instants. */
const stamp = (millis: number): string => `${new Date(millis - 7 * 3_600_000).toISOString().slice(0, 19)}-07:00`
const number = (amount: Minor): number => Number(major(amount))

interface Line {
  readonly invoice: string
  readonly amount: Minor
}

export class QuickBooks implements Program {
  readonly #money: Money
  readonly #changed = new Changed()
  readonly #ids = new Numbered()
  readonly #kept = new Map<string, Kept>()

  constructor(money: Money) {
    this.#money = money
  }

  files(): ReadonlyMap<string, string> {
    return new Map()
  }

  source(url: string): object {
    return {
      connector: "quickbooks",
      company: COMPANY,
      client_id: { env: "APP" },
      client_secret: { env: "APP_SECRET" },
      refresh_token: { env: "APP_REFRESH" },
      url
    }
  }

  /** Ids are counted for each type: an invoice and a payment may have the same. */
  #id(of: string): string {
    const id = this.#ids.of(of)
    this.#money.called.set(id, of.replace(/^(invoice|payment|refund) /, ""))
    return id
  }

  #customer(customer: string): Json {
    return { CustomerRef: { value: customer.slice(1), name: this.#money.customers.get(customer)?.name ?? "" } }
  }

  /** How much of each entry is applied to its invoice, in the order in which they were entered; credit memos come first. */
  #applied(day: Day): ReadonlyMap<string, Minor> {
    const left = new Map<string, Minor>()
    const given = new Map<string, Minor>()
    const entries = [...this.#money.entries.values()].filter(({ reverses }) => reverses === undefined)
    for (const { body, id } of entries) {
      const now = body.at(day)
      if (now?.invoice === undefined) continue
      const room = left.get(now.invoice) ?? roomOf(this.#money, now.invoice, day)
      const part = least(now.amount - this.#taken(id, day), room)
      left.set(now.invoice, room - part)
      given.set(id, part)
    }
    return given
  }

  /** What the bookkeeper took off a payment because it went back. */
  #taken(entry: string, day: Day): Minor {
    return -sum(
      [...this.#money.entries.values()].map((one) =>
        one.reverses === entry && one.aside !== true ? (one.body.at(day)?.amount ?? 0n) : 0n
      )
    )
  }

  #line({ amount, invoice }: Line): Json {
    return { Amount: number(amount), LinkedTxn: [{ TxnId: this.#id(`invoice ${invoice}`), TxnType: "Invoice" }] }
  }

  #payment(entries: ReadonlyArray<Entry>, day: Day, given: ReadonlyMap<string, Minor>): Json | undefined {
    const now = entries.flatMap((entry) => {
      const body = entry.body.at(day)
      const amount = (body?.amount ?? 0n) - this.#taken(entry.id, day)
      return body === undefined || amount <= 0n ? [] : [{ entry, body, amount }]
    })
    const [first] = now
    if (first === undefined) return undefined
    const total = sum(now.map(({ amount }) => amount))
    const lines = now.flatMap(({ body, entry }) => {
      const amount = given.get(entry.id) ?? 0n
      return body.invoice === undefined || amount <= 0n ? [] : [{ invoice: body.invoice, amount }]
    })
    const movement = this.#money.movements.get(first.entry.movement)
    const cash = movement?.via === "cash" ? { PaymentMethodRef: { value: "1", name: "Cash" } } : {}
    return {
      Id: this.#id(`payment ${first.entry.id}`),
      ...this.#customer(movement?.customer ?? ""),
      ...cash,
      TxnDate: iso(first.body.date),
      CurrencyRef: { value: "EUR", name: "Euro" },
      DepositToAccountRef: { value: "4", name: "Undeposited Funds" },
      Line: lines.map((one) => this.#line(one)),
      TotalAmt: number(total),
      UnappliedAmt: number(total - sum(lines.map(({ amount }) => amount))),
      ProcessPayment: false
    }
  }

  /** A credit memo is applied by a payment of nothing, with a line for each. */
  #memo(invoice: string, day: Day): Json | undefined {
    const body = this.#money.invoices.get(invoice)?.body.at(day)
    const credits = [...this.#money.credits.values()].filter((one) => one.invoice === invoice && one.day <= day)
    if (body?.status !== "open" || credits.length === 0) return undefined
    const amount = least(body.gross, sum(credits.map((one) => one.amount)))
    return {
      Id: this.#id(`memo ${invoice}`),
      ...this.#customer(body.customer),
      TxnDate: iso(credits[0]!.day),
      CurrencyRef: { value: "EUR", name: "Euro" },
      Line: [
        this.#line({ invoice, amount }),
        { Amount: number(amount), LinkedTxn: [{ TxnId: this.#id(`creditmemo ${invoice}`), TxnType: "CreditMemo" }] }
      ],
      TotalAmt: 0,
      UnappliedAmt: 0
    }
  }

  #invoice({ body, id }: Invoice, day: Day, paid: Minor): Json | undefined {
    const now = body.at(day)
    // It has no drafts: what is one elsewhere is not entered yet.
    if (now === undefined || now.status === "draft") return undefined
    const isVoid = now.status === "void"
    const open = isVoid ? 0n : roomOf(this.#money, id, day) - paid
    return {
      Id: this.#id(`invoice ${id}`),
      DocNumber: now.number,
      ...this.#customer(now.customer),
      BillAddr: { Id: "2", Line1: "Hauptstr. 1", City: "Berlin", Country: "DE" },
      TxnDate: iso(now.issued),
      DueDate: iso(now.due),
      CurrencyRef: { value: "EUR", name: "Euro" },
      Line: [],
      LinkedTxn: [],
      TxnTaxDetail: { TotalTax: 0 },
      TotalAmt: isVoid ? 0 : number(now.gross),
      Balance: number(open),
      ...(isVoid ? { PrivateNote: "Voided" } : {})
    }
  }

  /** Money paid back: a receipt of its own. It may name the invoice; that one's balance stays as it is. */
  #refund({ aside, body, id, movement, reverses }: Entry, day: Day): Json | undefined {
    const now = body.at(day)
    if (aside !== true || now === undefined) return undefined
    const its = this.#money.movements.get(movement)
    return {
      Id: this.#id(`refund ${id}`),
      ...this.#customer(its?.customer ?? ""),
      TxnDate: iso(now.date),
      CurrencyRef: { value: "EUR", name: "Euro" },
      LinkedTxn: [
        { TxnId: this.#id(`invoice ${now.invoice}`), TxnType: "Invoice" },
        { TxnId: this.#id(`payment ${reverses}`), TxnType: "Payment" }
      ],
      Line: [],
      TotalAmt: number(-now.amount)
    }
  }

  #now(day: Day): ReadonlyArray<readonly [Type, Json]> {
    const given = this.#applied(day)
    const entries = [...this.#money.entries.values()].filter(({ reverses }) => reverses === undefined)
    // What was received together is one payment with several lines; what was entered twice is another one.
    const groups = Map.groupBy(entries, ({ id, movement }) => `${movement}${/b$/.exec(id)?.[0] ?? ""}`)
    const paid = (invoice: string) =>
      sum(entries.map(({ body, id }) => (body.at(day)?.invoice === invoice ? (given.get(id) ?? 0n) : 0n)))
    const there = <A>(type: Type, all: Iterable<A>, of: (one: A) => Json | undefined) =>
      [...all].flatMap((one): ReadonlyArray<readonly [Type, Json]> => {
        const record = of(one)
        return record === undefined ? [] : [[type, record]]
      })
    return [
      ...there("Invoice", this.#money.invoices.values(), (one) => this.#invoice(one, day, paid(one.id))),
      ...there("Payment", groups.values(), (one) => this.#payment(one, day, given)),
      ...there("Payment", this.#money.invoices.keys(), (one) => this.#memo(one, day)),
      ...there("RefundReceipt", this.#money.entries.values(), (one) => this.#refund(one, day))
    ]
  }

  /** Keeps what there is, and what was deleted and when. */
  #look(day: Day): ReadonlyArray<Kept> {
    const seen = new Set<string>()
    for (const [type, record] of this.#now(day)) {
      const key = `${type} ${record["Id"]}`
      seen.add(key)
      const at = this.#changed.at(key, record, day)
      this.#kept.set(key, { type, record, created: this.#kept.get(key)?.created ?? at, at, isDeleted: false })
    }
    for (const [key, one] of this.#kept)
      if (!seen.has(key) && !one.isDeleted)
        this.#kept.set(key, { ...one, at: this.#changed.at(key, "deleted", day), isDeleted: true })
    return [...this.#kept.values()]
  }

  answers({ headers, path, query }: Asked, day: Day): Answered | undefined {
    if (path.startsWith("/oauth.platform.intuit.com/"))
      return { body: { access_token: TOKEN, refresh_token: "qbo", expires_in: 3600, token_type: "bearer" } }
    if (!path.startsWith(`/v3/company/${COMPANY}/`)) return undefined
    if (headers["authorization"] !== `Bearer ${TOKEN}`)
      return { status: 401, body: { Fault: { type: "AUTHENTICATION" } } }
    const all = this.#look(day)
    const time = stamp(instant(day, 20))
    if (path.endsWith("/cdc")) return { body: { ...this.#captured(all, query, day), time } }
    if (path.endsWith("/query")) return { body: { ...this.#queried(all, query.get("query") ?? ""), time } }
    return { status: 404, body: { Fault: { type: "SystemFault" } } }
  }

  #shown({ at, created, isDeleted, record }: Kept): Json {
    const MetaData = { CreateTime: stamp(created), LastUpdatedTime: stamp(at) }
    return isDeleted
      ? { domain: "QBO", status: "Deleted", Id: record["Id"], MetaData: { LastUpdatedTime: stamp(at) } }
      : { ...record, SyncToken: "0", domain: "QBO", sparse: false, MetaData }
  }

  #captured(all: ReadonlyArray<Kept>, query: URLSearchParams, day: Day): Json {
    const since = Date.parse(query.get("changedSince") ?? "")
    const reach = instant(day - KEPT_DAYS)
    const lists = (query.get("entities") ?? "").split(",").map((type) => {
      const found = all.filter((one) => one.type === type && one.at >= since && one.at >= reach)
      return found.length === 0
        ? {}
        : { [type]: found.map((one) => this.#shown(one)), startPosition: 1, maxResults: found.length }
    })
    return { CDCResponse: [{ QueryResponse: lists }] }
  }

  /** The part of its query language that such a program speaks. */
  #queried(all: ReadonlyArray<Kept>, query: string): Json {
    const [, type] = /^select \* from (\w+)/i.exec(query) ?? []
    if (!TYPES.includes(type as Type))
      return { Fault: { Error: [{ Message: "Error parsing query" }], type: "ValidationFault" } }
    const [, ids] = /where id in \(([^)]*)\)/i.exec(query) ?? []
    const [, from] = /where metadata\.createtime >= '([^']+)'/i.exec(query) ?? []
    const [, start = "1"] = /startposition (\d+)/i.exec(query) ?? []
    const [, most = "100"] = /maxresults (\d+)/i.exec(query) ?? []
    const named = ids === undefined ? undefined : new Set(ids.split(",").map((id) => id.replaceAll("'", "").trim()))
    const found = all
      .filter((one) => one.type === type && !one.isDeleted)
      .filter(({ record }) => named === undefined || named.has(String(record["Id"])))
      .filter(({ created }) => from === undefined || created >= Date.parse(from))
      .toSorted((a, b) => a.created - b.created || Number(a.record["Id"]) - Number(b.record["Id"]))
    const page = found.slice(Number(start) - 1, Number(start) - 1 + Number(most))
    return {
      QueryResponse:
        page.length === 0
          ? {}
          : { [type!]: page.map((one) => this.#shown(one)), startPosition: Number(start), maxResults: page.length }
    }
  }
}
