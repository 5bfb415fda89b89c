/**
 * A tenant's configuration in JSON, which somebody else may have written, runs no code, reads no file outside its folder, uses
 * no secret of the daemon and leads to no address of this network, unless the operator allows it.
 */
import * as Address from "../../connectors/sql/Address.ts"
import { assert, beforeEach, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import type { Configuration } from "../../sync/library/config/Configuration.ts"
import { add } from "../../sync/library/many/TenantChanges.ts"
import { tenantIn } from "../../sync/library/many/TenantSource.ts"
import * as ConnectorContext from "../../sync/pull/ConnectorContext.ts"
import * as Preview from "../../sync/pull/Preview.ts"
import * as ServiceClient from "../../sync/library/ServiceClient.ts"
import { atEnd } from "../support/AtEnd.ts"
import { remove } from "../support/Built.ts"

let home = ""

const OWNER = { organisation: { unique_id: "acme", name: "Acme Ltd", registered: "2024-01-01T00:00:00Z" } }
const CSV = "Invoice,Buyer,Issued,Due,Currency,Gross\nINV-1,Secret Buyer,2026-10-01,2026-10-31,GBP,1.00\n"
const COLUMNS = { id: "Invoice", customer: "Buyer", issued: "Issued", due: "Due", gross: "Gross", currency: "Currency" }

const put = (path: string, text: string | object): string => {
  const file = join(home, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, typeof text === "string" ? text : JSON.stringify(text))
  return file
}

const source = (one: object, more: object = {}) => ({
  service: { url: "http://127.0.0.1:4010", key: { env: "SERVICE_KEY" } },
  connections: [{ id: "b", source: one, owner: OWNER, ...more }]
})

const csv = (path: string) => source({ connector: "files", invoices: { path, columns: COLUMNS } })

/** The configuration, or what is wrong with it. */
const read = async (config?: object): Promise<Configuration | string> => {
  if (config !== undefined) put("acme/daybook.config.json", config)
  const done = await Effect.runPromise(Effect.result(tenantIn(join(home, "acme"), "acme").read))
  return done._tag === "Failure" ? done.failure.message : done.success
}

/** What a tenant's source gives, or why not. */
const rows = async (config?: object): Promise<string> => {
  const configuration = await read(config)
  if (typeof configuration === "string") return configuration
  const done = await Effect.runPromise(
    Effect.result(
      Preview.preview(configuration, configuration.connections[0]!, ":memory:", { show: 5 }).pipe(
        Effect.provide(ServiceClient.outside)
      )
    )
  )
  return done._tag === "Failure"
    ? done.failure.message
    : JSON.stringify(done.success, (_, v) => (typeof v === "bigint" ? `${v}` : v))
}

const wrong = async (config: object): Promise<string> => {
  const found = await read(config)
  assert.isString(found, JSON.stringify(config))
  return found as string
}

describe("a tenant's configuration in JSON", () => {
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "daybook-bounds-"))
    atEnd(() => remove(home))
    put("acme/invoices.csv", CSV.replace("Secret Buyer", "Own Buyer"))
    put("globex/invoices.csv", CSV)
  })

  it("reads files of its own folder, and of no other", async () => {
    assert.include(await rows(csv("invoices.csv")), "Own Buyer")
    symlinkSync("../globex/invoices.csv", join(home, "acme", "link.csv"))
    symlinkSync("../globex", join(home, "acme", "folder"))
    const outside = [
      "../globex/invoices.csv",
      "./x/../../globex/invoices.csv",
      "../globex",
      "..",
      "../*/invoices.csv",
      "*/../../globex/*.csv",
      "{..,.}/globex/*.csv",
      "link.csv",
      "*nk.csv",
      "folder",
      "folder/invoices.csv",
      "folder/*.csv",
      join(home, "globex/invoices.csv"),
      "../acme-not-there/x.csv"
    ]
    for (const path of outside) {
      const said = await rows(csv(path))
      assert.notInclude(said, "Secret Buyer", path)
      assert.include(said, "is not in the folder of this configuration", path)
    }
    for (const one of [
      source({ connector: "sql", file: "../globex/books.db", invoices: { query: "SELECT 1", columns: COLUMNS } }),
      source(
        { connector: "files", invoices: { path: "invoices.csv", columns: COLUMNS } },
        {
          cover: {
            select: [{}],
            price: { currency: "GBP", per_month: "100" },
            handover: { documents: "../globex/{number}.pdf" }
          }
        }
      ),
      {
        ...csv("invoices.csv"),
        daemon: {
          connect: {
            url: "https://a.example",
            name: "A",
            return_urls: ["https://a.example"],
            sources: [{ connector: "files" }],
            logo: "../globex/logo.png"
          }
        }
      }
    ])
      assert.include(await wrong(one), "is not in the folder of this configuration")
    put("acme/.env", "BOOKS=sqlite:../globex/books.db\n")
    put("globex/books.db", "")
    assert.include(
      await rows(
        source({ connector: "sql", url: { env: "BOOKS" }, invoices: { query: "SELECT 1", columns: COLUMNS } })
      ),
      "is not in the folder of this configuration"
    )
    put("daybook.tenants.json", { tenants: { folders: ["globex"] } })
    assert.include(await rows(csv("../globex/invoices.csv")), "Secret Buyer")
  })

  it("names connectors of this program, and those that the operator pinned", async () => {
    const ran = join(home, "ran.txt")
    const code = `import { writeFileSync } from "node:fs"\nwriteFileSync(${JSON.stringify(ran)}, "ran")\nexport const connector = {}\n`
    const file = put("acme/evil.mjs", code)
    put("acme/node_modules/evil/index.js", code)
    for (const connector of ["./evil.mjs", file, "../acme/evil.mjs", "evil", "./node_modules/evil"]) {
      assert.include(await wrong(source({ connector })), "the operator has not allowed it")
      assert.isFalse(existsSync(ran), connector)
    }
    put("connectors/erp/index.js", code)
    put("connectors/erp/package.json", { name: "erp", version: "1.2.0", type: "module" })
    const digest = createHash("sha256").update(code).digest("hex")
    const pin = { name: "erp", module: "./connectors/erp", version: "1.2.0", digest }
    const pinned = (one: object) => put("daybook.tenants.json", { tenants: { connectors: [{ ...pin, ...one }] } })
    pinned({ digest: "0".repeat(64) })
    assert.include(
      await wrong(source({ connector: "erp" })),
      `the SHA-256 of ${join(home, "connectors/erp/index.js")} is ${digest}`
    )
    pinned({ version: "1.1.0" })
    assert.include(await wrong(source({ connector: "erp" })), "is pinned to version 1.1.0, and 1.2.0 is installed")
    assert.isFalse(existsSync(ran))
    pinned({})
    assert.include(await wrong(source({ connector: "erp" })), "exports no connector")
    assert.strictEqual(readFileSync(ran, "utf8"), "ran")
  })

  it("uses no secret that the daemon keeps for itself, and sends the others where the operator says", async () => {
    put("daybook.tenants.json", { daemon: { page: { password: { env: "PAGE_PASSWORD" } } } })
    const shop = (env: string) =>
      source({ connector: "woocommerce", url: "https://shop.example.com", key: { env }, secret: { env: "OWN" } })
    put("acme/.env", "OWN=1\n")
    for (const name of ["PAGE_PASSWORD", "DAYBOOK_SEAL"]) assert.include(await wrong(shop(name)), "is the daemon's own")
    const alerts = { channels: { a: { webhook: { url: "https://a.example.com", secret: { env: "PAGE_PASSWORD" } } } } }
    assert.include(await wrong({ ...csv("invoices.csv"), alerts }), "is the daemon's own")
    put("daybook.tenants.json", {
      tenants: { variables: { SERVICE_KEY: "http://127.0.0.1:4010", KEY: "https://shop.example.com", XERO: "xero" } }
    })
    assert.isObject(await read(shop("KEY")))
    assert.include(
      await wrong(shop("OTHER")),
      "OTHER of the daemon's environment may not be sent to https://shop.example.com"
    )
    assert.include(await wrong(shop("SERVICE_KEY")), "may not be sent to https://shop.example.com")
    const elsewhere = {
      ...csv("invoices.csv"),
      service: { url: "https://mine.example.com", key: { env: "SERVICE_KEY" } }
    }
    assert.include(await wrong(elsewhere), "may not be sent to https://mine.example.com")
  })

  it("sends what tenants share to vendors only, unless the operator says where else", async () => {
    const serviceAt = (url: string, env = "SERVICE_KEY") => ({ ...csv("invoices.csv"), service: { url, key: { env } } })
    const alert = (channel: object) => ({ ...csv("invoices.csv"), alerts: { channels: { a: channel } } })
    const mail = { host: "mail.mine.example.com", from: "a@a.example", to: ["b@a.example"], user: "u" }
    const shop = (more: object) =>
      source({ connector: "woocommerce", key: { env: "K" }, secret: { env: "K" }, ...more })
    put("acme/.env", "OWN_KEY=key-of-acme\n")
    for (const [config, variable, to] of [
      [serviceAt("https://127.example.com"), "SERVICE_KEY", "https://127.example.com"],
      [shop({ url: "https://mine.example.com" }), "K", "https://mine.example.com"],
      [
        source({ connector: "stripe", key: { env: "K" }, url: "https://mine.example.com/v1" }),
        "K",
        "https://mine.example.com"
      ],
      [alert({ email: { ...mail, password: { env: "SMTP" } } }), "SMTP", "mail.mine.example.com"],
      [
        alert({ webhook: { url: "https://mine.example.com/x", secret: { env: "SIGNING" } } }),
        "SIGNING",
        "https://mine.example.com"
      ],
      [
        source({ connector: "sql", url: { env: "DATABASE" }, invoices: { query: "SELECT 1", columns: COLUMNS } }),
        "DATABASE",
        "sql"
      ]
    ] as const)
      assert.include(await wrong(config), `${variable} of the daemon's environment may not be sent to ${to}`)
    assert.isObject(await read(source({ connector: "stripe", key: { env: "STRIPE_KEY" } })))
    assert.isObject(await read(serviceAt("https://mine.example.com", "OWN_KEY")))
    put("daybook.tenants.json", { tenants: { variables: { SERVICE_KEY: "https://api.example.com" } } })
    assert.isObject(await read({ ...csv("invoices.csv"), service: serviceAt("https://api.example.com/v1").service }))
    assert.include(await wrong(source({ connector: "stripe", key: { env: "STRIPE_KEY" } })), "may not be sent to")
  })

  it("uses a service on the internet, one that the operator names, or one of this machine to try it out", async () => {
    const at = (url: string) => ({ ...csv("invoices.csv"), service: { url, key: { env: "OWN_KEY" } } })
    put("acme/.env", "OWN_KEY=key-of-acme\n")
    const inside = ["https://10.1.2.3", "https://[::ffff:10.1.2.3]", "https://0x0a010203", "https://api.internal"]
    for (const url of inside) assert.include(await wrong(at(url)), "is not an address on the internet", url)
    assert.isObject(await read(at("http://127.0.0.1:4010")))
    for (const daemon of [{ hosts: ["books.example.com"] }, { proxies: ["10.0.0.0/8"] }, { listen: "0.0.0.0:4020" }]) {
      put("daybook.tenants.json", { daemon })
      for (const url of ["http://127.0.0.1:4010", "http://localhost:6379", "https://[::1]"])
        assert.include(await wrong(at(url)), "is not an address on the internet", url)
      assert.include(await wrong(csv("invoices.csv")), "SERVICE_KEY of the daemon's environment may not be sent to")
    }
    const variables = { SERVICE_KEY: "https://api.internal" }
    put("daybook.tenants.json", { daemon: { hosts: ["books.example.com"] }, tenants: { variables } })
    assert.isObject(await read(at("https://api.internal/v1")))
    assert.include(await wrong(at("https://other.internal")), "is not an address on the internet")
  })

  it("leads to no address of this network", async () => {
    const shop = (url: string) => source({ connector: "woocommerce", url, key: { env: "K" }, secret: { env: "K" } })
    for (const url of [
      "https://10.0.0.1",
      "http://127.0.0.1:8080",
      "https://[::1]",
      "https://metadata.internal",
      "https:/169.254.169.254"
    ])
      assert.include(await wrong(shop(url)), "is not an address on the internet", url)
    const mail = { host: "10.0.0.1", from: "a@acme.example", to: ["b@acme.example"] }
    assert.include(
      await wrong({ ...csv("invoices.csv"), alerts: { channels: { a: { email: mail } } } }),
      "is not an address on"
    )
    for (const host of [
      "::1",
      "[::1]",
      "::ffff:127.0.0.1",
      "0:0:0:0:0:0:0:1",
      "127.1",
      "2130706433",
      "fe80::1%eth0",
      "a b",
      "u@::1"
    ])
      assert.include(
        await wrong({ ...csv("invoices.csv"), alerts: { channels: { a: { email: { ...mail, host } } } } }),
        "is not an address on",
        host
      )
    put("acme/.env", "SLACK=\u0001http://127.0.0.1:4000/x\n")
    assert.include(
      await wrong({ ...csv("invoices.csv"), alerts: { channels: { a: { slack: { url: { env: "SLACK" } } } } } }),
      "is not an address on"
    )
    const books = source({ connector: "sql", url: { env: "BOOKS" }, invoices: { query: "SELECT 1", columns: COLUMNS } })
    for (const address of [
      "postgresql://u:p@127.0.0.1/books",
      "postgresql://db.example.com/books?host=/run",
      "mysql://u@db.example.com/x?socket=/run/x",
      "postgresql://u:p@%3A%3A1:5432/x",
      "postgresql://u:p@%2Frun%2Fpostgresql/x",
      "postgresql://u:p@2130706433/x",
      "\u0001postgresql://u:p@127.0.0.1/x",
      "post\tgresql://u:p@127.0.0.1/x"
    ]) {
      put("acme/.env", `BOOKS=${address}\n`)
      assert.include(await wrong(books), "is not an address on the internet", address)
    }
    put("daybook.tenants.json", { daemon: { private_addresses: true } })
    put("acme/.env", "K=key-of-acme\nBOOKS=postgresql://u:p@127.0.0.1/x\n")
    assert.isObject(await read(shop("https://10.0.0.1")))
    assert.isObject(await read(books))
  })

  it("names a database by host and port alone, whatever addresses it may reach", () => {
    const at = (url: string, folders?: ReadonlyArray<string>) =>
      Address.of({ url: { env: "BOOKS" } }, {
        folder: "/nowhere",
        environment: { BOOKS: url },
        ...(folders === undefined ? {} : { folders })
      } as never)
    for (const address of [
      "postgresql://u:p@10.0.0.1/books?host=127.0.0.1",
      "postgresql://u:p@10.0.0.1/books?port=22",
      "postgresql:///books?host=/run/postgresql",
      "postgresql://u:p@10.0.0.1/books?sslrootcert=/etc/passwd",
      "postgresql://u:p@10.0.0.1/books?options=-c%20x",
      "mysql://u:p@10.0.0.1/books?socket=/run/mysqld.sock",
      "mysql://u:p@10.0.0.1/books?ssl-key=../globex/key.pem"
    ])
      assert.throws(() => at(address, ["/nowhere"]), "write only user, password, host, port, database", address)
    assert.isObject(at("postgresql://u:p@10.0.0.1:5433/books?sslmode=verify-full", ["/nowhere"]))
    assert.isObject(at("postgresql:///books?host=/run/postgresql"))
  })

  it("looks its names up where its source is read", async () => {
    put("acme/.env", "K=key-of-acme\n")
    put(
      "acme/daybook.config.json",
      source({
        connector: "woocommerce",
        url: "https://localhost.example.com",
        key: { env: "K" },
        secret: { env: "K" }
      })
    )
    const found = await read()
    if (typeof found === "string") throw new Error(found)
    const [connection] = found.connections
    const settings = { ...(connection!.settings as object), url: "https://127.0.0.1" }
    const done = await Effect.runPromise(
      Effect.result(ConnectorContext.of(found, { ...connection!, settings }, ":memory:"))
    )
    assert.strictEqual(done._tag, "Failure")
  })

  it("arrives without links that lead out of its folder", async () => {
    put("arriving/daybook.config.json", csv("invoices.csv"))
    symlinkSync("/proc/self/environ", join(home, "arriving", ".env"))
    const done = await Effect.runPromise(Effect.result(add(home, "new", join(home, "arriving"))))
    assert.include(done._tag === "Failure" ? done.failure.message : "", "is a link to another folder")
    assert.isFalse(existsSync(join(home, "new")))
  })
})
