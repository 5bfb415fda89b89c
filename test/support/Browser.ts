/**
 * Provides a real browser, if this machine has one: the system's Chromium. Tests that need it are skipped without it; the
 * command that checks what lands installs it. The headless shell comes first: it is the same engine without the browser's
 * own windows, and needs little more than half the processor time for a page.
 */
import { existsSync } from "node:fs"
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core"

const PLACES = [
  process.env["CHROMIUM"],
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome"
]

/** The path of Chromium, or undefined. */
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

/** A new window, without scripts unless the options enable them. Errors on the page fail the test. */
export const open = async (options: BrowserContextOptions = {}): Promise<Page> => {
  browser ??= chromium.launch({ executablePath: place!, args: FLAGS })
  const context = await (await browser).newContext({ javaScriptEnabled: false, ...options })
  return context.newPage()
}

/** Closes every window. The browser stays for the next file of this process, and ends with it: starting one takes a second. */
export const closeAll = async (): Promise<void> => {
  for (const context of (await browser)?.contexts() ?? []) await context.close()
}

/** Ends the browser, for a program that ends by itself. */
export const quit = async (): Promise<void> => {
  await (await browser)?.close()
  browser = undefined
}
