/** Provides fixtures for the Tryton connector, and a simulated API that serves them, for the conformance kit. */
import * as Decimal from "../../core/money/Decimal.ts"
import * as Json from "../Json.ts"
import type { Paging, Record, Source } from "../testing/Simulator.ts"
import { amountOf, setting } from "../testing/Staging.ts"
import type { Subject } from "../testing/Subject.ts"
import { tryton } from "./Tryton.ts"
import { datetime, plain } from "./Values.ts"

/** Records with exact numbers: ids are compared with those in requests, which keep their digits. */
const exact = (records: ReadonlyArray<object>): Array<Record> => Json.parse(JSON.stringify(records)) as Array<Record>

const decimal = (text: string) => ({ __class__: "Decimal", decimal: text })
const date = (text: string) => {
  const [year, month, day] = text.split("-").map(Number)
  return { __class__: "date", year, month, day }
}
const CREATED = datetime("2026-02-14T12:00:00.000000")

const PARTY = { id: 3, name: "Harbour Tea Ltd" }
const ADDRESS = { id: 4, full_address: "4 Quay Street\nBristol", "country.": { id: 1, code: "GB" } }

const invoice = (id: number, state: string, untaxed: string, total: string, more: object = {}) => ({
  id,
  number: `${100 + id}`,
  type: "out",
  state,
  invoice_date: date("2026-01-31"),
  create_date: CREATED,
  write_date: null,
  untaxed_amount: decimal(untaxed),
  tax_amount: decimal(Decimal.format(Decimal.of(total) - Decimal.of(untaxed))),
  total_amount: decimal(total),
  amount_to_pay: decimal("0.00"),
  lines_to_pay: [],
  payment_lines: [],
  move: null,
  cancel_move: null,
  "currency.": { id: 1, code: "GBP" },
  "company.": { id: 1, "currency.": { id: 1, code: "GBP" } },
  "party.": PARTY,
  "party_tax_identifier.": { id: 2, code: "GB123456789" },
  "invoice_address.": ADDRESS,
  ...more
})

const INVOICES = [
  // Partly paid, in two halves.
  invoice(1, "posted", "100.00", "120.00", {
    amount_to_pay: decimal("100.00"),
    move: 11,
    lines_to_pay: [111, 112],
    payment_lines: [121, 131]
  }),
  // Paid with money and a credit note.
  invoice(2, "paid", "200.00", "240.00", { move: 12, lines_to_pay: [113] }),
  // A credit note, and one that refunds an invoice, which is then cancelled.
  invoice(3, "paid", "-50.00", "-60.00", { move: 13 }),
  invoice(4, "cancelled", "10.00", "12.00", { move: 14, cancel_move: 15, lines_to_pay: [115] }),
  invoice(5, "paid", "-10.00", "-12.00", { move: 15 }),
  invoice(7, "posted", "33.00", "33.00", { type: "in", move: 17 }),
  invoice(6, "draft", "7.00", "8.40", { number: null, invoice_date: null, "party_tax_identifier.": null })
]

const line = (id: number, move: number, debit: string, credit: string, more: object = {}) => ({
  id,
  debit: decimal(debit),
  credit: decimal(credit),
  date: date("2026-02-10"),
  maturity_date: null,
  amount_second_currency: null,
  "second_currency.": null,
  reconciliation: null,
  move,
  create_date: CREATED,
  write_date: null,
  ...more
})

const LINES = [
  line(111, 11, "60.00", "0", { maturity_date: date("2026-03-02") }),
  line(112, 11, "60.00", "0.00", { maturity_date: date("2026-04-01") }),
  line(113, 12, "240.00", "0", { maturity_date: date("2026-03-02"), reconciliation: 1 }),
  line(114, 13, "0E-2", "60.00", { reconciliation: 1, date: date("2026-02-12") }),
  line(115, 14, "12.00", "0", { reconciliation: 2 }),
  line(116, 15, "0", "12.00", { reconciliation: 2 }),
  line(121, 21, "0", "20.00"),
  line(122, 22, "0", "180.00", { reconciliation: 1 }),
  // Reversed by its cancellation.
  line(131, 23, "0", "30.00", { reconciliation: 3 }),
  line(132, 24, "-0", "-30.00", { reconciliation: 3, date: date("2026-02-20") }),
  // A buyer's money that pays no invoice yet.
  line(141, 25, "0", "5.00")
]

const move = (id: number, origin: string | null, type = "cash") => ({
  id,
  state: "posted",
  origin,
  create_date: CREATED,
  write_date: null,
  "journal.": { id: 1, type }
})

const MOVES = [
  ...[11, 12, 13, 14, 15, 17].map((id) => move(id, `account.invoice,${id - 10}`, "revenue")),
  move(21, "account.invoice,1"),
  move(22, "account.invoice,2"),
  move(23, "account.invoice,1"),
  move(24, "account.move,23"),
  move(25, null)
]

