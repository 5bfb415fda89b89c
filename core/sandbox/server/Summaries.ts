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
    list: "Documents, of one policy with `policy_id`",
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
    debtor: "How much insured exposure a buyer may have and has"
  },
  deferredPayments: {
    capture: "Takes an amount for what was shipped",
    captureRemaining: "Takes all that is left",
    get: "One deferred payment",
    refund: "Gives back what was captured",
    void: "Gives up an amount that will not be captured",
    voidRemaining: "Gives up all that is left"
  },
  intents: {
    create: "Order and offer in one call, for the simplified workflow"
  },
  me: {
    get: "Whose key this is"
  },
  offers: {
    create: "Asks by when and at what cost an order can be paid",
    get: "One offer"
  },
  orders: {
    create: "Places an order",
    get: "One order",
    list: "Orders",
    putDocument: "Attaches an invoice or a credit note to an order, as a multipart form",
    update: "Changes the reference of an order, the only member that can be"
  },
  organisations: {
    addUser: "Adds a member, or gives one another role",
    create: "Creates an organisation, or updates the one with this `unique_id`",
    get: "One organisation",
    getUser: "One member",
    list: "Organisations, with `unique_id` those that bear it",
    listUsers: "Members of an organisation",
    remove: "Deletes an organisation to which nothing is attached",
    removeUser: "Removes a member",
    update: "Changes an organisation",
    updateUser: "Changes the role of a member"
  },
  paymentCreditLimits: {
    company: "How much a company may owe and owes"
  },
  policies: {
    create: "Accepts a quote and pays for it",
    get: "One policy",
    list: "Policies"
  },
  preferences: {
    update: "Says which ways of paying a buyer should be offered"
  },
  quotes: {
    create: "Asks what insuring a transaction would cost; an earlier offer expires",
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
    list: "Transactions, with `unique_id` those that bear it",
    listPayments: "Payments of a transaction",
    matchDebtor: "Sets the company that the debtor's name stands for, in all transactions with that name",
    paid: "Marks a transaction as paid",
    remove: "Deletes a transaction that is not insured",
    update: "Changes a transaction that is not insured"
  },
  users: {
    addOrganisation: "Makes a user a member, or gives one another role",
    create: "Creates a user, or updates the one with this email in part",
    get: "One user",
    getOrganisation: "One membership of a user",
    list: "Users, with `unique_id` those that bear it",
    listOrganisations: "Memberships of a user",
    remove: "Deletes a user",
    removeOrganisation: "Ends a membership",
    update: "Changes a user",
    updateOrganisation: "Changes the role of a membership"
  }
}
