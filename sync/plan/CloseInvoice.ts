/** What one invoice adds to the closing statements of all months: its movements in the books and on the service. */
import type { Allocated, Invoice } from "../../connectors/Document.ts"
import * as Day from "../../core/wire/Day.ts"
import type { Planning } from "../model/Connection.ts"
import type { Fact, InvoiceFacts } from "../model/InvoiceFacts.ts"
import type { RemoteInvoice } from "../model/RemoteInvoice.ts"
import * as Facts from "./Facts.ts"
import { partyKey } from "./PartyKey.ts"
import type { Surroundings } from "./Surroundings.ts"
import { openAmount, type OpenAmount } from "../rules/OpenAmount.ts"
import type { Db } from "../state/Database.ts"
import { ROW } from "../state/RecordPages.ts"
import { inBooks, type Movement, onService } from "./CloseMovements.ts"

const READ = `SELECT coalesce(d.read, (SELECT p.read FROM record_page p WHERE p.id = d.record ${ROW})) FROM document d WHERE d.key = ?`

export interface Counted {
  readonly facts: InvoiceFacts
  readonly currency: string
  readonly party: string
  readonly customer: string
  readonly invoice: Invoice | undefined
  readonly remote: RemoteInvoice | undefined
  readonly books: ReadonlyArray<Movement>
  readonly service: ReadonlyArray<Movement>
  readonly figures: OpenAmount["figures"]
}

/** Without a currency it is in no sum. */
type InvoiceMoves = Counted | (Pick<Counted, "facts"> & { readonly currency?: undefined })

export const movesOf = (db: Db, key: string, planning: Planning, around?: Surroundings): InvoiceMoves => {
  const facts = Facts.invoiceFacts(db, key, around)
  const remote = Facts.remoteInvoice(db, key, around)
  const open = openAmount(facts, remote, planning)
  if (open === undefined || (open.figures === undefined && remote === undefined)) return { facts }
  const { invoice } = facts
  /** The day on which it was read as it is now. */
  const read = () => Day.fromEpochMillis(db.prepare(READ).pluck().get(key) as number)
  return {
    facts,
    currency: open.currency,
    party: invoice === undefined ? "" : partyKey(invoice),
    customer: invoice?.party.name ?? String(remote?.fields["debtor_name"] ?? ""),
    invoice,
    remote,
    books: invoice === undefined ? [] : inBooks(facts, invoice, open, read),
    service: remote === undefined ? [] : onService(facts, remote),
    figures: open.figures
  }
}

/** Payments and credit notes of an invoice that is not in the books. */
export const waitingFor = ({
  creditNotes,
  deleted,
  invoice,
  payments
}: InvoiceFacts): ReadonlyArray<Fact<Allocated>> =>
  invoice === undefined || deleted ? [...payments, ...creditNotes] : []
