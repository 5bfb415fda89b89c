/**
 * A folder with a configuration and a state file, a shop that the configuration reads, and the real command run there, in
 * a process of its own. Also what happens to a state file past the command: it is lost, copied, put back.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { parse } from "csv-parse/sync"
import type { Program } from "../crash/Program.ts"
import type { Fact, Order } from "./Books.ts"
import type { Json } from "./Service.ts"
import { filesIn, put, type Storefront } from "./Storefront.ts"
import { GO_ON } from "../support/GoOn.ts"

export interface Attention {
  readonly id: number
  readonly document: string
  readonly why: string
}

export interface Synced {
  readonly status: number | null
  readonly said: string
  readonly attention: ReadonlyArray<Attention>
  /** Orders whose difference the statement names. */
  readonly named: ReadonlySet<string>
}

const PARTS = ["", "-wal", "-shm"]

export class Desk {
  readonly folder: string
  readonly front: Storefront
  connection = "shop"
  #orders: Json = { link: "unique_id" }
  readonly #program: Program
  readonly #key: string
  readonly #url: string

  /** @param front files in its folder, unless given */
  constructor(
    program: Program,
    { front, key, url }: { readonly key: string; readonly url: string; readonly front?: Storefront }
  ) {
    this.#program = program
    this.#key = key
    this.#url = url
    this.folder = join(program.folder, `desk-${key}`)
    mkdirSync(this.folder, { recursive: true })
    this.front = front ?? filesIn(this.folder)
  }

  /** How orders are exported from now on. */
  settings(orders: Json): void {
    this.#orders = orders
  }

  write(orders: ReadonlyArray<Order>, facts: ReadonlyArray<Fact>): void {
    const configuration = {
      service: { url: this.#url, key: { env: "SERVICE_KEY" }, settle_after: "200 millis" },
      connections: [
        {
          id: this.connection,
          source: this.front.source,
          orders: this.#orders,
          first_sync: "send",
          owner: { organisation: { unique_id: "shop", name: "Harbour Lane", registered: "2024-01-01T00:00:00Z" } }
        }
      ]
    }
    this.front.say(orders, facts)
    put(this.folder, "daybook.config.json", JSON.stringify(configuration))
  }

  /** The key of an order's document. */
  keyOf({ id }: Pick<Order, "id">): string {
    return `${this.connection}/order/${this.front.id(id)}`
  }

  async run(...args: ReadonlyArray<string>): Promise<Synced> {
    const { said, signal, status } = await this.#program.run(
      this.folder,
      args,
      undefined,
      this.#key,
      this.front.environment
    )
    if (signal !== null) throw new Error(`${args.join(" ")} ended with ${signal}`)
    const lines = said
      .split("\n")
      .flatMap((text): ReadonlyArray<Json> => (text.startsWith("{") ? [JSON.parse(text)] : []))
    const attention = lines.filter(({ type }) => type === "attention") as unknown as ReadonlyArray<Attention>
    const statements = lines.filter(({ type }) => type === "orders")
    const differences = statements.flatMap((one) =>
      ["differences", "waiting"].flatMap((name) => one[name] as ReadonlyArray<{ readonly document: string }>)
    )
    const named = new Set(differences.map(({ document }) => document))
    return { status, said, attention, named }
  }

  sync(): Promise<Synced> {
    return this.run("sync", ...GO_ON, "--json")
  }

  /** The sheet of orders as it is exported: by the key of each order's document, its row by the sheet's columns. */
  async sheet(): Promise<ReadonlyMap<string, Readonly<Record<string, string>>>> {
    const path = join(this.folder, "books.orders.csv")
    rmSync(path, { force: true })
    const { said, status } = await this.run("export", "books.csv")
    if (status !== 0) throw new Error(`export ended with ${status}: ${said}`)
    if (!existsSync(path)) return new Map()
    const rows: ReadonlyArray<Readonly<Record<string, string>>> = parse(readFileSync(path), {
      bom: true,
      columns: true
    })
    return new Map(rows.map((row) => [row["Document"]!, row]))
  }

  get state(): string {
    return join(this.folder, "daybook.db")
  }

  #copy(from: string, to: string): void {
    for (const part of PARTS) {
      rmSync(to + part, { force: true })
      if (existsSync(from + part)) copyFileSync(from + part, to + part)
    }
  }

  /** A copy of the state file as `cp` makes it. */
  keepState(): void {
    this.#copy(this.state, join(this.folder, "kept.db"))
  }

  putStateBack(): void {
    this.#copy(join(this.folder, "kept.db"), this.state)
  }

  loseState(): void {
    for (const part of PARTS) rmSync(this.state + part, { force: true })
  }
}
