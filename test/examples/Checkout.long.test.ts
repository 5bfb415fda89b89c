/**
 * The sixth example: a shop of two pages, a buyer in Chromium, the notification, the warehouse, and Daybook, which captures
 * what has left. The package is built and linked as npm would.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { type Sandbox, startSandbox } from "../../core/sandbox/index.ts"
import { wire } from "../core/sandbox/Wire.ts"
import { closeAll, MISSING, open, place } from "../support/Browser.ts"
import { builtLibrary, remove, temporary } from "../support/Built.ts"
import { checkTypes } from "../support/Compiler.ts"

const execute = promisify(execFile)
const ROOT = fileURLToPath(new URL("../..", import.meta.url))
const KEY = "sk-shop-51ab"

const folder = temporary()
let sandbox: Sandbox & { readonly close: () => Promise<void> }
let child: ChildProcess | undefined
let shop = ""
const api = wire(() => sandbox.url, KEY)
const complaints: Array<string> = []

/** The shop as its README starts it, with a service that the test can look into. */
const start = (): Promise<string> =>
  new Promise((resolve, reject) => {
    const env = {
      ...process.env,
      PORT: "0",
      SERVICE_URL: sandbox.url,
      SERVICE_KEY: KEY,
      PUBLIC_KEY: sandbox.publicKeys[0],
      SDK_URL: sandbox.sdk,
      FRAME_URL: sandbox.frame
    }
    child = spawn(process.execPath, ["shop.ts"], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] })
    let said = ""
    child.stderr!.on("data", (text) => void (said += text))
    child.stdout!.on("data", (text) => {
      said += text
      const url = /The shop: (\S+)/.exec(said)?.[1]
      if (url !== undefined) resolve(url)
    })
    child.on("exit", () => reject(new Error(said)))
  })

beforeAll(async () => {
  cpSync(join(ROOT, "examples/6-checkout"), folder, { recursive: true })
  mkdirSync(join(folder, "node_modules", "@types"), { recursive: true })
  symlinkSync(builtLibrary(), join(folder, "node_modules", "daybook"))
  symlinkSync(join(ROOT, "node_modules/@types/node"), join(folder, "node_modules", "@types", "node"))
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }))
  sandbox = await startSandbox({ port: 0, keys: [KEY] })
  shop = await start()
}, 180_000)
afterAll(async () => {
  await closeAll()
  child?.kill()
  await sandbox?.close()
  remove(folder)
})

let page: Page
beforeEach(async ({ skip, task }) => {
  if (place === undefined && !task.name.startsWith("has types")) skip(MISSING)
})

let buyers = 0

/** The first page, filled in. */
const begin = async (mode: string): Promise<void> => {
  page ??= await open({ javaScriptEnabled: true, locale: "en-GB" })
  page.removeAllListeners("console")
  page.on("console", (message) => complaints.push(message.text()))
  await page.goto(`${shop}/?as=${mode}`)
  await page.getByLabel("Folding chair").fill("2")
  await page.getByLabel("Desk lamp").fill("0")
  await page.getByLabel("Your name").fill("Ann Example")
  await page.getByLabel("Email").fill(`buyer-${++buyers}@example.com`)
}

const company = async (name: string): Promise<void> => {
  await page.getByLabel("Company name").fill(name)
  await page.getByRole("option", { name }).click()
  await page.getByRole("button", { name: "Change" }).waitFor()
}

const TRADER = {
  trading_name: "Ann's Flowers",
  trading_address: "2 Mill Road",
  trading_address_postcode: "PO2 2BB",
  trading_address_city: "Portsmouth",
  proprietor_name: "Ann Example",
  date_of_birth: "1980-02-29",
  proprietor_address_line1: "Flat 1",
  proprietor_address_line2: "3 Hill Street",
  proprietor_address_postcode: "PO3 3CC",
  proprietor_address_city: "Southsea"
}

