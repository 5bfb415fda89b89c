/**
 * The kinds of failure that today's program still has, each with its reason. A kind that is not here fails the tests; whoever mends one
 * deletes its line, and the list must come to nothing. `run.ts` names those that its lives no longer found.
 */

const NAMELESS =
  "of two equal invoices, the one is paid twice by a payer who writes nothing, or by debits that name no invoice"
const REFUNDED = "a debit that names no invoice, of which the books have only what is left after its refund"
const COVERED = "what a bank kept of a payment that the books have whole is not known to be the same money"
const TAKEN_FOR =
  "a debit that names no invoice and went back is taken for what the books have of the payer in its amount days later; the item has no answer for it"

type Kinds = Readonly<Record<string, string>>

const BOOKS: Kinds = {
  "wrong money: more is received than was paid": NAMELESS,
  "wrong money: marked as paid though it is open": NAMELESS,
  "false agree: more is received than was paid, and everything agrees": NAMELESS,
  "false agree: marked as paid though it is open, and everything agrees": NAMELESS,
  "false agree: money is not told, and everything agrees": NAMELESS,
  "false agree: money is not told, asked about once, and everything agrees": NAMELESS,
  "false agree: a failed debit of a paid invoice, and everything agrees": NAMELESS,
  "silence: money is not told": NAMELESS,
  "silence: money is not told, asked about once": TAKEN_FOR,
  "silence: a failed debit of a paid invoice": NAMELESS,
  "a question nobody can answer: about a invoice of books, though all is right": COVERED,
  "a question nobody can answer: about a payment of debits, though all is right": NAMELESS,
  "a question nobody can answer: money is not told, and no answer helps": COVERED,
  "a question nobody can answer: paid in full and never marked as paid, and no answer helps": COVERED,
  "a question nobody can answer: a record cannot be read, though all is right":
    "what could not be read of a bank's file stays after the bank took the file away"
}

const XERO: Kinds = {
  "wrong money: what was paid is taken back": TAKEN_FOR,
  "silence: money is not told": TAKEN_FOR,
  "silence: money is not told, asked about once": TAKEN_FOR,
  "wrong money: more is received than was paid": REFUNDED,
  "a question nobody can answer: about a payment of debits, though all is right": REFUNDED,
  "a question nobody can answer: about a invoice of books, though all is right": COVERED
}

const QUICKBOOKS: Kinds = {
  "a question nobody can answer: about a payment of debits, though all is right": REFUNDED,
  "wrong money: more is received than was paid": NAMELESS,
  "wrong money: marked as paid though it is open": NAMELESS,
  "false agree: more is received than was paid, and everything agrees": NAMELESS,
  "false agree: marked as paid though it is open, and everything agrees": NAMELESS,
  "false agree: money is not told, and everything agrees": NAMELESS,
  "false agree: a failed debit of a paid invoice, and everything agrees": NAMELESS,
  "silence: money is not told": NAMELESS,
  "silence: a failed debit of a paid invoice": NAMELESS,
  "a question nobody can answer: about a invoice of books, though all is right": COVERED,
  "a question nobody can answer: paid in full and never marked as paid, and no answer helps": COVERED
}

const STRIPE: Kinds = {
  "false agree: money is not told, and everything agrees": NAMELESS,
  "silence: money is not told": NAMELESS
}

const EACH = { books: BOOKS, xero: XERO, quickbooks: QUICKBOOKS, stripe: STRIPE }

export const KNOWN: ReadonlyMap<string, string> = new Map(
  Object.entries(EACH).flatMap(([where, kinds]) =>
    Object.entries(kinds).map(([kind, reason]) => [`${kind} (${where})`, reason] as const)
  )
)

export const unknown = (names: ReadonlyArray<string>): ReadonlyArray<string> => names.filter((name) => !KNOWN.has(name))
