/** What a life needs on this machine: the service, its clock, a vendor's server, a folder for Daybook. Gone when it is over. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startSandbox } from "../../core/sandbox/index.ts"
import { Product, WorldClock } from "./Product.ts"
import { Service } from "./Service.ts"
import { type Day, instant, iso } from "./Values.ts"
import { leadHome } from "./views/Away.ts"
import { type Answered, type Asked, type Server, serve } from "./views/Server.ts"

/** After the last happening: everything is sent or asked within these many syncs, so many days apart. */
export const QUIET: ReadonlyArray<Day> = [1, 37, 46]

export const OWNER = { organisation: { unique_id: "acme", name: "Acme Ltd", registered: "2024-01-01T00:00:00Z" } }

const KEY = "sandbox-key"
const MEMORY = "/dev/shm"
const HOUR = 20

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
  async evening(day: Day): Promise<void> {
    this.#clock.until(instant(day, HOUR))
    await this.service.setClock(new Date(instant(day, HOUR)).toISOString())
  }

  async close(): Promise<void> {
    await this.product.close()
    await this.second.close()
    await this.#end()
    await this.vendor.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
