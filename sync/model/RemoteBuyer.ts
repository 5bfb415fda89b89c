/**
 * Defines what the service is confirmed to hold of a buyer: its organisation, its user and its preferences (DP 2.4, 2.5).
 */
import { type Answer, FORESEEN, idOf } from "./Answer.ts"
import { type BuyerCall, reference } from "./Call.ts"
import type { Fields } from "./RemoteInvoice.ts"

/** What was sent about a buyer and confirmed by the service, in the format of the wire. */
export interface RemoteBuyer {
  readonly kind: "buyer"
  /** The organisation's identifier. */
  readonly id: string
  readonly organisation: Fields
  readonly user?: { readonly id: string; readonly fields: Fields }
  /** The user and its role. */
  readonly member?: string
  /** Preferences by payment method, as stated by the service or as sent since. */
  readonly methods: Readonly<Record<string, string>>
}

/** The key under which a buyer's user is found; `#` appears in no document's key. */
export const userKey = (buyer: string): string => `${buyer}#user`

const methodsOf = (answer: Answer) => (answer.kind === "organisation" ? answer.methods : {})

/** The ledger of a buyer after its organisation was created. */
const withOrganisation = (
  before: RemoteBuyer | undefined,
  { body, subject }: Extract<BuyerCall, { readonly operation: "organisations.create" }>,
  answer: Answer
): RemoteBuyer => ({
  kind: "buyer",
  ...before,
  id: idOf(answer) ?? reference(subject),
  organisation: body,
  methods: { ...before?.methods, ...methodsOf(answer) }
})

/** The ledger of a buyer after `call` was done. */
export const advanceBuyer = (
  before: RemoteBuyer | undefined,
  call: BuyerCall,
  answer: Answer = FORESEEN
): RemoteBuyer => {
  if (call.operation === "organisations.create") return withOrganisation(before, call, answer)
  if (before === undefined) throw new RangeError(`${call.operation} before its organisation is there`)
  switch (call.operation) {
    case "users.create":
      return { ...before, user: { id: idOf(answer) ?? reference(userKey(call.subject)), fields: call.body } }
    case "users.update": {
      if (before.user === undefined) throw new RangeError("users.update before its user is there")
      return { ...before, user: { ...before.user, fields: kept(before.user.fields, call.body) } }
    }
    case "organisations.addUser":
      return { ...before, member: `${call.body.role} ${idOf(answer) ?? call.body.id}` }
    case "organisations.update": {
      const { payment_method_config: wishes, ...members } = call.body
      const methods: Record<string, string> = { ...before.methods, ...methodsOf(answer) }
      for (const [type, wish] of Object.entries((wishes ?? {}) as Readonly<Record<string, Fields>>)) {
        methods[type] = String(wish["preference"])
      }
      return { ...before, organisation: kept(before.organisation, members), methods }
    }
  }
}

/** A field that was removed is null on the wire and absent here. */
const kept = (before: Fields, changed: Fields): Fields =>
  Object.fromEntries(Object.entries({ ...before, ...changed }).filter(([, value]) => value !== null))
