/** Names what a call does, for people. */
import { kindOf } from "../../connectors/Document.ts"
import { bodyOf, type BuyerCall, type Call, type OwnerCall } from "./Call.ts"

const EFFECTS = {
  buyer: "Update buyer",
  order: "Create order",
  offer: "Ask for an offer",
  owner: "Create or update owner",
  create: "Create invoice",
  draft: "Create draft",
  issue: "Issue draft",
  change: "Update invoice",
  match: "Match debtor",
  received: "Report payment",
  back: "Report reversal",
  paid: "Mark as paid",
  remove: "Delete invoice",
  quote: "Ask for a quote",
  buy: "Buy cover",
  collect: "Prepare collection",
  attach: "Change documents",
  handover: "Hand over",
  look: "Read payment",
  capture: "Capture",
  void: "Void",
  refund: "Refund",
  rename: "Update reference"
} as const
export type Effect = keyof typeof EFFECTS

/** What decides about the effect of a call. */
interface Outline {
  readonly operation: Exclude<Call, OwnerCall | BuyerCall>["operation"]
  /** The status that its body sets, if it sets one. */
  readonly status: unknown
  /** Whether it reports money that went back. */
  readonly isBack: boolean
}

const ofInvoiceOrOrder = ({ isBack, operation, status }: Outline) => {
  switch (operation) {
    case "transactions.create":
      return status === "draft" ? "draft" : "create"
    case "transactions.update":
      return status === undefined ? "change" : "issue"
    case "transactions.amend":
      return "change"
    case "transactions.confirm":
      return "issue"
    case "transactions.paid":
      return "paid"
    case "transactions.remove":
      return "remove"
    case "transactions.matchDebtor":
      return "match"
    case "transactions.createPayment":
      return isBack ? "back" : "received"
    case "deferredPayments.get":
    case "orders.get":
    case "orders.list":
      return "look"
    case "deferredPayments.capture":
      return "capture"
    case "deferredPayments.void":
      return "void"
    case "deferredPayments.refund":
      return "refund"
    case "offers.create":
      return "offer"
    case "orders.create":
      return "order"
    case "orders.update":
      return "rename"
    case "quotes.create":
      return "quote"
    case "policies.create":
      return "buy"
    case "collections.create":
    case "collections.update":
      return "collect"
    case "collectionDocuments.create":
    case "collectionDocuments.remove":
    case "orders.putDocument":
      return "attach"
    case "collections.send":
      return "handover"
  }
}

export const effectOf = (call: Call): Effect => {
  if (call.kind === "owner" || call.kind === "buyer") return call.kind
  const status = call.operation.startsWith("transactions.") ? bodyOf(call)?.["status"] : undefined
  return ofInvoiceOrOrder({ operation: call.operation, status, isBack: "posting" in call && call.posting.amount < 0n })
}

/** The effect of a call, in a word or two. */
export const effectWords = (call: Call): string => EFFECTS[effectOf(call)]

/** The same of a call as it was stored; its operation where that is not known any more. */
export const storedEffectWords = ({
  amount,
  operation,
  status,
  subject
}: {
  readonly subject: string
  readonly operation: string
  /** Of its body. */
  readonly status: string | null
  readonly amount: string | null
}): string => {
  const kind = kindOf(subject) === "" ? "owner" : kindOf(subject)
  if (kind === "owner" || kind === "buyer") return EFFECTS[kind]
  const outline = { operation, status: status ?? undefined, isBack: amount?.startsWith("-") === true }
  const effect: Effect | undefined = ofInvoiceOrOrder(outline as Outline)
  return effect === undefined ? operation : EFFECTS[effect]
}