type Models = { readonly [model: string]: Array<Record> }

/** The record of the move that a line names. */
const moveOf = (models: Models, { move }: Record): Record | undefined =>
  models["account.move"]!.find(({ id }) => String(id.rawJSON) === String((move as Json.Numeral)?.rawJSON))

/** A record as domains see it: with its move's fields beside its own. */
const seen = (models: Models, record: Record): Json.Fields => {
  const found = plain(record) as { [name: string]: unknown }
  const its = moveOf(models, record)
  return new Json.Fields({
    ...found,
    ...(its === undefined ? {} : { move: plain(its) }),
    account: { type: { receivable: "true" } }
  })
}

/** Whether a record matches a domain, for the domains that the connector uses. */
const fits = (fields: Json.Fields, domain: unknown): boolean => {
  const clause = domain as ReadonlyArray<unknown>
  const [field, operator, value] = clause
  if (field === "OR") return clause.slice(1).some((one) => fits(fields, one))
  if (typeof field !== "string") return clause.every((one) => fits(fields, one))
  const is = field === "move" ? fields.maybe("move.id") : fields.get(field)
  const texts = (one: unknown) =>
    (Array.isArray(one) ? one : [one]).map((each) => (Json.isNumeral(each) ? each.rawJSON : each))
  const wanted = texts(plain(value)).map((each) => (each === true ? "true" : each))
  const held = texts(is ?? null)
  const beyond = (a: unknown, b: unknown) =>
    field === "id" ? BigInt(String(a)) > BigInt(String(b)) : String(a) > String(b)
  switch (operator) {
    case "=":
    case "in":
      return held.some((one) => wanted.includes(one))
    case "!=":
      return !held.some((one) => wanted.includes(one))
    case ">":
      return held[0] !== null && beyond(held[0], wanted[0])
    default:
      return held[0] !== null && !beyond(wanted[0], held[0])
  }
}

/** Domain, offset, limit and order. */
type Search = readonly [ReadonlyArray<unknown>, unknown, unknown, [[string, string]]]

const search = (
  models: Models,
  records: ReadonlyArray<Record>,
  [domain, , limit, [[by, way]]]: Search,
  paging: Paging
): ReadonlyArray<Record> => {
  const conditions = domain.filter((one) => !isAfter(one))
  const found = records.filter((record) => fits(seen(models, record), conditions))
  if (way === "DESC") {
    const value = (record: Record) => String(plain(record[by]))
    return found.toSorted((a, b) => (value(a) < value(b) ? 1 : -1)).slice(0, 1)
  }
  const sorted = found.toSorted((a, b) => Number(a.id.rawJSON) - Number(b.id.rawJSON))
  if (limit === null) return sorted
  const after = (domain.find(isAfter) as ReadonlyArray<Json.Numeral>)[2]!.rawJSON
  // The kit splits lists after a record; if that record does not exist, the last one before it is used.
  const texts = sorted.map((one) => ({ one, id: one.id.rawJSON as string }))
  const before = texts.filter(({ id }) => Number(id) <= Number(after)).at(-1)?.id ?? null
  return paging.after(texts, before, "id").records.map(({ one }) => one)
}

const sourceOf = (): Source => {
  const models: Models = {
    "account.invoice": exact(INVOICES),
    "account.move.line": exact(LINES),
    "account.move": exact(MOVES)
  }
  const stamp = (record: Record, millis: number | null) => {
    record.write_date =
      millis === null ? null : Json.parse(JSON.stringify(datetime(new Date(millis).toISOString().slice(0, 19))))
  }
  const list = (records: Array<Record>) => ({
    records,
    id: "id",
    stamp,
    shows: ({ id }: Record) => `"id":${id.rawJSON}`
  })
  return {
    lists: { invoices: list(models["account.invoice"]!), lines: list(models["account.move.line"]!) },
    answer: ({ body, headers, path }, paging) => {
      if (path !== "/books/") return undefined
      const { method, params } = Json.parse(body) as { method: string; params: ReadonlyArray<unknown> }
      const result = (result: unknown) => ({ body: { id: 1, result } })
      if (method === "common.db.login") {
        const [user, { password }] = params as [string, { password: string }]
        return user === "daybook" && password === "sample-password"
          ? result([5, "sample-session"])
          : { status: 401, body: "" }
      }
      const session = Buffer.from("daybook:5:sample-session").toString("base64")
      if (headers["authorization"] !== `Session ${session}`) return { status: 401, body: "" }
      if (method === "common.db.logout") return result(null)
      if (method === "model.res.user.get_preferences") return result({ company: 1, language: "en" })
      const model = /^model\.(.*)\.search_read$/.exec(method)?.[1]
      const records = model === undefined ? undefined : models[model]
      if (records === undefined) return { body: { id: 1, error: [`'${model}'`, "Traceback"] } }
      return result(search(models, records, params as Search, paging).map((one) => shown(models, one)))
    }
  }
}

