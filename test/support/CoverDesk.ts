/** Books with cover, for command-line tests: invoices of today, and a sandbox that offers, declines and advances time. */
import Sqlite from "better-sqlite3"
import type { CoverSettings } from "../../sync/model/CoverSettings.ts"
import { configuration, desk, type Desk, ofType, type RunOptions, service } from "./Cli.ts"

const DAY_MS = 86_400_000

/** The calendar day that many days from now. */
export const day = (from: number): string => new Date(Date.now() + from * DAY_MS).toISOString().slice(0, 10)

export const SETTINGS: CoverSettings = {
  select: [{ min: "500.00" }],
  price: { currency: "GBP", per_invoice: "50.00", per_month: "500.00" },
  pay_with: { env: "COVER_PAYMENT" },
  // Time passes on the service alone.
  clock_tolerance: "400 days",
  handover: {
    contact: { name: "Pat Acme", email: "pat@acme.example" },
    bank: { name: "Acme Ltd", sortcode: { env: "BANK_SORTCODE" }, number: { env: "BANK_NUMBER" } },
    documents: "invoices/{number}.pdf"
  }
}

export const ENV = { COVER_PAYMENT: "tok_visa", BANK_SORTCODE: "20-00-00", BANK_NUMBER: "12345678" }

/** A file whose content matches its extension. */
export const PDF = `%PDF-1.7\nthe invoice\n%%EOF\n`

const HEAD = "Invoice,Buyer,Country,Address,Currency,Issued,Due,Net,Gross,State\n"

/**
 * `INV-1` is cheap, `INV-2` exceeds `per_invoice` and is due when the others are late, `INV-3` is too small to be selected, `INV-4`
 * is declined.
 */
export const invoices = (): string =>
  HEAD +
  [
    ["INV-1", "Harbour Lane Bakery Ltd", "1 Quay Street Bristol", "1000.00"],
    ["INV-2", "Brightwater Foods Ltd", "9 Mill Lane Leeds", "9000.00"],
    ["INV-3", "Tern & Sons Ltd", "", "100.00"],
    ["INV-4", "Declined Buyer Uncreditworthy Ltd", "", "2000.00"]
  ]
    .map(
      ([id, buyer, address, net]) =>
        `${id},${buyer},GB,${address},GBP,${day(-5)},${day(id === "INV-2" ? 110 : 25)},${net},${net},Sent\n`
    )
    .join("")

export interface CoverDesk extends Desk {
  readonly service: Awaited<ReturnType<typeof service>>
  /** Runs a command with the secrets in its environment. */
  readonly does: (...args: ReadonlyArray<string>) => ReturnType<Desk["run"]>
  /** Advances time on the service. */
  readonly pass: (days: number) => Promise<void>
}

export interface CoverOptions {
  readonly cover?: Partial<CoverSettings> | null
  readonly files?: Readonly<Record<string, string>>
  readonly env?: RunOptions["env"]
  readonly daemon?: object
  /** Additional settings of the connection. */
  readonly connection?: object
}

/** A folder with such books, and a service for them. */
export const coverDesk = async ({
  connection: more = {},
  cover = {},
  daemon,
  env = ENV,
  files = {}
}: CoverOptions = {}): Promise<CoverDesk> => {
  const own = await service()
  const base = configuration(own.url)
  const [books] = base.connections
  const { payments: _, ...source } = books!.source
  const { currency: __, ...rest } = source.invoices
  const columns = { ...rest.columns, customer_address: "Address", currency: "Currency" }
  const connection = {
    ...books,
    source: { ...source, invoices: { ...rest, columns } },
    creditor: { name: "Acme Ltd", country: "GB" },
    owner: {
      organisation: {
        unique_id: "acme",
        name: "Acme Ltd",
        registered: "2020-01-01T00:00:00Z",
        members: [{ email: "pat@acme.example", name: "Pat Acme", role: "admin" }]
      }
    },
    ...(cover === null ? {} : { cover: { ...SETTINGS, ...cover } }),
    ...more
  }
  const made = desk({
    "daybook.config.json": JSON.stringify(
      { ...base, connections: [connection], ...(daemon === undefined ? {} : { daemon }) },
      null,
      2
    ),
    "invoices.csv": invoices(),
    "invoices/INV-1.pdf": PDF,
    ...files
  })
  let passed = 0
  return {
    ...made,
    service: own,
    does: (...args) => made.runWith({ env }, ...args),
    pass: async (days) => {
      await own.control("POST", "clock", { advance: `P${days}D` })
      passed += days
      // What it read of cover, by the service's clock, is a day old: nobody knows when a window began in between.
      const db = new Sqlite(made.path("daybook.db"))
      db.prepare("UPDATE cover SET read = ?").run(Date.now() + (passed - 1) * 86_400_000)
      db.close()
    }
  }
}

/** The same after INV-1 was insured, when its policy can be handed over. */
export const lateDesk = async (options: CoverOptions = {}): Promise<CoverDesk> => {
  const desk = await coverDesk(options)
  await desk.does("sync")
  await desk.pass(75)
  await desk.does("sync")
  return desk
}

/** The digest of what would be handed over. */
export const digestOf = async ({ does }: CoverDesk): Promise<string> => {
  const [view] = ofType(await does("collect", "INV-1", "--json"), "collection")
  return String(view?.["digest"])
}

/** How often the service was asked to hand something over. */
export const sentOn = async ({ service }: CoverDesk): Promise<number> =>
  (await service.calls()).filter(({ path }) => path.endsWith("/send")).length

/** Both declarations, by name. */
export const ALL_DECLARED = ["--not-disputed", "--declare-correct", "--accept-terms", "--name", "Ada Reed"]
