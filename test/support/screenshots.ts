/**
 * Takes the documentation's screenshots: `node test/support/screenshots.ts` shows the daemon's page and the checkout's elements
 * in Chromium, and the exported workbook in LibreOffice, with the demo's books. Check them before you commit them. `--rooms FOLDER`
 * takes every room of the page instead, light and dark, wide and on a phone, to be looked at in FOLDER.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import type { BrowserContextOptions } from "playwright-core"
import { quit, open } from "./Browser.ts"
import { furnish, PICTURED_ENV } from "./ScreenshotHouse.ts"

const ROOT = join(import.meta.dirname, "../..")
const INTO = join(ROOT, "cli/page/screenshots")
const ELEMENTS = join(ROOT, "core/sandbox/sdk/screenshots/checkout.png")
const LISTEN = "127.0.0.1:4029"
const PASSWORD = "correct horse battery"
/** Until every connection was read and planned. */
const SETTLES_MS = 12_000

const folder = mkdtempSync(join(tmpdir(), "daybook-"))
const books = join(folder, "daybook-demo")
const env = { ...process.env, ...PICTURED_ENV, SERVICE_KEY: "sandbox-key", PAGE_PASSWORD: PASSWORD }
const daybook = [join(ROOT, "dist/daybook.js")]

/** Runs a program to its end; throws if it fails. */
const run = (cwd: string, command: string, args: ReadonlyArray<string>) => {
  const { error, status, stderr } = spawnSync(command, args, { cwd, env, encoding: "utf8" })
  if (error !== undefined || (status !== 0 && status !== 3))
    throw error ?? new Error(`${command} ${args[0]}: ${stderr}`)
}

/** Starts a program, and waits until this address answers. */
const start = async (args: ReadonlyArray<string>, url: string): Promise<ChildProcess> => {
  const child = spawn(process.execPath, [...daybook, ...args], { cwd: books, env, stdio: "ignore" })
  for (let n = 0; n < 100; n++) {
    if (
      await fetch(url).then(
        ({ ok }) => ok,
        () => false
      )
    )
      return child
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  child.kill()
  throw new Error(`${args[0]} does not answer at ${url}`)
}

/** The page in a window of its own, once somebody signed in. */
const entered = async (options: BrowserContextOptions) => {
  const page = await open({ locale: "en-GB", ...options })
  await page.goto(`http://${LISTEN}/`)
  await page.locator("input[type=password]").fill(PASSWORD)
  await page.locator("button[type=submit], form button").first().click()
  return page
}

/** Rooms to which the menu does not lead. */
const ALSO = [
  "/plans?connection=wholesale",
  "/connections/new",
  "/rules",
  "/payouts",
  "/failed",
  "/changes",
  "/search?q=Peel"
]

/** In a room: the first that leads to what is in it. */
const INSIDE = [
  ["/attention", "a.button[href^='/attention/']"],
  ["/attention", "button[name=do]"],
  ["/documents", "tbody a[href^='/documents/']"],
  ["/customers", "tbody a[href^='/customers/']"],
  ["/connections", "a.button[href$='/setup']"]
] as const

const nameOf = (path: string): string => (path === "/" ? "today" : path.slice(1).replaceAll(/\W+/g, "-").slice(0, 40))

/** Every room that the menu leads to, and the first of what is in some of them. */
const ofRooms = async (into: string) => {
  mkdirSync(into, { recursive: true })
  for (const colorScheme of ["light", "dark"] as const)
    for (const width of [1280, 390]) {
      const page = await entered({ colorScheme, viewport: { width, height: 900 } })
      const menu = await page
        .locator("nav[aria-label=Pages] a")
        .evaluateAll((all) => all.map((one) => one.getAttribute("href")!))
      const take = (path: string) =>
        page.screenshot({ path: join(into, `${nameOf(path)}-${colorScheme}-${width}.png`), fullPage: true })
      for (const path of [...menu, ...ALSO]) {
        await page.goto(`http://${LISTEN}${path}`)
        await take(path)
      }
      for (const [room, what] of INSIDE) {
        await page.goto(`http://${LISTEN}${room}`)
        const found = page.locator(`main ${what}`).first()
        if ((await found.count()) === 0) continue
        await Promise.all([page.waitForEvent("load"), found.click()])
        await take(`${room}/one-${what.replaceAll(/\W/g, "")}`)
      }
    }
}

const ofPage = async () => {
  const page = await entered({ viewport: { width: 1280, height: 900 } })
  await page.screenshot({ path: join(INTO, "overview.png") })
}

/** The checkout's elements, shown live by the sandbox. */
const ofElements = async (service: string) => {
  const page = await open({ javaScriptEnabled: true, viewport: { width: 1100, height: 820 }, locale: "en-GB" })
  await page.goto(`${service}/docs/checkout`)
  const frame = page.frameLocator("iframe")
  await frame.getByLabel("Pay in 30 days").check()
  await frame.getByLabel("Bank transfer").check()
  await page.getByRole("region", { name: "checkout" }).screenshot({ path: ELEMENTS })
}

const ofWorkbook = () => {
  run(folder, "soffice", ["--headless", "--convert-to", "pdf", "--outdir", folder, join(books, "books.xlsx")])
  // The second page is the sheet of invoices.
  const part = ["-x", "90", "-y", "115", "-W", "1500", "-H", "340"]
  const picture = ["-r", "240", "-png", "-f", "2", "-singlefile", ...part]
  run(folder, "pdftoppm", [...picture, join(folder, "books.pdf"), join(folder, "sheet")])
  renameSync(join(folder, "sheet.png"), join(INTO, "workbook.png"))
}

const running: Array<ChildProcess> = []
try {
  run(folder, process.execPath, [...daybook, "demo"])
  furnish(books, { listen: LISTEN, page: { password: { env: "PAGE_PASSWORD" } } })
  const written = JSON.parse(readFileSync(join(books, "daybook.config.json"), "utf8"))
  const { port } = new URL(written.service.url)
  running.push(await start(["sandbox", "--port", port, "--state", "service.db"], `${written.service.url}/openapi.json`))
  running.push(await start(["daemon"], `http://${LISTEN}/readyz`))
  await new Promise((resolve) => setTimeout(resolve, SETTLES_MS))
  const { rooms } = parseArgs({ options: { rooms: { type: "string" } } }).values
  if (rooms !== undefined) await ofRooms(rooms)
  else {
    await ofPage()
    await ofElements(written.service.url)
    ofWorkbook()
  }
} finally {
  await quit()
  for (const child of running) child.kill()
  rmSync(folder, { recursive: true, force: true })
}
