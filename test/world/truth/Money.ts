/**
 * What is true of a seller's money: who owes what, what was paid, failed, came back, and what a bookkeeper wrote about it.
 * Views render it; the judge works out from it alone what the service must hold.
 */
import { type Currency, type Day, least, type Minor, sum, type Told } from "../Values.ts"

export interface Customer {
  readonly id: string
  readonly name: string
  readonly iban: string
}

/** An invoice as the books have it; undefined once it is deleted. */
export interface InvoiceBody {
  readonly number: string
  readonly customer: string
  readonly gross: Minor
  /** Undefined: EUR. */
  readonly currency?: Currency
  readonly issued: Day
  readonly due: Day
  readonly status: "draft" | "open" | "void"
  /** Somebody typed what no program can read. */
  readonly garbled?: true
}

export interface Invoice {
  readonly id: string
  readonly body: Told<InvoiceBody | undefined>
}

/** In the invoice's currency. */
export interface Share {
  readonly invoice: string
  readonly amount: Minor
}

/** Money that moved once, or was to. */
export interface Movement {
  readonly id: string
  readonly customer: string
  readonly via: "transfer" | "debit" | "cash"
  readonly day: Day
  readonly for: ReadonlyArray<Share>
  /** What the payer's bank kept of it. */
  readonly fee: Minor
  /** A debit that came back. */
  died?: { readonly day: Day; readonly how: "failed" | "charged back"; readonly line?: string }
  readonly refunds: Array<{ readonly id: string; readonly day: Day; readonly amount: Minor }>
}

/** A payment in the books, allocated to an invoice or on account; negative for money that went back. */
export interface EntryBody {
  readonly date: Day
  readonly amount: Minor
  readonly invoice: string | undefined
  readonly garbled?: true
}

export interface Entry {
  readonly id: string
  readonly movement: string
  /** Of a refund, the entry of its payment. */
  readonly reverses?: string
  /** A refund that the books keep apart: to them the invoice stays paid. */
  readonly aside?: true
  readonly body: Told<EntryBody | undefined>
}

export interface Credit {
  /** What the customer had as a credit balance, and was applied when the invoice was issued. */
  readonly balance?: true
  readonly id: string
  readonly invoice: string
  readonly day: Day
  readonly amount: Minor
}

/** A line on the seller's bank account. */
export interface Line {
  readonly id: string
  readonly day: Day
  readonly amount: Minor
  readonly name: string
  readonly iban: string
  readonly text: string
  readonly e2e?: string
  readonly movement?: string
  /** A debit that the bank took back, and its reason. */
  readonly returned?: string
  /** The account's; undefined: EUR. */
  readonly currency?: Currency
  /** What its payer sent, in another currency than the account's, and what one unit of that was worth. */
  readonly sent?: { readonly amount: Minor; readonly currency: Currency; readonly rate: string }
  /** Which lines the bank books as one, with details of each. */
  readonly batch?: string
}

/** What a processor sent to the bank, and what it is made of. */
export interface Payout {
  readonly id: string
  readonly line: Line
  readonly items: ReadonlyArray<{ readonly type: string; readonly amount: Minor; readonly attempt: string }>
}

/** A debit at the processor. */
export interface Attempt {
  readonly id: string
  readonly movement: string
  /** What the processor was told of the invoice. */
  readonly link: string | undefined
  readonly text: string
  readonly charged: Day
  readonly confirmed: Day
}

/** What belongs together, so that nobody goes through a year for each invoice. */
interface Index {
  readonly movementsFor: ReadonlyMap<string, ReadonlyArray<Movement>>
  /** By each invoice that they ever were for. */
  readonly entriesFor: ReadonlyMap<string, ReadonlyArray<Entry>>
  readonly entriesOf: ReadonlyMap<string, ReadonlyArray<Entry>>
  readonly linesOf: ReadonlyMap<string, ReadonlyArray<Line>>
  readonly invoicesOf: ReadonlyMap<string, ReadonlyArray<Invoice>>
}

const grouped = <A>(all: Iterable<A>, by: (one: A) => Iterable<string>): ReadonlyMap<string, ReadonlyArray<A>> => {
  const groups = new Map<string, Array<A>>()
  for (const one of all)
    for (const name of new Set(by(one))) {
      const group = groups.get(name)
      if (group === undefined) groups.set(name, [one])
      else group.push(one)
    }
  return groups
}

