/** What a life needs on this machine: the service, its clock, a vendor's server, a folder for Daybook. Gone when it is over. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startSandbox } from "../../core/sandbox/index.ts"
import { Product, WorldClock } from "./Product.ts"
import { Service } from "./Service.ts"
import type { Fault } from "./truth/Plan.ts"
import { type Day, eveningIn, instant, iso, type Zone } from "./Values.ts"
import { leadHome } from "./views/Away.ts"
import { type Answered, type Asked, type Server, serve } from "./views/Server.ts"

/** After the last happening: everything is sent or asked within these many syncs, so many days apart. */
export const QUIET: ReadonlyArray<Day> = [1, 37, 46]

/** By then the quarter is over in which nobody is asked about the money of strangers. */
export const QUARTER: Day = 138

export const OWNER = { organisation: { unique_id: "acme", name: "Acme Ltd", registered: "2024-01-01T00:00:00Z" } }

const KEY = "sandbox-key"
const MEMORY = "/dev/shm"

export class Stage {
  readonly product: Product
  readonly second: Product
  readonly service: Service
  readonly vendor: Server
  readonly url: string
  readonly #clock: WorldClock
  readonly #folder: string
  readonly #end: () => Promise<void>

  private constructor(folder: string, url: string, vendor: Server, clock: WorldClock, end: () => Promise<void>) {
    const environment = {
      SERVICE_KEY: KEY,
      GOCARDLESS: "token",
      SHOP: "token",
      APP: "app",
      APP_SECRET: "secret",
      APP_REFRESH: "refresh",
      DAYBOOK_SEAL: Buffer.alloc(32, 7).toString("base64")
    }
    leadHome(vendor.url)
    this.#clock = clock
    this.#folder = folder
    this.#end = end
    this.url = url
    this.vendor = vendor
    this.service = new Service(url, KEY)
    this.product = new Product(folder, "daybook.db", this.#clock, environment)
    this.second = new Product(join(folder, "second"), "daybook.db", this.#clock, environment)
  }

  static async open(answers: (asked: Asked) => Answered | undefined): Promise<Stage> {
    const folder = mkdtempSync(join(process.platform === "linux" ? MEMORY : tmpdir(), "daybook-world-"))
    const sandbox = await startSandbox({ port: 0, keys: [KEY], clock: `${iso(0)}T00:00:00Z` })
    const clock = new WorldClock(instant(0))
    return new Stage(
      folder,
      sandbox.url,
      await serve(answers, () => clock.currentTimeMillisUnsafe()),
      clock,
      sandbox.close
    )
  }

  get configured(): object {
    return { url: this.url, key: { env: "SERVICE_KEY" }, settle_after: "1 seconds" }
  }

  /** The evening of a day, for Daybook and for the service. */
  async evening(day: Day, zone?: Zone): Promise<void> {
    const at = instant(day, eveningIn(zone))
    this.#clock.until(at)
    await this.service.setClock(new Date(at).toISOString())
  }

  /** These go wrong until it is over. */
  async amid<A>(faults: Array<Fault>, work: () => Promise<A>): Promise<A> {
    const all = faults.splice(0)
    for (const { of, ...fault } of all)
      if (of === "service") await this.service.ask("POST", "/sandbox/faults", { ...fault, retry_after: 1 })
      else this.vendor.fails(fault)
    const done = await work()
    await this.service.ask("DELETE", "/sandbox/faults")
    this.vendor.fails(undefined)
    return done
  }

  async close(): Promise<void> {
    await this.product.close()
    await this.second.close()
    await this.#end()
    await this.vendor.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
