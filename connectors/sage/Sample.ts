/** Provides fixtures for the Sage connector, and a simulated API that serves them, for the conformance kit. */
import type { Source } from "../testing/Simulator.ts"
import {
  type Add,
  amountOf,
  isAuthorised,
  isSince,
  type Lists,
  setting,
  staged,
  stamping,
  tokenGiver,
  tokensAt
} from "../testing/Staging.ts"
import type { Subject } from "../testing/Subject.ts"
import { sage } from "./Sage.ts"

const AT = { created_at: "2026-01-31T09:00:00Z", updated_at: "2026-02-01T09:00:00Z" }
const of = (id: string, displayed_as = id) => ({ id, displayed_as })

const invoice = (id: string, status: string, total_amount: string, outstanding: string, more: object = {}) => ({
  id,
  ...AT,
  displayed_as: `SI-${id}`,
  contact: of("c1", "Harbour Tea Ltd (HT)"),
  contact_name: "Harbour Tea Ltd",
  main_address: { city: "Bristol", country: of("GB", "United Kingdom") },
  date: "2026-01-31",
  due_date: "2026-03-02",
  net_amount: total_amount,
  tax_amount: "0.0",
  total_amount,
  outstanding_amount: outstanding,
  currency: of("GBP"),
  status: of(status),
  is_cis: false,
  withholding_tax_amount: "0.0",
  ...more
})

const INVOICES = [
  invoice("i1", "PART_PAID", "120.0", "48.0", { net_amount: "100.0", tax_amount: "20.0" }),
  invoice("i2", "PAID", "75.5", "0.0", { currency: of("EUR"), main_address: {} }),
  invoice("i3", "DRAFT", "10.0", "10.0", { due_date: null }),
  invoice("i4", "VOID", "40.0", "0.0"),
  invoice("i5", "UNPAID", "100.0", "100.0", { is_cis: true })
]

const artefact = (path: string, id: string, amount: string, discount?: string) => ({
  id: `a-${id}`,
  artefact: { ...of(id), $path: `/${path}/${id}` },
  amount,
  ...(discount === undefined ? {} : { discount })
})

const payment = (id: string, type: string, total_amount: string, allocated_artefacts: ReadonlyArray<object>) => ({
  id,
  ...AT,
  displayed_as: id,
  transaction_type: of(type),
  payment_method: of("ELECTRONIC"),
  contact: of("c1"),
  date: "2026-02-10",
  total_amount,
  currency: of("GBP"),
  reference: `REF ${id}`,
  allocated_artefacts
})

const PAYMENTS = [
  payment("p1", "CUSTOMER_RECEIPT", "80.0", [artefact("sales_invoices", "i1", "50.0", "2.0")]),
  payment("p2", "CUSTOMER_RECEIPT", "75.5", [artefact("sales_invoices", "i2", "75.5")]),
  payment("p3", "VENDOR_PAYMENT", "60.0", [artefact("purchase_invoices", "b1", "60.0")]),
  payment("p4", "CUSTOMER_REFUND", "12.0", [artefact("sales_invoices", "i2", "12.0")]),
  payment("p5", "CUSTOMER_RECEIPT", "9.0", [artefact("sales_quick_entries", "q1", "9.0")])
]

const allocation = (id: string, allocated_artefacts: ReadonlyArray<object>) => ({
  id,
  ...AT,
  displayed_as: id,
  transaction_type: of("CUSTOMER_ALLOCATION"),
  contact: of("c1"),
  date: "2026-02-12",
  allocated_artefacts
})

const ALLOCATIONS = [
  allocation("l1", [artefact("sales_invoices", "i1", "15.0"), artefact("sales_credit_notes", "n1", "-15.0")]),
  allocation("l2", [
    artefact("sales_invoices", "i1", "5.0"),
    artefact("sales_invoices", "i2", "12.0"),
    artefact("sales_credit_notes", "n2", "-7.0"),
    artefact("contact_payments", "p1", "-10.0")
  ])
]

const answerOf = (all: Lists): Source["answer"] => {
  const token = tokenGiver(300)
  return ({ body, headers, path, query }, paging) => {
    if (path === "/token") {
      const isOurs = body.includes("client_id=sample-client") && body.includes("client_secret=sample-client-secret")
      return isOurs ? token(body) : { status: 400, body: { error: "invalid_client" } }
    }
    if (!isAuthorised(headers))
      return { status: 401, body: [{ $severity: "error", $message: "The access token is not valid" }] }
    if (headers["x-business"] !== "b-1") return { status: 403, body: [{ $message: "No access to this business" }] }
    const [, , list = "", id] = path.split("/")
    const records = all[list]
    if (records === undefined) return undefined
    if (id !== undefined) {
      const found = records.find((one) => one.id === id && one.deleted_at === undefined)
      return found === undefined ? undefined : { body: found }
    }
    const [since, gone] = [query.get("updated_or_created_since"), query.get("deleted_since")]
    const found = records.filter(({ deleted_at, updated_at }) =>
      gone !== null
        ? deleted_at !== undefined && Date.parse(deleted_at) > Date.parse(gone)
        : deleted_at === undefined && isSince(updated_at, since)
    )
    const page = Number(query.get("page") ?? 1)
    const cut = paging.numbered(found, page, query.get("items_per_page"))
    return { body: { $total: found.length, $page: page, $next: cut.more ? "next" : null, $items: cut.records } }
  }
}

