/** Provides fixtures for the FreeAgent connector, and a simulated API that serves them, for the conformance kit. */
import type { Source } from "../testing/Simulator.ts"
import {
  type Add,
  amountOf,
  isAuthorised,
  type Lists,
  setting,
  staged,
  stamping,
  tokenGiver,
  tokensAt
} from "../testing/Staging.ts"
import type { Subject } from "../testing/Subject.ts"
import { freeagent } from "./FreeAgent.ts"

const at = (list: string, id: string | number) => `https://api.freeagent.com/v2/${list}/${id}`

const invoice = (id: string, status: string, total_value: string, due_value: string, more: object = {}) => ({
  url: at("invoices", id),
  contact: at("contacts", 2),
  contact_name: "Harbour Tea Ltd",
  dated_on: "2026-01-31",
  due_on: "2026-03-02",
  reference: `FA-${id}`,
  currency: "GBP",
  exchange_rate: "1.0",
  net_value: total_value,
  sales_tax_value: "0.0",
  total_value,
  paid_value: "0.0",
  due_value,
  status,
  created_at: "2026-01-31T09:00:00Z",
  updated_at: "2026-02-01T09:00:00Z",
  ...more
})

const INVOICES = [
  invoice("1", "Open", "200.0", "90.0", { net_value: "166.67", sales_tax_value: "33.33" }),
  invoice("2", "Paid", "75.5", "0.0", { currency: "EUR", paid_on: "2026-02-10" }),
  invoice("3", "Draft", "10.0", "10.0"),
  invoice("4", "Written-off", "40.0", "0.0", { written_off_date: "2026-02-20" }),
  invoice("5", "Refunded", "-30.0", "0.0"),
  invoice("6", "Overdue", "100.0", "100.0", { cis_rate: "cis_standard" }),
  invoice("7", "Overpaid", "50.0", "-10.0", { paid_on: "2026-02-11" })
]

const explanation = (
  id: string,
  account: number,
  paid: string | undefined,
  gross_value: string,
  more: object = {}
) => ({
  url: at("bank_transaction_explanations", id),
  bank_transaction: at("bank_transactions", id),
  bank_account: at("bank_accounts", account),
  type: "Invoice Receipt",
  dated_on: "2026-02-10",
  gross_value,
  ...(paid === undefined ? {} : { paid_invoice: paid }),
  marked_for_review: false,
  updated_at: "2026-02-10T09:00:00Z",
  ...more
})

const EXPLANATIONS = [
  explanation("20", 1, at("invoices", 1), "100.0", { description: "HARBOUR TEA FA-1" }),
  explanation("21", 1, at("invoices", 2), "64.2", { foreign_currency_value: "75.5" }),
  explanation("22", 1, undefined, "-90.0", { type: "Payment", category: at("categories", "366") }),
  explanation("23", 2, at("invoices", 7), "60.0"),
  explanation("24", 2, at("invoices", 7), "-4.5", { type: "Invoice Refund" }),
  explanation("25", 2, at("credit_notes", 9), "-30.0", { type: "Credit Note Refund" }),
  explanation("26", 2, at("invoices", 6), "100.0", { marked_for_review: true })
]

const reconciliation = (id: string, invoice: string, gross_value: string) => ({
  url: at("credit_note_reconciliations", id),
  gross_value,
  dated_on: "2026-02-12",
  currency: "GBP",
  exchange_rate: "1.0",
  invoice: at("invoices", invoice),
  credit_note: at("credit_notes", 8),
  updated_at: "2026-02-12T09:00:00Z"
})

const ACCOUNTS = [1, 2, 3].map((id) => ({ url: at("bank_accounts", id), name: `Account ${id}`, currency: "GBP" }))

const answerOf = (all: Lists): Source["answer"] => {
  const token = tokenGiver(3600, 401)
  return ({ body, headers, path, query }, paging) => {
    if (path === "/v2/token_endpoint") return token(body)
    if (!isAuthorised(headers))
      return { status: 401, body: { errors: { error: { message: "Access token not recognised" } } } }
    const [, , list = "", id] = path.split("/")
    if (all[list] === undefined) return undefined
    if (id !== undefined) {
      const found = all[list].find(({ url }) => url === at(list, id))
      return found === undefined ? undefined : { body: { invoice: found } }
    }
    const [since, account] = [query.get("updated_since"), query.get("bank_account")]
    if (list === "bank_transaction_explanations" && account === null)
      return { status: 400, body: { errors: { error: { message: "bank_account is required" } } } }
    const found = all[list].filter(
      ({ bank_account, updated_at }) =>
        (since === null || updated_at === null || Date.parse(updated_at) > Date.parse(since)) &&
        (account === null || bank_account === account)
    )
    const { records } = paging.numbered(found, Number(query.get("page") ?? 1), query.get("per_page"))
    return { body: { [list]: records }, headers: { "x-total-count": String(found.length) } }
  }
}

