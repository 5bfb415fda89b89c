/**
 * Takes the documentation's screenshots: `node test/support/screenshots.ts` shows the daemon's page and the checkout's elements
 * in Chromium, and the exported workbook in LibreOffice, with the demo's books. Check them before you commit them.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { quit, open } from "./Browser.ts"

const ROOT = join(import.meta.dirname, "../..")
const INTO = join(ROOT, "cli/page/screenshots")
const ELEMENTS = join(ROOT, "core/sandbox/sdk/screenshots/checkout.png")
const LISTEN = "127.0.0.1:4029"
const PASSWORD = "correct horse battery"

const folder = mkdtempSync(join(tmpdir(), "daybook-"))
const books = join(folder, "daybook-demo")
const env = { ...process.env, SERVICE_KEY: "sandbox-key", PAGE_PASSWORD: PASSWORD }
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

const ofPage = async () => {
  const page = await open({ viewport: { width: 1100, height: 820 }, locale: "en-GB" })
  await page.goto(`http://${LISTEN}/`)
  await page.locator("input[type=password]").fill(PASSWORD)
  await page.locator("button[type=submit], form button").first().click()
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
  const file = join(books, "daybook.config.json")
  const written = JSON.parse(readFileSync(file, "utf8"))
  written.daemon = { listen: LISTEN, page: { password: { env: "PAGE_PASSWORD" } } }
  written.connections[0].every = "1 hour"
  writeFileSync(file, JSON.stringify(written))
  const { port } = new URL(written.service.url)
  running.push(await start(["sandbox", "--port", port, "--state", "service.db"], `${written.service.url}/openapi.json`))
  running.push(await start(["daemon"], `http://${LISTEN}/readyz`))
  await new Promise((resolve) => setTimeout(resolve, 3000))
  await ofPage()
  await ofElements(written.service.url)
  ofWorkbook()
} finally {
  await quit()
  for (const child of running) child.kill()
  rmSync(folder, { recursive: true, force: true })
}