const isAfter = (clause: unknown): boolean => Array.isArray(clause) && clause[0] === "id" && clause[1] === ">"

/** A line with fields of its move, as Tryton returns it on request. */
const shown = (models: Models, record: Record): Record => {
  const its = moveOf(models, record)
  return its === undefined || record.type !== undefined ? record : { ...record, "move.": its }
}

const OURS = `"party":{"id":"3","name":"Harbour Tea Ltd","country":"GB","vat":"GB123456789","address":"4 Quay Street, Bristol"},"currency":"GBP"`
const PLAIN = `"party":{"id":"3","name":"Harbour Tea Ltd","country":"GB","address":"4 Quay Street, Bristol"},"currency":"GBP"`

const AROUND = "each page of invoices or lines is followed by what it is reconciled with: up to ten requests more"

export const subject: Subject = {
  connector: tryton,
  settings: {
    url: "https://tryton.example.com",
    database: "books",
    user: "daybook",
    password: { env: "TRYTON_PASSWORD" }
  },
  environment: { TRYTON_PASSWORD: "sample-password" },
  unread: {
    "lines.credit.decimal": "a credit below 0 is a debit",
    "lines.reconciliation": "money that is not reconciled is of no invoice yet",
    "invoices.move": "an invoice without one is not posted",
    "invoices.type": "invoices are asked for by it",
    "invoices.company..currency..code": "an invoice has its own currency"
  },
  skips: {
    "reads its lists in full pages": AROUND,
    "asks little when nothing changed": "it begins a session, and asks each of three models for its newest record",
    "asks at most twice for what changed": AROUND
  },
  nothing: [5, 7, 111, 112, 113, 115, 116, 141].map((id) => `"id":${id}`),
  golden: [
    `{"kind":"invoice","id":"1","number":"101","status":"open",${OURS},"issued":"2026-01-31","due":"2026-04-01","net":"10000000000n","gross":"12000000000n","stated":{"open":"10000000000n"},"schedule":[{"date":"2026-03-02","amount":"6000000000n"},{"date":"2026-04-01","amount":"6000000000n"}]}`,
    `{"kind":"invoice","id":"2","number":"102","status":"paid",${OURS},"issued":"2026-01-31","due":"2026-03-02","net":"20000000000n","gross":"24000000000n","stated":{"open":"0n"}}`,
    `{"kind":"invoice","id":"4","number":"104","status":"void",${OURS},"issued":"2026-01-31","due":"2026-01-31","net":"1000000000n","gross":"1200000000n","stated":{"open":"0n"}}`,
    `{"kind":"invoice","id":"6","number":"6","status":"draft",${PLAIN},"issued":"2026-02-14","due":"2026-02-14","net":"700000000n","gross":"840000000n","stated":{"open":"0n"}}`,
    `{"kind":"payment","id":"121","date":"2026-02-10","currency":"GBP","shares":[{"invoice":"1","amount":"2000000000n"}]}`,
    `{"kind":"payment","id":"122","date":"2026-02-10","currency":"GBP","shares":[{"invoice":"2","amount":"18000000000n"}]}`,
    `{"kind":"credit_note","id":"114","date":"2026-02-12","currency":"GBP","shares":[{"invoice":"2","amount":"6000000000n"}]}`,
    `{"kind":"payment","id":"131","date":"2026-02-10","currency":"GBP","shares":[{"invoice":"1","amount":"3000000000n"}]}`,
    `{"kind":"reversal","id":"132","date":"2026-02-20","currency":"GBP","shares":[{"invoice":"1","amount":"3000000000n"}],"type":"unknown","payment":"131"}`
  ],
  open: () => {
    const source = sourceOf()
    const { invoices, lines } = source.lists
    const of = (records: ReadonlyArray<Record>, id: string): Record => records.find((one) => one.id.rawJSON === id)
    return {
      source,
      remove: () => {
        const payment = of(lines!.records, "121")
        of(invoices!.records, "1").payment_lines = []
        lines!.stamp!(payment, Date.parse("2026-03-01T12:01:00Z"))
        return "payment/121"
      },
      edit: setting(of(invoices!.records, "6"), { untaxed_amount: decimal("6.00"), tax_amount: decimal("2.40") }, "6"),
      ...amountOf(
        "invoice/4",
        (decimal) =>
          void Object.assign(of(invoices!.records, "4"), {
            total_amount: { __class__: "Decimal", decimal },
            tax_amount: null
          }),
        "90071992547409.93"
      )
    }
  }
}
