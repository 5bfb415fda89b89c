/** What happens in one seller's months: each happening can be left out, and the rest then happens as before. */
import type { Day, Zone } from "../Values.ts"
import type { Customer, Money } from "./Money.ts"

/** How the seller works: which systems there are, and how each writes. */
export interface Style {
  readonly books: {
    /** Undefined: files. */
    readonly program?: "xero" | "stripe" | "quickbooks" | "odoo"
    /** Whether payments are booked there. */
    readonly payments: boolean
    /** What the books themselves say of what is open. */
    readonly word: "balance" | "paid" | "status" | "none"
    /** `same`: an invoice's id is its number; `colliding`: some ids are other invoices' numbers. */
    readonly ids: "same" | "apart" | "colliding"
    readonly numbers: "INV-" | "plain"
    /** One export of the present year, and an archive of each month. */
    readonly rolling: boolean
    /** Some invoices are in dollars: each row has its currency. */
    readonly dollars?: true
    /** Which program's list it is; undefined: one of the seller's own making. */
    readonly export?:
      | "xero"
      | "zoho"
      | "quickbooks"
      | "freeagent"
      | "sage accounting"
      | "sage 50"
      | "lexware"
      | "sevdesk"
  }
  readonly bank?: {
    readonly format: "camt" | "mt940" | "csv"
    readonly references: "unique" | "restarting" | "none"
    /**
     * `interim`: reports of the day beside final statements; `formats`: the same account twice; `notified`: a day's sums, and what is
     * in them in notifications.
     */
    readonly files: "apart" | "overlapping" | "interim" | "formats" | "notified"
    /** An account in dollars beside the one in euros. */
    readonly dollars?: true
    /** What is booked as one entry has details of each payment in it, in final statements of camt. */
    readonly details?: true
    /** Which bank's table it is; undefined: one of the seller's own program. */
    readonly export?: "sparkasse" | "dkb" | "n26"
    /** A payment that may be for several invoices of its amount pays the oldest, as the seller set it. */
    readonly undesignated?: "oldest"
    /** What its owner lets be explained without being asked, where no books tell. */
    readonly within?: {
      readonly several: number
      readonly fee: string
      readonly discount: { readonly percent: string; readonly days: number }
    }
  }
  readonly processor?: {
    readonly api: "gocardless" | "csv" | "paypal"
    readonly linked: boolean
  }
  /** Which share of their answers people give wrongly. */
  readonly mistaken?: number
  /** In which the seller's accounts count days, where their times are instants; undefined: as files have them. */
  readonly zone?: Zone
}

/** What a system answers instead of what it should, to how many requests, and after how many others. */
export interface Fault {
  readonly of: "service" | "source"
  readonly kind: "status" | "lose_response" | "lose_request" | "garble"
  readonly status?: number
  readonly skip: number
  readonly times: number
}

/** What is done to Daybook's settings, its files and the service, beside what is true. */
export interface Desk {
  /** Connections that are left out of the configuration. */
  readonly removed: Set<string>
  /** Connections that no longer pay for the books. */
  readonly apart: Set<string>
  /** A copy of the state file is taken; it is put back. */
  readonly backups: Array<"take" | "put back">
  /** A second server is set up anew on another state file, and runs as well. */
  second: boolean
  /** What somebody does on the service by hand: pays an invoice, by its id. */
  readonly byHand: Array<{ readonly invoice: string; readonly amount: bigint }>
  /** Days between which the bank's statements do not add up. */
  readonly refused: Array<{ readonly from: Day; readonly until: Day }>
  /** What goes wrong at the next sync. */
  readonly faults: Array<Fault>
}

export interface World {
  readonly money: Money
  readonly desk: Desk
}

export interface Happening {
  readonly id: string
  readonly day: Day
  /** One of the situations' names. */
  readonly kind: string
  /** In words. */
  readonly what: string
  readonly does: (world: World) => void
}

export interface Plan {
  readonly seed: number
  readonly style: Style
  readonly customers: ReadonlyArray<Customer>
  readonly happenings: ReadonlyArray<Happening>
  /** The days on which somebody runs Daybook while things happen. */
  readonly syncs: ReadonlyArray<Day>
  /** The first day on which nothing happens any more. */
  readonly quiet: Day
}
