/**
 * A real browser, where this machine has one: Chromium from the system. Tests that need it say so and are skipped
 * elsewhere; the command that checks what lands installs it.
 */
import { existsSync } from "node:fs"
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core"

const PLACES = [process.env["CHROMIUM"], "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]

/** Where Chromium is, or undefined. */
export const place = PLACES.find((path) => path !== undefined && existsSync(path))

export const MISSING = "there is no Chromium on this machine; install it, or name it in CHROMIUM"

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync"
]

let browser: Promise<Browser> | undefined

/** A window of its own, without scripts unless they are asked for. What the page complains of is an error. */
export const open = async (options: BrowserContextOptions = {}): Promise<Page> => {
  browser ??= chromium.launch({ executablePath: place!, args: FLAGS })
  const context = await (await browser).newContext({ javaScriptEnabled: false, ...options })
  return context.newPage()
}

export const closeAll = async (): Promise<void> => {
  await (await browser)?.close()
  browser = undefined
}
