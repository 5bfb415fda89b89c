/**
 * Describes each operation in one line, for the OpenAPI document. A missing line is a type error.
 */
import type { ServiceApi } from "../../Api.ts"

type Groups = typeof ServiceApi.groups

/** By group and endpoint. */
export const SUMMARIES: {
  readonly [Group in keyof Groups]: { readonly [Name in keyof Groups[Group]["endpoints"]]: string }
} = {
  collectionDocuments: {
    create: "Uploads a document of a collection, as a multipart form",
    get: "One document",
    list: "Documents, optionally by `policy_id`",
    remove: "Deletes a document, until its collection is sent"
  },
  collections: {
    create: "Prepares the handover of an invoice whose policy is `late_can_handover`",
    get: "One collection",
    list: "Collections",
    send: "Sends the request to the collections partner; it cannot be changed afterwards",
    update: "Changes a collection that is not sent, and confirms it"
  },
  companies: {
    get: "One company",
    search: "Finds companies of a country by name or registration number"
  },
  countries: {
    customer: "Countries of customers",
    debtor: "Countries of buyers"
  },
  creditLimits: {
    debtor: "A buyer's maximum and current insured exposure"
  },
  deferredPayments: {
    capture: "Captures an amount for shipped goods",
    captureRemaining: "Captures the remaining amount",
    get: "One deferred payment",
    refund: "Refunds a captured amount",
    void: "Voids an amount that will not be captured",
    voidRemaining: "Voids the remaining amount"
  },
  intents: {
    create: "Creates an order and its offer in one call, for the simplified workflow"
  },
  me: {
    get: "The platform that the key belongs to"
  },
  offers: {
    create: "Requests payment plans, with their costs, for an order",
    get: "One offer"
  },
  orders: {
    create: "Places an order",
    get: "One order",
    list: "Orders",
    putDocument: "Attaches an invoice or a credit note to an order, as a multipart form",
    update: "Changes the reference of an order, the only member that can be changed"
  },
  organisations: {
    addUser: "Adds a member, or gives one another role",
    create: "Creates an organisation, or updates the one with this `unique_id`",
    get: "One organisation",
    getUser: "One member",
    list: "Organisations, optionally by `unique_id`",
    listUsers: "Members of an organisation",
    remove: "Deletes an organisation that nothing refers to",
    removeUser: "Removes a member",
    update: "Changes an organisation",
    updateUser: "Changes the role of a member"
  },
  paymentCreditLimits: {
    company: "A company's credit limit and what it owes"
  },
  policies: {
    create: "Accepts a quote and pays for it",
    get: "One policy",
    list: "Policies"
  },
  preferences: {
    update: "Sets which payment methods a buyer should be offered"
  },
  quotes: {
    create: "Requests a quote for insuring a transaction; an earlier quote expires",
    get: "One quote",
    list: "Quotes",
    remove: "Deletes a quote that was not accepted"
  },
  scores: {
    create: "How risky a company is, from 1 to 5"
  },
  soletraders: {
    create: "Creates a sole trader, a company that is one person",
    get: "One sole trader",
    list: "Sole traders of the platform",
    update: "Changes a sole trader"
  },
  transactions: {
    amend: "Changes amounts, dates and schedule, of an insured transaction as well",
    confirm: "Moves a draft to pending",
    create: "Creates a transaction, an invoice",
    createPayment: "Reports money that was received, or that went back",
    get: "One transaction",
    getPayment: "One payment of a transaction",
    list: "Transactions, optionally by `unique_id`",
    listPayments: "Payments of a transaction",
    matchDebtor: "Sets the company that the debtor's name stands for, in all transactions with that name",
    paid: "Marks a transaction as paid",
    remove: "Deletes a transaction that is not insured",
    update: "Changes a transaction that is not insured"
  },
  users: {
    addOrganisation: "Makes a user a member, or gives one another role",
    create: "Creates a user, or partially updates the one with this email",
    get: "One user",
    getOrganisation: "One membership of a user",
    list: "Users, optionally by `unique_id`",
    listOrganisations: "Memberships of a user",
    remove: "Deletes a user",
    removeOrganisation: "Ends a membership",
    update: "Changes a user",
    updateOrganisation: "Changes the role of a membership"
  }
}
