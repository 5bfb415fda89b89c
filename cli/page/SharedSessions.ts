/** What several processes tell each other of who is signed in. */
import type { Person } from "../../sync/model/Person.ts"
import type { Ticket } from "./OpenId.ts"

/** Instants in milliseconds since the epoch. */
export interface Session {
  /** Who signed in, with the rights that they have now. */
  person: Person
  /** The account that they had; its hash is undefined if they sign in elsewhere only. */
  readonly account: { readonly hash: string | undefined } | undefined
  /** Of somebody who signed in at a provider. */
  readonly ticket: Ticket | undefined
  readonly until: number
  readonly began: number
  readonly from: string
  used: number
  /** The name given with the last decision. */
  who: string
}

export interface SharedSessions {
  /** The key of all of them. */
  readonly secret: Buffer
  /** Tells the others; undefined: it has ended. */
  readonly tell: (name: string, session: Session | undefined) => void
}
