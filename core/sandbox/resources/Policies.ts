/**
 * Policies of the sandbox (II 2.9, 3.3, 4, 7): accepting an offered quote and paying it with a card processor's token.
 */
import { given } from "../../Entry.ts"
import { POLICY_STATUSES } from "../../insurance/Policies.ts"
import {
  type Answer,
  check,
  type Context,
  created,
  find,
  type Handler,
  missing,
  notFound,
  ok,
  page,
  type Problems,
  Refusal,
  timestamp
} from "../store/Handler.ts"
import { insuredAmount, money, quoteStatus } from "./Insurance.ts"
import * as Decimal from "../../money/Decimal.ts"
import { pdf } from "./Pdf.ts"
import { next, POLICY, QUOTE } from "../rules/States.ts"
import type { Entity } from "../store/Store.ts"
import { showPolicy } from "./Serializers.ts"

/** Payment tokens that fail. */
const TOKENS: Readonly<Record<string, readonly [number, string]>> = {
  tok_declined: [402, "Payment failed: the card was declined."],
  tok_error: [502, "The payment processor returned an error."],
  tok_timeout: [504, "Timeout reaching the payment provider."]
}

const TOKEN = /^(tok|src|pm)_./

/** Rejects an invalid token, and one whose payment fails. No payment is needed if credits cover everything. */
const pay = (token: string, required: boolean): void => {
  if (!TOKEN.test(token)) throw new Refusal(400, { detail: "Invalid payment token type." })
  const failed = TOKENS[token]
  if (failed !== undefined && required) throw new Refusal(failed[0], { detail: failed[1] })
}

export const policies = {
  create: (context) => {
    const { quote: id, stripe_id } = context.payload
    const quote = context.mine.quote.get(String(id))
    check(quote === undefined ? { quote: missing(String(id)) } : {})
    const of = given(quote, "the quote")
    const status = quoteStatus(context, of)
    const accepted = next(QUOTE, status, "policy")
    if (accepted === undefined) check({ quote: [`The quote is ${status}.`] })
    pay(String(stripe_id), of["payment_required"] === true)
    const transaction = find(context, "transaction", String(of["transaction"]))
    const policyId = context.store.id("policy")
    const price = of["price"] as { readonly discount_amount?: string } | null
    const policy = context.store.put(context.key, "policy", {
      id: policyId,
      number: `P${policyId.slice(4, 12).toUpperCase()}`,
      quote: of.id,
      status: next(POLICY, undefined, "policy"),
      created: timestamp(context),
      loss_payee: "not applicable",
      owner: transaction["owner"],
      transaction: transaction.id,
      debtor: transaction["debtor"],
      creditor: transaction["creditor"],
      due_date: transaction["due_date"],
      // The terms of insurance are those of the day of purchase.
      windows: context.windows,
      insured_amount: Decimal.format(insuredAmount(transaction), 2),
      discount: Decimal.format(money(price?.discount_amount), 2)
    })
    context.store.put(context.key, "quote", { ...of, status: accepted, policy: policy.id })
    context.store.put(context.key, "transaction", { ...transaction, policy: policy.id, quote: of.id })
    return created(showPolicy(context)(policy))
  },
  list: (context) => page(context, "/v1/policies", context.mine.policy, showPolicy(context)),
  get: (context) => ok(showPolicy(context)(find(context, "policy", context.params["policy_id"])))
} satisfies Record<string, Handler>

/**
 * Moves a policy on outside of the platform's control: `{"status": "recovery_underway", "recovered": "250.00"}`.
 *
 * Assumptions: II 3.3 names the states of collections and claims but not their transitions, so any may follow any; how
 * recovered money is reported is not shown, so a policy has it as `recovered_amount`, in the invoice's currency, once there
 * is some.
 */
export const movePolicyTo = (context: Context, policy: Entity, { recovered, status }: Context["payload"]): Answer => {
  const found: Problems = {}
  if (!POLICY_STATUSES.includes(status as (typeof POLICY_STATUSES)[number]))
    found["status"] = [`One of ${POLICY_STATUSES.join(", ")} is required.`]
  if (recovered !== undefined && !(typeof recovered === "string" && AMOUNT.test(recovered)))
    found["recovered"] = ["An amount is required, like 250.00."]
  check(found)
  const recovered_amount = recovered === undefined ? {} : { recovered_amount: Decimal.format(money(recovered), 2) }
  return ok(showPolicy(context)(context.store.put(context.key, "policy", { ...policy, status, ...recovered_amount })))
}

const AMOUNT = /^\d{1,12}(\.\d{1,2})?$/

/** The titles of a policy's documents, by file name. */
const DOCUMENTS: Readonly<Record<string, string>> = {
  "policy.pdf": "Details of the insured invoice",
  "general-conditions.pdf": "General conditions"
}

/** A policy's document, by the address that the policy states. */
export const policyDocument = (context: Context, id: string, name: string) => {
  const title = DOCUMENTS[name]
  const policy = find(context, "policy", id)
  if (title === undefined) throw notFound()
  const { due_date, number, transaction } = policy
  return {
    name,
    type: "application/pdf",
    content: pdf([title, `Policy ${number}`, `Invoice ${transaction}`, `Due ${due_date}`])
  }
}
