/**
 * Collections of the sandbox (II 2.10, 3.4, 4, 7): handing over an insured invoice.
 */
import { given as present } from "../../Entry.ts"
import { company } from "../store/Directory.ts"
import {
  check,
  conflict,
  type Context,
  created,
  find,
  type Handler,
  missing,
  ok,
  page,
  type Problems,
  timestamp
} from "../store/Handler.ts"
import { money, movePolicy, policyStatus } from "./Insurance.ts"
import { badEmails, unknownCountries, withCodes } from "./FieldFormats.ts"
import { CAN_HANDOVER } from "../rules/States.ts"
import type { Entity } from "../store/Store.ts"
import { showCollection } from "./Serializers.ts"

/** Assumption: texts that were not given are empty; II 2.10 has the defaults of the other members. */
const BLANK = {
  sent: null,
  confirm_correct: false,
  confirmed_correct: null,
  collections_terms_acceptance: false,
  accepted_collections_terms: null,
  collect_fees_from_debtor: false,
  creditor_contact_name: "",
  creditor_contact_email: "",
  creditor_contact_phone: "",
  debtor_address: "",
  debtor_postcode: "",
  debtor_city: "",
  debtor_country: "",
  debtor_contact_name: "",
  debtor_contact_email: "",
  debtor_contact_phone: "",
  debtor_website: "",
  bank_account_name: "",
  bank_account_sortcode: "",
  bank_account_number: "",
  bank_account_email: "",
  actions_taken: "",
  partial_payment: "0.00",
  disputed: false,
  other_invoices: false,
  reasons: "",
  comments: ""
}

/** Members that are set before sending, and the time stored for each. */
const CONFIRMATIONS: Readonly<Record<string, string>> = {
  confirm_correct: "confirmed_correct",
  collections_terms_acceptance: "accepted_collections_terms"
}

const EMAILS = ["creditor_contact_email", "debtor_contact_email", "bank_account_email"]

const problems = ({ payload }: Context): Problems => {
  const found: Problems = { ...badEmails(payload, ...EMAILS), ...unknownCountries(payload, "debtor_country") }
  if (money(payload["partial_payment"]) < 0n)
    found["partial_payment"] = ["Ensure this value is greater than or equal to 0."]
  return found
}

/** The user who represents the owner: the owner itself if it is a user, or else the organisation's first admin. */
const personOf = ({ mine }: Context, owner: string): Entity | undefined => {
  const admin = mine.membership.by(owner).find(({ role }) => role === "admin")
  return mine.user.get(admin === undefined ? owner : String(admin["user"]))
}

/** The members that are known already: the requesting person and the debtor's address (II 2.10). */
const prefilled = (context: Context, person: Entity, transaction: Entity) => {
  const listed = context.directory.get(String(transaction["debtor"]), context.key)
  const debtor = listed === undefined ? undefined : company(listed, context.base)
  const filled = {
    creditor_contact_name: person["name"],
    creditor_contact_email: person["email"],
    creditor_contact_phone: person["phone"],
    debtor_address: debtor?.address ?? transaction["debtor_address"],
    debtor_postcode: debtor?.postcode,
    debtor_city: debtor?.city,
    debtor_country: debtor?.country ?? transaction["debtor_country"]
  }
  return given(filled)
}

/** Null resets a member to its default. */
const given = (members: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null && value !== undefined))

/** II 7: a collection can be created or changed only while the policy can be handed over. */
const mustBeOpen = (context: Context, policy: Entity): void => {
  const status = policyStatus(context, policy)
  if (status !== CAN_HANDOVER) throw conflict(`The policy is ${status}, not ${CAN_HANDOVER}.`)
}

const get = (context: Context): Entity => find(context, "collection", context.params["collection_id"])

/** A collection that may still change, and its policy. */
const open = (context: Context): readonly [Entity, Entity] => {
  const collection = get(context)
  if (collection["sent"] !== null) throw conflict("The collection has been sent and cannot be modified.")
  const policy = find(context, "policy", String(collection["policy"]))
  mustBeOpen(context, policy)
  return [collection, policy]
}

export const collections = {
  create: (context) => {
    const found = problems(context)
    const id = String(context.payload["policy"])
    const policy = context.mine.policy.get(id)
    if (policy === undefined) found["policy"] = missing(id)
    for (const name of Object.keys(CONFIRMATIONS)) {
      if (context.payload[name] === true) found[name] = ["This field cannot be set at creation."]
    }
    check(found)
    const of = present(policy, "the policy")
    mustBeOpen(context, of)
    // Assumption: a policy has one collection, because it names only one.
    if (context.mine.collection.by(id).length > 0) throw conflict("The policy already has a collection.")
    // Assumption: the status for a missing admin is not shown; nothing in the request is wrong, so it is not 400.
    const person = personOf(context, String(of["owner"]))
    if (person === undefined) throw conflict("The organisation that owns the invoice has no admin user.")
    const transaction = find(context, "transaction", String(of["transaction"]))
    const now = timestamp(context)
    const collection = context.store.put(context.key, "collection", {
      ...BLANK,
      ...prefilled(context, person, transaction),
      ...withCodes(given(context.payload), "debtor_country"),
      id: context.store.id("collection"),
      policy: id,
      transaction: transaction.id,
      created: now,
      modified: now
    })
    return created(showCollection(context)(collection))
  },
  list: (context) => page(context, "/v1/collections", context.mine.collection, showCollection(context)),
  get: (context) => ok(showCollection(context)(get(context))),
  update: (context) => {
    const known = get(context)
    const found = problems(context)
    const { policy } = context.payload
    if (policy !== undefined && policy !== known["policy"]) found["policy"] = ["The policy cannot be changed."]
    check(found)
    const [collection] = open(context)
    const now = timestamp(context)
    const sent = Object.entries(context.payload).map(([name, value]) => [
      name,
      value ?? BLANK[name as keyof typeof BLANK]
    ])
    const changed: Record<string, unknown> = {
      ...collection,
      ...withCodes(Object.fromEntries(sent), "debtor_country"),
      modified: now
    }
    for (const [name, moment] of Object.entries(CONFIRMATIONS)) {
      if (changed[name] !== collection[name]) changed[moment] = changed[name] === true ? now : null
    }
    return ok(showCollection(context)(context.store.put(context.key, "collection", changed as Entity)))
  },
  /**
   * Assumptions: the answer's body is not shown, so it is the collection; `confirm_correct` and
   * `collections_terms_acceptance` are optional members (II 2.10), so they are not required here either.
   */
  send: (context) => {
    const [collection, policy] = open(context)
    if (context.mine.document.by(policy.id).length === 0)
      check({ non_field_errors: ["Attach a document, such as a copy of the invoice, before sending."] })
    movePolicy(context, policy, "send")
    const now = timestamp(context)
    return ok(
      showCollection(context)(context.store.put(context.key, "collection", { ...collection, sent: now, modified: now }))
    )
  }
} satisfies Record<string, Handler>
