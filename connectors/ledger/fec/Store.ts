/**
 * Keeps lines of customers' accounts on disk while they are read, in a temporary file of SQLite, which nobody else sees and which is
 * gone when it is closed: lettering may lead from any line of a customer to any other, and there may be millions. In memory
 * are the customers, and the lines of those few whom moves between accounts connect.
 */
import Sqlite from "better-sqlite3"
import type { Decimal } from "../../../core/money/Decimal.ts"
import type { PayMethod } from "../../Document.ts"
import { copied, Item, type Source, type Within } from "./Item.ts"
import { parsed } from "./Lines.ts"
import type { Role } from "./Roles.ts"
import { Sets } from "./Sets.ts"

const TABLES = `
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
CREATE TABLE line (
  file INTEGER, customer INTEGER, ref TEXT, amount TEXT, number INTEGER, raw TEXT,
  role TEXT, net TEXT, lost TEXT, method TEXT, move INTEGER
);
BEGIN`

const INDEX = "CREATE INDEX IF NOT EXISTS line_customer ON line (customer, ref, amount)"

interface Row {
  readonly at: number
  readonly file: number
  readonly number: number
  readonly raw: string
  readonly role: Role
  readonly net: string | null
  readonly lost: string | null
  readonly method: PayMethod | null
  readonly move: number | null
}

const said = (amount: Decimal | undefined): string | null => (amount === undefined ? null : String(amount))
const amountIn = (said: string | null): Decimal | undefined => (said === null ? undefined : BigInt(said))

export class Store {
  readonly #db = new Sqlite("")
  readonly #sources: Array<Source> = []
  readonly #customers = new Map<string, number>()
  /** Customers whom moves connect. */
  readonly #sets = new Sets()
  #moved: { readonly file: number; readonly move: number; readonly customer: number } | undefined
  readonly #put

  constructor() {
    this.#db.exec(TABLES)
    this.#put = this.#db.prepare("INSERT INTO line VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
  }

  add(source: Source): number {
    return this.#sources.push(source) - 1
  }

  put(file: number, { amount, customer, line, raw, ref }: Item, { lost, method, move, net, role }: Within): void {
    const known = this.#customers.get(customer)
    const id = known ?? this.#sets.add()
    if (known === undefined) this.#customers.set(copied(customer), id)
    if (move !== undefined) {
      if (this.#moved?.file === file && this.#moved.move === move) this.#sets.join(id, this.#moved.customer)
      this.#moved = { file, move, customer: id }
    }
    const own = [role, said(net), said(lost), method ?? null, move ?? null]
    this.#put.run(file, id, ref, said(amount), line, raw, ...own)
  }

  /** How many lines of one file another one has, too. */
  same(one: number, other: number): number {
    this.#db.exec(INDEX)
    return (
      this.#db
        .prepare<[number, number], number>(
          `SELECT count(*) FROM line a WHERE a.file = ? AND EXISTS
          (SELECT 1 FROM line b WHERE b.file = ? AND b.customer = a.customer AND b.ref = a.ref AND b.amount = a.amount)`
        )
        .pluck()
        .get(one, other) ?? 0
    )
  }

  /** The lines of these files, in their order: those of customers whom moves connect together. */
  *connected(files: ReadonlySet<number>): Generator<ReadonlyArray<Item>> {
    this.#db.exec(INDEX)
    const of = this.#db.prepare<[number], Row>("SELECT rowid AS at, * FROM line WHERE customer = ? ORDER BY rowid")
    for (const customers of Map.groupBy(this.#customers.values(), (id) => this.#sets.find(id)).values()) {
      const rows = customers.flatMap((id) => of.all(id)).filter(({ file }) => files.has(file))
      if (customers.length > 1) rows.sort((a, b) => a.at - b.at)
      if (rows.length > 0) yield rows.map((row) => this.#itemOf(row))
    }
  }

  #itemOf({ file, lost, method, move, net, number, raw, role }: Row): Item {
    const source = this.#sources[file] as Source
    return new Item(source, parsed(number, raw, source.layout), {
      role,
      net: amountIn(net),
      lost: amountIn(lost),
      method: method ?? undefined,
      move: move ?? undefined
    })
  }

  close(): void {
    this.#db.close()
  }
}