/** On to the second page; its name is what the shop knows the order by. */
const onward = async (): Promise<string> => {
  await page.getByRole("button", { name: "Continue to payment" }).click()
  await page.waitForURL(/\/checkout\//)
  return new URL(page.url()).pathname.split("/")[2]!
}

const choose = async (): Promise<void> => {
  const frame = page.frameLocator("iframe")
  await frame.getByLabel("Pay in 30 days").check()
  await frame.getByLabel("Bank transfer").check()
}

const confirm = (): Promise<void> =>
  page.frameLocator("iframe").getByRole("button", { name: "Confirm and pay later" }).click()

const thanks = async (): Promise<string> => {
  await page.waitForURL(/\/thanks\//)
  return page.innerText("#status")
}

const send = async (name: string) => {
  const answer = await fetch(`${shop}/warehouse/${name}`, { method: "POST" })
  return [answer.status, await answer.text()]
}

/** Orders that the shop has sold, once as many are in its books. */
const sold = async (rows: number): Promise<string> => {
  const read = () => readFileSync(join(folder, "orders.csv"), "utf8")
  await expect.poll(() => read().split("\n").length - 2, { timeout: 20_000 }).toBe(rows)
  return read()
}

/** The deferred payments of all orders, by the shop's number. */
const payments = async () => {
  const { results } = (await api.get("/v1/payment/orders/?expand=deferred_payment&limit=100")).body
  return Object.fromEntries(
    results.map(({ deferred_payment, unique_id }: { unique_id: string; deferred_payment: object | null }) => [
      unique_id,
      deferred_payment
    ])
  )
}

const CONFIRMED = "Your order is confirmed, and you pay later."

describe("the shop of the sixth example", () => {
  test("has types that a strict program checks against", { timeout: 90_000 }, () => {
    const strict = { strict: true, noEmit: true, skipLibCheck: true, allowImportingTsExtensions: true }
    const compilerOptions = { ...strict, module: "NodeNext", target: "ES2023", lib: ["ES2024"], types: ["node"] }
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ files: ["shop.ts"], compilerOptions }))
    expect(checkTypes(folder)).toMatchObject({ status: 0, stdout: "" })
  })

  test("from cart to capture: a registered company pays later, and the first parcel is captured", {
    timeout: 90_000
  }, async () => {
    await begin("offer")
    await company("Harbour Lane Bakery Ltd")
    const name = await onward()
    expect(await send(name)).toEqual([409, "Not to be sent: the buyer has not chosen to pay later."])
    await choose()
    await confirm()
    expect(await thanks()).toBe(`Order 1001. ${CONFIRMED}`)
    expect(await sold(1)).toMatch(/^1001,\d{4}-\d\d-\d\d,open,chair,Folding chair,product,2,99\.98$/m)
    expect(await send(name)).toEqual([200, "1001 has left."])
    const config = JSON.parse(readFileSync(join(folder, "daybook.config.json"), "utf8"))
    config.service = { ...config.service, url: sandbox.url }
    writeFileSync(join(folder, "daybook.config.json"), JSON.stringify(config))
    const command = [join(builtLibrary(), "dist/daybook.js"), "sync"]
    const sync = () => execute(process.execPath, command, { cwd: folder, env: { ...process.env, SERVICE_KEY: KEY } })
    await sync()
    expect((await payments())["1001"]).toMatchObject({
      status: "captured",
      authorisation: 0,
      protected_captures: 9998,
      unprotected_captures: 0
    })
    await sync()
    const { body: journal } = await api.get("/sandbox/requests")
    expect(journal.filter(({ path }: { path: string }) => path.endsWith("/capture"))).toHaveLength(1)
  })

  test("a sole trader describes itself and pays later", { timeout: 60_000 }, async () => {
    await begin("offer")
    await page.getByLabel("a sole trader").check()
    for (const [id, value] of Object.entries(TRADER)) await page.locator(`#${id}`).fill(value)
    await page.getByRole("button", { name: "Use these details" }).click()
    await page.getByRole("button", { name: "Change" }).waitFor()
    await onward()
    await choose()
    await confirm()
    expect(await thanks()).toBe(`Order 1002. ${CONFIRMED}`)
    expect((await payments())["1002"]).toMatchObject({ status: "accepted", authorisation: 9998 })
  })

  test("a rejected company gets no way to pay later, and nothing leaves", { timeout: 60_000 }, async () => {
    await begin("offer")
    await company("Declined Seller Limit Ltd")
    const name = await onward()
    expect(await page.innerText("#other")).toContain("Paying later is not available")
    expect(await page.locator("iframe, #checkout, script[src*=sdk]").count()).toBe(0)
    expect(await send(name)).toEqual([409, "Not to be sent: the buyer has not chosen to pay later."])
    expect((await payments())["1003"]).toBeNull()
  })

  test("an intent: the buyer says at checkout which company it is, the second one is not declined", {
    timeout: 60_000
  }, async () => {
    await begin("intent")
    await onward()
    const frame = page.frameLocator("iframe")
    const search = async (name: string) => {
      await frame.getByLabel("Company name").fill(name)
      await frame.getByRole("option", { name }).click()
    }
    await search("Declined Seller Limit Ltd")
    await frame.getByText("Paying later is not available for this company.").waitFor()
    await frame.getByRole("button", { name: "Change" }).click()
    await search("Brightwater Foods Ltd")
    await choose()
    await confirm()
    expect(await thanks()).toBe(`Order 1004. ${CONFIRMED}`)
  })

  test("headless and buttonless: the shop's own button, and a payment that is looked at first does not ship", {
    timeout: 60_000
  }, async () => {
    await begin("headless")
    await company("Northfield Tools Ltd")
    await onward()
    expect(await page.locator("iframe").count()).toBe(0)
    await page.getByRole("button", { name: "Place the order" }).click()
    expect(await thanks()).toBe(`Order 1005. ${CONFIRMED}`)

    await api.put("/sandbox/companies/co-1002/outcome", { status: "pending_review" })
    await begin("buttonless")
    await company("Northfield Tools Ltd")
    const name = await onward()
    expect(await page.getByRole("button", { name: "Place the order" }).isDisabled()).toBe(true)
    await choose()
    await page.getByRole("button", { name: "Place the order" }).click()
    expect(await thanks()).toBe(
      "Order 1006. Your order waits: the deferred payment is pending_review: it may still be accepted."
    )
    expect((await send(name))[0]).toBe(409)
    const { id } = (await payments())["1006"] as { readonly id: string }
    expect(await sold(4)).not.toContain("1006")
    // Anybody may say that it is accepted; the service says otherwise.
    const body = JSON.stringify({ data: { order: { deferred_payment: { id, status: "accepted" } } } })
    expect((await fetch(`${shop}/notifications`, { method: "POST", body })).status).toBe(200)
    expect(await sold(4)).not.toContain("1006")
    await api.put(`/sandbox/deferred_payments/${id}/status`, { status: "accepted" })
    expect(await sold(5)).toContain("1006")
    expect((await send(name))[0]).toBe(200)
  })

  test("nothing was complained of, and the policy has no exception", () => {
    expect(complaints).toEqual([])
    rmSync(join(folder, "tsconfig.json"), { force: true })
    expect(existsSync(join(folder, "orders.csv"))).toBe(true)
  })
})
