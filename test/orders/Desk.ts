/**
 * A folder with a shop's files, a configuration and a state file, and the real command run in it, in a process of its
 * own. Also what happens to a state file past the command: it is lost, copied, put back.
 */
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Program } from "../crash/Program.ts"
import { type Fact, files, type Order, source } from "./Books.ts"
import type { Json } from "./Service.ts"

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
  connection = "shop"
  #orders: Json = { link: "unique_id" }
  readonly #program: Program
  readonly #key: string
  readonly #url: string

  constructor(program: Program, { key, url }: { readonly key: string; readonly url: string }) {
    this.#program = program
    this.#key = key
    this.#url = url
    this.folder = join(program.folder, `desk-${key}`)
    mkdirSync(this.folder, { recursive: true })
  }

  /** How orders are told from now on. */
  settings(orders: Json): void {
    this.#orders = orders
  }

  write(orders: ReadonlyArray<Order>, facts: ReadonlyArray<Fact>): void {
    const configuration = {
      service: { url: this.#url, key: { env: "SERVICE_KEY" }, settle_after: "200 millis" },
      connections: [
        {
          id: this.connection,
          source,
          orders: this.#orders,
          owner: { organisation: { unique_id: "shop", name: "Harbour Lane", registered: "2024-01-01T00:00:00Z" } }
        }
      ]
    }
    const all = { ...files(orders, facts), "daybook.config.json": JSON.stringify(configuration) }
    for (const [name, text] of Object.entries(all)) {
      const path = join(this.folder, name)
      writeFileSync(`${path}.new`, text)
      renameSync(`${path}.new`, path)
    }
  }

  async run(...args: ReadonlyArray<string>): Promise<Synced> {
    const { said, signal, status } = await this.#program.run(this.folder, args, undefined, this.#key)
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
    return this.run("sync", "--allow-reductions", "--json")
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
