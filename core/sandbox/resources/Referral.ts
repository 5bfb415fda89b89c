/**
 * Serves the hosted page behind a referral address (II 1, 5): without a login, its secret key shows one transaction and lets
 * a customer confirm it, get a quote, and buy its insurance.
 *
 * Assumption: the page's design and its questions are not shown. Here it is plain HTML, its buttons call the endpoints'
 * handlers, and a purchase is paid with a token that succeeds.
 */
import { type Answer, type Context, type Handler, notFound, Refusal } from "../store/Handler.ts"
import { quoteStatus } from "./Insurance.ts"
import { policies } from "./Policies.ts"
import { quotes } from "./Quotes.ts"
import { next, TRANSACTION } from "../rules/States.ts"
import type { Entity } from "../store/Store.ts"
import { transactions } from "./Transactions.ts"
import { showTransaction } from "./Serializers.ts"

/** Opens the transaction of a key; the request then acts as its platform. */
const opened = (context: Context): readonly [Context, Entity] => {
  const secret = context.params["secret"] ?? ""
  for (const [key, mine] of context.store.platforms()) {
    const [found] = mine.transaction.by(secret, "transaction_key")
    if (found !== undefined) return [{ ...context, key, mine }, found]
  }
  throw notFound()
}

/** The actions that are possible now, by the label of their button. */
const actions = (context: Context, transaction: Entity): ReadonlyMap<string, readonly [string, () => Answer]> => {
  const possible = new Map<string, readonly [string, () => Answer]>()
  const { id } = transaction
  const quote = context.mine.quote.get(String(transaction["quote"]))
  const insured = transaction["policy"] !== null
  const act = (handler: Handler, payload: Context["payload"]) => () =>
    handler({ ...context, query: {}, payload, params: { transaction_id: id } })
  if (next(TRANSACTION, transaction["status"], "confirm") !== undefined)
    possible.set("confirm", ["Confirm the invoice", act(transactions.confirm, {})])
  if (quote !== undefined && !insured && quoteStatus(context, quote) === "offered") {
    const price = `Insure it for ${quote["total_price"]} ${quote["currency"]}`
    possible.set("buy", [price, act(policies.create, { quote: quote.id, stripe_id: "tok_visa" })])
  } else if (!insured) possible.set("quote", ["Ask for a quote", act(quotes.create, { transaction: id })])
  return possible
}

const escaped = (value: unknown): string => String(value ?? "").replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)

const ROWS: ReadonlyArray<readonly [string, string]> = [
  ["number", "Invoice"],
  ["status", "Status"],
  ["creditor_name", "From"],
  ["debtor_name", "To"],
  ["net_amount", "Net"],
  ["gross_amount", "Gross"],
  ["currency", "Currency"],
  ["issue_date", "Issued"],
  ["due_date", "Due"],
  ["policy", "Policy"]
]

const html = (rows: string, buttons: string): string => `<!doctype html><html lang="en"><meta charset="utf-8">
<title>Invoice</title><style>body{font:16px/1.5 system-ui;margin:2rem auto;max-width:30rem;padding:0 1rem}
th{text-align:left;padding-right:1rem}</style><h1>Your invoice</h1><table>${rows}</table>${buttons}</html>`

const page = (context: Context, transaction: Entity): Answer => {
  const names = { ...transaction, ...namesOf(context, transaction) }
  const view = showTransaction({ ...context, query: {} })(names as Entity)
  const rows = ROWS.map(([name, title]) => `<tr><th>${title}</th><td>${escaped(view[name])}</td></tr>`).join("")
  const buttons = [...actions(context, transaction)].map(
    ([name, [words]]) => `<form method="post" action="?do=${name}"><button>${escaped(words)}</button></form>`
  )
  const content = Buffer.from(html(rows, buttons.join("")))
  return { status: 200, file: { name: "invoice.html", type: "text/html; charset=utf-8", content } }
}

/** Companies' names, where known. */
const namesOf = ({ directory, key }: Context, transaction: Entity) =>
  Object.fromEntries(
    ["creditor", "debtor"].map((party) => {
      const name = directory.get(String(transaction[party]), key)?.name
      return [`${party}_name`, name ?? transaction[`${party}_name`]]
    })
  )

export const referral = {
  show: (context) => page(...opened(context)),
  act: (context) => {
    const [mine, transaction] = opened(context)
    const action = actions(mine, transaction).get(context.query["do"] ?? "")
    if (action === undefined) throw new Refusal(409, { detail: "This cannot be done now." })
    action[1]()
    return { status: 303, headers: { location: `/referral/${transaction["transaction_key"]}` } }
  }
} satisfies Record<string, Handler>
