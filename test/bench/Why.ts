/**
 * Why figures are missed, in one line each, by profile: said wherever one is. What else was seen stands in the README.
 */
import { type Figure, seconds } from "./Figure.ts"

/** By the beginnings of their names. */
const REASONS: ReadonlyArray<readonly [name: string, why: string]> = [
  [
    "requests: nothing new",
    "Sage has a list of what changed and one of what was deleted for each of three kinds, and FreeAgent has payments by bank account: fewer questions would miss a deletion"
  ],
  [
    "requests: a first reading",
    "Zoho Books does not list which invoices its credit notes, or its payments of several invoices, are applied to: each such invoice takes a request of its own"
  ],
  [
    "import: workbook",
    "reading the sheet takes half of what hucre takes; the program's start takes as much again, decoding and storing the rows twice that, and the baseline does none of it"
  ],
  [
    "import: memory",
    "what a page brings outlives the young generation, and the collector frees it when it has the time to"
  ],
  [
    "import:",
    "decoding takes one thread nearly as long as the importer by hand takes for everything, and storing another as long, two fifths of it in SQLite; where the processors are busy the two take turns, and their processor time adds up"
  ],
  [
    "unchanged: one of",
    "the program starts, reads the bytes twice, and checks the documents of each chunk that it does not decode"
  ],
  [
    "unchanged: the very same",
    "it takes what the program takes to start, a quarter of a second of processor time: no file is looked into"
  ],
  [
    "sent:",
    "what the ledger holds of an invoice takes 138 bytes, and is in no page; a packed call takes 47, its digests in the chain 68, what is asked of customers 77, the sums of closing statements 74, debtors that nobody names yet 43"
  ],
  ["quiet: sync", "twice a bare open is less than this program takes to load what a sync needs"],
  [
    "match:",
    "half is SQLite, and half of that inserts a row for each payment, each invoice, each name and each match, in tables with several indexes; an eighth is garbage collection, the rest parses and decides; reading alone does none of it"
  ],
  [
    "apply: 64 at a time",
    "one thread makes all calls: each takes 0.4 ms of its time once V8 has compiled what it uses, and 1.1 ms before, in the first 500"
  ],
  [
    "apply: 16 at a time",
    "all that may be in flight is; the plan before the first call, the first 500 calls, which V8 has not compiled, and answers that wait for each other in this thread take the rest"
  ],
  [
    "apply: no latency",
    "more than half of the run is the plan and the first 500 calls, which V8 has not compiled; of a later call, a third is transactions, which also write the ledger, a fifth undici and the socket, a tenth fibers, 7% garbage collection"
  ],
  [
    "reading: audit",
    "twice the loop is what parsing the same pages and rows by hand takes, which compares nothing; a third of ours recalculates every invoice of the books from its documents, which finds wrong rows of the ledger; a quarter looks at the ledger's rows, an eighth reads the answers"
  ],
  [
    "reading: first sending",
    "each transaction is asked for with its owner, which nearly doubles the pages: parsing and decoding them takes four fifths"
  ],
  [
    "reading: witness",
    "reading the source again takes a fifth, writing and reading what it keeps as JSON a quarter, SQLite a fifth, judging an eighth, the answers an eighth"
  ],
  [
    "first sync:",
    "the plan is made and judged whole before the first call, and the first five hundred calls, which V8 has not compiled, take three times as long"
  ],
  [
    "start: import",
    "several hundred modules are found, read and compiled one by one: bundled with Effect's, as a daybook.config.ts gets it, they take a quarter"
  ],
  [
    "tenants: the same, opened",
    "opening checks the file, takes its lock on the disk and prepares its statements again; a daemon keeps tenants that run open"
  ],
  [
    "start:",
    "Node itself is more than a third, evaluating modules a fifth, reading their compiled code an eighth; the rest is the command's own run, SQLite's driver and opening the file"
  ],
  [
    "sandbox: GET one of",
    "what is asked for does not stay in the processor's caches: where 1,000 of the 10,000 are asked for again and again, a request takes no longer than where only those are held"
  ],
  [
    "sandbox:",
    "node:http takes 18 µs of processor time for a reading and 22 for a new one; our own work takes 3 and 14, nearly half of the latter to parse and write JSON; a rate also depends on how often the client sleeps and has to be woken"
  ]
]

/** What the bench did, and how long it took. */
export interface Part {
  readonly name: string
  readonly seconds: number
}

/** The parts that took longest. */
export const longest = (parts: ReadonlyArray<Part>): string => {
  const most = parts.toSorted((a, b) => b.seconds - a.seconds).slice(0, 4)
  return `longest: ${most.map((part) => `${part.name} ${seconds(part.seconds)}`).join(", ")}`
}

const reasonOf = (name: string, busy: boolean): string | undefined => {
  if (!name.startsWith("bench:")) return REASONS.find(([start]) => name.startsWith(start))?.[1]
  return busy ? "the machine had other work to do before" : "the measurements themselves take that long"
}

/**
 * The figure, with the reason in its note where it is missed.
 *
 * @param busy whether the machine had other work to do before the first figure
 */
export const explained = (figure: Figure, busy = false): Figure => {
  const why = figure.held ? undefined : reasonOf(figure.name, busy)
  if (why === undefined) return figure
  return { ...figure, note: figure.note === undefined ? `missed: ${why}` : `${figure.note}; missed: ${why}` }
}