const stamp = stamping("updated_at")

/** Every second invoice is paid, every twentieth credited. */
const grow = (add: Add, n: number): void => {
  const id = 100 + n
  add("invoices", invoice(`${id}`, "Open", "12.0", "12.0"))
  if (n % 2 === 0) add("bank_transaction_explanations", explanation(`${id}0`, 1, at("invoices", id), "12.0"))
  if (n % 20 === 3) add("credit_note_reconciliations", reconciliation(`${id}1`, `${id}`, "1.0"))
}

const WHOLE =
  "FreeAgent lists payments for each bank account, and no deleted ones: two requests for each show that none changed"
const head = (id: string, status: string, currency = "GBP") =>
  `{"kind":"invoice","id":"${id}","number":"FA-${id}","status":"${status}","party":{"id":"2","name":"Harbour Tea Ltd"},"currency":"${currency}","issued":"2026-01-31","due":"2026-03-02"`

export const subject: Subject = {
  connector: freeagent,
  settings: { client_id: { env: "FREEAGENT_CLIENT_ID" }, client_secret: { env: "FREEAGENT_CLIENT_SECRET" } },
  environment: { FREEAGENT_CLIENT_ID: "sample-client", FREEAGENT_CLIENT_SECRET: "sample-client-secret" },
  oauth: tokensAt("/v2/token_endpoint"),
  nothing: [
    at("invoices", "5"),
    ...["22", "25", "26"].map((id) => at("bank_transaction_explanations", id)),
    at("credit_note_reconciliations", "31")
  ],
  lacks: ["bank_transaction_explanations.foreign_currency_value"],
  unread: {
    "bank_transaction_explanations.bank_account": "explanations are asked for by it",
    "invoices.written_off_date": "what is written off is still owed",
    "bank_accounts.currency": "an explanation has the amount in the currency of its invoice",
    "bank_transaction_explanations.type": "what is paid back of a credit note is of no invoice"
  },
  skips: { "asks little when nothing changed": WHOLE },
  golden: [
    `${head("1", "open")},"net":"16667000000n","gross":"20000000000n","stated":{"open":"9000000000n"}}`,
    `${head("2", "paid", "EUR")},"net":"7550000000n","gross":"7550000000n","stated":{"open":"0n"},"paidOn":"2026-02-10"}`,
    `${head("3", "draft")},"net":"1000000000n","gross":"1000000000n"}`,
    `${head("4", "open")},"net":"4000000000n","gross":"4000000000n"}`,
    `${head("6", "open")},"net":"10000000000n","gross":"10000000000n"}`,
    `${head("7", "paid")},"net":"5000000000n","gross":"5000000000n","stated":{"open":"-1000000000n"},"paidOn":"2026-02-11"}`,
    `{"kind":"payment","id":"20","date":"2026-02-10","shares":[{"invoice":"1","amount":"10000000000n"}],"reference":"HARBOUR TEA FA-1","method":"bank"}`,
    `{"kind":"payment","id":"21","date":"2026-02-10","shares":[{"invoice":"2","amount":"7550000000n"}],"method":"bank"}`,
    `{"kind":"payment","id":"23","date":"2026-02-10","shares":[{"invoice":"7","amount":"6000000000n"}],"method":"bank"}`,
    `{"kind":"reversal","id":"24","date":"2026-02-10","shares":[{"invoice":"7","amount":"450000000n"}],"type":"refund"}`,
    `{"kind":"credit_note","id":"30","date":"2026-02-12","currency":"GBP","shares":[{"invoice":"1","amount":"1000000000n"}]}`
  ],
  open: staged(
    {
      invoices: INVOICES,
      bank_accounts: ACCOUNTS,
      bank_transaction_explanations: EXPLANATIONS,
      credit_note_reconciliations: [reconciliation("30", "1", "10.0"), reconciliation("31", "6", "0.0")]
    },
    {
      id: "url",
      lists: {
        invoices: { stamp },
        bank_transaction_explanations: { stamp },
        credit_note_reconciliations: { stamp }
      },
      answer: answerOf,
      grow,
      changes: ({ bank_transaction_explanations: explanations, invoices }) => ({
        remove: () => {
          explanations.splice(0, 1)
          return "payment/20"
        },
        edit: setting(invoices[0], { reference: "FA-1b" }, "1"),
        ...amountOf(
          "invoice/1",
          (value) => void Object.assign(invoices[0], { total_value: value, sales_tax_value: null })
        )
      })
    }
  )
}