export class Money {
  #index: Index | undefined
  readonly customers = new Map<string, Customer>()
  readonly invoices = new Map<string, Invoice>()
  readonly movements = new Map<string, Movement>()
  readonly entries = new Map<string, Entry>()
  readonly credits = new Map<string, Credit>()
  readonly lines = new Map<string, Line>()
  readonly attempts = new Map<string, Attempt>()
  readonly payouts = new Map<string, Payout>()
  /** Names that the bank shows for a customer besides its own. */
  readonly aliases = new Map<string, string>()
  /** What a program calls an invoice, an entry, a credit note or a debit, besides its own id. */
  readonly called = new Map<string, string>()

  /** Something happened. */
  changed(): void {
    this.#index = undefined
  }

  get #by(): Index {
    this.#index ??= {
      movementsFor: grouped(this.movements.values(), (one) => one.for.map(({ invoice }) => invoice)),
      entriesFor: grouped(this.entries.values(), ({ body }) => body.days.flatMap((day) => body.at(day)?.invoice ?? [])),
      entriesOf: grouped(this.entries.values(), ({ movement }) => [movement]),
      linesOf: grouped(this.lines.values(), ({ movement = "" }) => [this.movements.get(movement)?.customer ?? ""]),
      invoicesOf: grouped(this.invoices.values(), ({ body }) =>
        body.days.flatMap((day) => body.at(day)?.customer ?? [])
      )
    }
    return this.#index
  }

  movementsFor(invoice: string): ReadonlyArray<Movement> {
    return this.#by.movementsFor.get(invoice) ?? []
  }

  /** What the books ever had for an invoice. */
  entriesFor(invoice: string): ReadonlyArray<Entry> {
    return this.#by.entriesFor.get(invoice) ?? []
  }

  entriesOf(movement: string): ReadonlyArray<Entry> {
    return this.#by.entriesOf.get(movement) ?? []
  }

  /** A customer's payments on the bank account. */
  linesOf(customer: string): ReadonlyArray<Line> {
    return this.#by.linesOf.get(customer) ?? []
  }

  invoicesOf(customer: string): ReadonlyArray<Invoice> {
    return this.#by.invoicesOf.get(customer) ?? []
  }

  /** A text with own ids in place of a program's. */
  plain(text: string): string {
    return text.replaceAll(/(?<=\/)[^/\s),;]+/g, (word) => this.called.get(word) ?? word)
  }

  /** What a program calls an invoice. */
  nameFor(invoice: string): string {
    return [...this.called].find(([, own]) => own === invoice)?.[0] ?? invoice
  }

  amountOf(movement: Movement): Minor {
    return sum(movement.for.map(({ amount }) => amount))
  }

  /** What is left of a movement's share for an invoice on a day. */
  live(
    movement: Movement,
    invoice: string,
    day: Day,
    isDead = movement.died !== undefined && movement.died.day <= day
  ): Minor {
    if (movement.day > day || isDead) return 0n
    const mine = sum(movement.for.filter((one) => one.invoice === invoice).map(({ amount }) => amount))
    const back = sum(movement.refunds.filter((one) => one.day <= day).map(({ amount }) => amount))
    return movement.for[0]?.invoice === invoice ? mine - least(mine, back) : mine
  }

  /** What was received for an invoice by a day. */
  received(invoice: string, day: Day): Minor {
    return sum(this.movementsFor(invoice).map((one) => this.live(one, invoice, day)))
  }

  /** What went back and the books keep apart: to them the invoice stays paid. Below 0. */
  aside(invoice: string, day: Day): Minor {
    return sum(
      this.entriesFor(invoice).flatMap((one) => {
        const its = one.body.at(day)
        return one.aside === true && its?.invoice === invoice ? [its.amount] : []
      })
    )
  }

  credited(invoice: string, day: Day): Minor {
    return sum(
      [...this.credits.values()].filter((one) => one.invoice === invoice && one.day <= day).map((c) => c.amount)
    )
  }

  /** Whether so much is open of an invoice in the books. */
  takes(invoice: string, amount: Minor, day: Day): boolean {
    const body = this.invoices.get(invoice)?.body.at(day)
    const open = (body?.gross ?? 0n) - this.credited(invoice, day) - this.booked(invoice, day)
    return body?.status === "open" && amount <= open
  }

  /** What the books say was received for an invoice; without what `except` names, by movement. */
  booked(invoice: string, day: Day, except: (movement: string) => boolean = () => false): Minor {
    return sum(
      this.entriesFor(invoice).map(({ body, movement }) => {
        const now = body.at(day)
        return now?.invoice === invoice && !except(movement) ? now.amount : 0n
      })
    )
  }
}
