/**
 * The kinds of failure that today's program still has, each with its reason. A kind that is not here fails the tests; whoever mends one
 * deletes its line, and the list must come to nothing. `run.ts` names those that its lives no longer found.
 */

/** One payment that several connections tell of is posted for each of them. */
const DOUBLED = "a payment of another connection is added without asking whether the books have it"
/** A reference is looked up as an id before it is a number; foreign digits win over the payer. */
const NAMED = "a text alone decides which invoice is paid"
const OWNED = "a document belongs to the file that was read last, so that another file's loss deletes it"
const EVENTS = "parcels, cancellations and returns are priced one by one, and their sum drifts from the shop's own"
const STATUS = "a failed debit does not outweigh the word paid, which cannot be taken back"
/** What was not read, or left the configuration, holds an invoice up without a word. */
const HELD = "an invoice is not marked as paid, and nothing says why"
const STANDS = "an item stays although nobody can do anything about it"

type Kinds = Readonly<Record<string, string>>

const BOOKS: Kinds = {
  "wrong money: more is received than was paid": DOUBLED,
  "wrong money: marked as paid though it is open": DOUBLED,
  "wrong money: what was paid is taken back": OWNED,
  "wrong money: an invoice is there twice": "two state files of one seller do not know of each other",
  "false agree: more is received than was paid, and everything agrees": DOUBLED,
  "false agree: marked as paid though it is open, and everything agrees": DOUBLED,
  "false agree: what was paid is taken back, and everything agrees": OWNED,
  "false agree: an invoice is there twice, and everything agrees":
    "two state files of one seller do not know of each other",
  "false agree: an invoice is not there, and everything agrees": OWNED,
  "false agree: money is not told, and everything agrees": NAMED,
  "false agree: money is not told, asked about once, and everything agrees": NAMED,
  "false agree: a failed debit of a paid invoice, and everything agrees": STATUS,
  "false agree: the books call a failed debit paid, and everything agrees": STATUS,
  "silence: an invoice is not there": OWNED,
  "silence: an invoice is not there, asked about once": OWNED,
  "silence: money is not told": NAMED,
  "silence: money is not told, asked about once": NAMED,
  "silence: a failed debit of a paid invoice": STATUS,
  "silence: the books call a failed debit paid": STATUS,
  "silence: paid in full and never marked as paid": HELD,
  "silence: paid in full and never marked as paid, asked about once": HELD,
  "false agree: paid in full and never marked as paid, and everything agrees": HELD,
  "false agree: paid in full and never marked as paid, asked about once, and everything agrees": HELD,
  "a question nobody can answer: paid in full and never marked as paid, and no answer helps": HELD,
  "a question nobody can answer: paid in full and never marked as paid, and it waits for ever": HELD,
  "silence: another amount": OWNED,
  "silence: a void invoice stays": "another server creates it again",
  "a question nobody can answer: about a payment of bank, though all is right": DOUBLED,
  "a question nobody can answer: about a payment of debits, though all is right": DOUBLED,
  "a question nobody can answer: about a reversal of debits, though all is right": DOUBLED,
  "a question nobody can answer: about a payment of books, though all is right": STANDS,
  "a question nobody can answer: about a invoice of books, though all is right": OWNED,
  "a question nobody can answer: an invoice is not there, and no answer helps": OWNED,
  "a question nobody can answer: an invoice is not there, and it waits for ever": OWNED,
  "a question nobody can answer: money is not told, and no answer helps": NAMED,
  "a question nobody can answer: money is not told, and it waits for ever": NAMED,
  "a question nobody can answer: another amount, and no answer helps": OWNED,
  "a question nobody can answer: a record cannot be read, though all is right": OWNED,
  "a question nobody can answer: it differs for ever": "a line that is for no invoice is a difference for ever",
  "a question nobody can answer: every run fails": STANDS
}

const SHOP: Kinds = {
  "wrong money: captured before anything left": EVENTS,
  "wrong money: more is charged than what left is worth": EVENTS,
  "wrong money: more is given back than the shop gave back": EVENTS,
  "wrong money: what is owed can no longer be charged": EVENTS,
  "false agree: captured before anything left, and everything agrees": EVENTS,
  "false agree: more is charged than what left is worth, and everything agrees": EVENTS,
  "false agree: more is given back than the shop gave back, and everything agrees": EVENTS,
  "false agree: what is owed can no longer be charged, and everything agrees": EVENTS,
  "false agree: too much is charged in the end, and everything agrees": EVENTS,
  "false agree: too little is charged in the end, and everything agrees": EVENTS,
  "false agree: stays authorised in the end, and everything agrees": EVENTS,
  "silence: too much is charged in the end": EVENTS,
  "silence: too little is charged in the end": EVENTS,
  "silence: stays authorised in the end": EVENTS,
  "a question nobody can answer: too much is charged in the end, and no answer helps": EVENTS,
  "a question nobody can answer: too much is charged in the end, having been asked": EVENTS,
  "a question nobody can answer: too little is charged in the end, and no answer helps": EVENTS,
  "a question nobody can answer: too little is charged in the end, having been asked": EVENTS,
  "a question nobody can answer: stays authorised in the end, and no answer helps": EVENTS,
  "a question nobody can answer: stays authorised in the end, having been asked": EVENTS,
  "a question nobody can answer: about an order, though all is right": EVENTS,
  "a question nobody can answer: an order differs for ever, though all is right": EVENTS,
  "a question nobody can answer: an order cannot be read":
    "prices with more decimals, and lists that do not add up after an edit, are quarantined",
  "a question nobody can answer: every run fails": "an identifier of another payment provider stops the run"
}

const SHOPS = ["shopify", "magento", "woocommerce", "bigcommerce"]

export const KNOWN: ReadonlyMap<string, string> = new Map([
  ...Object.entries(BOOKS).map(([kind, reason]) => [`${kind} (books)`, reason] as const),
  ...SHOPS.flatMap((shop) => Object.entries(SHOP).map(([kind, reason]) => [`${kind} (${shop})`, reason] as const))
])

export const unknown = (names: ReadonlyArray<string>): ReadonlyArray<string> => names.filter((name) => !KNOWN.has(name))