const stamp = stamping("updated_at")

/** Every second invoice is paid, every twentieth credited. */
const grow = (add: Add, n: number): void => {
  const to = (amount: string) => artefact("sales_invoices", `in${n}`, amount)
  add("sales_invoices", invoice(`in${n}`, "UNPAID", "12.0", "12.0"))
  if (n % 2 === 0) add("contact_payments", payment(`pn${n}`, "CUSTOMER_RECEIPT", "12.0", [to("12.0")]))
  const credit = artefact("sales_credit_notes", `nn${n}`, "-1.0")
  if (n % 20 === 3) add("contact_allocations", allocation(`ln${n}`, [to("1.0"), credit]))
}

const head = (id: string, status: string, more = `"country":"GB"},"currency":"GBP"`) =>
  `{"kind":"invoice","id":"${id}","number":"SI-${id}","status":"${status}","party":{"id":"c1","name":"Harbour Tea Ltd"${more.startsWith("}") ? "" : ","}${more},"issued":"2026-01-31"`
const DUE = `"due":"2026-03-02"`

export const subject: Subject = {
  connector: sage,
  settings: { business: "b-1", client_id: { env: "SAGE_CLIENT_ID" }, client_secret: { env: "SAGE_CLIENT_SECRET" } },
  environment: { SAGE_CLIENT_ID: "sample-client", SAGE_CLIENT_SECRET: "sample-client-secret" },
  oauth: tokensAt("/token"),
  nothing: ["p3", "p5"],
  skips: {
    "asks little when nothing changed": "it has six lists: three of what changed, three of what was deleted"
  },
  unread: {
    "contact_payments.allocated_artefacts.*.amount": "its type says which way the money went, whatever the sign",
    "contact_payments.currency.id": "allocations are in the currency of their invoice",
    "contact_payments.total_amount": "its allocations are the payment; money on account is for no invoice yet"
  },
  golden: [
    `${head("i1", "open")},${DUE},"net":"10000000000n","gross":"12000000000n","stated":{"open":"4800000000n"}}`,
    `${head("i2", "paid", `},"currency":"EUR"`)},${DUE},"net":"7550000000n","gross":"7550000000n","stated":{"open":"0n"}}`,
    `${head("i3", "draft")},"due":"2026-01-31","net":"1000000000n","gross":"1000000000n"}`,
    `${head("i4", "void")},${DUE},"net":"4000000000n","gross":"4000000000n"}`,
    `${head("i5", "open")},${DUE},"net":"10000000000n","gross":"10000000000n"}`,
    `{"kind":"payment","id":"p1","date":"2026-02-10","shares":[{"invoice":"i1","amount":"5000000000n"}],"reference":"REF p1","method":"bank"}`,
    `{"kind":"credit_note","id":"p1","date":"2026-02-10","shares":[{"invoice":"i1","amount":"200000000n"}]}`,
    `{"kind":"payment","id":"p2","date":"2026-02-10","shares":[{"invoice":"i2","amount":"7550000000n"}],"reference":"REF p2","method":"bank"}`,
    `{"kind":"reversal","id":"p4","date":"2026-02-10","shares":[{"invoice":"i2","amount":"1200000000n"}],"type":"refund"}`,
    `{"kind":"credit_note","id":"l1","date":"2026-02-12","shares":[{"invoice":"i1","amount":"1500000000n"}]}`,
    `{"kind":"credit_note","id":"l2","date":"2026-02-12","shares":[{"invoice":"i1","amount":"500000000n"},{"invoice":"i2","amount":"200000000n"}]}`,
    `{"kind":"payment","id":"l2","date":"2026-02-12","shares":[{"invoice":"i2","amount":"1000000000n"}],"method":"unknown"}`
  ],
  open: staged(
    { sales_invoices: INVOICES, contact_payments: PAYMENTS, contact_allocations: ALLOCATIONS },
    {
      lists: { sales_invoices: { stamp }, contact_payments: { stamp }, contact_allocations: { stamp } },
      answer: answerOf,
      grow,
      changes: ({ contact_payments: payments, sales_invoices: invoices }) => ({
        remove: setting(payments[0], { deleted_at: "2026-03-01T12:30:00Z" }, "payment/p1"),
        edit: setting(invoices[0], { displayed_as: "SI-i1b" }, "i1"),
        ...amountOf("invoice/i1", (value) => void Object.assign(invoices[0], { total_amount: value, tax_amount: null }))
      })
    }
  )
}
