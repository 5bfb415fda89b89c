/** Evidence packs for tests: one of a month that a person closed, and the same after somebody edited a part of it. */
import { assert } from "@effect/vitest"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { unzipSync, zipSync } from "fflate"
import type { Page } from "playwright-core"
import { service, STATED, statedBooks } from "./Cli.ts"

const INVOICES = `${STATED}INV-1,Harbour Lane Bakery Ltd,GB,2026-03-01,2026-03-31,100.00,120.00,Sent,0.00
INV-2,Brightwater Foods Ltd,GB,2026-03-02,2026-04-01,250.50,300.60,Sent,200.60
`

const PAYMENTS = `Ref,Invoice,Date,Amount,Type,Code
P-1,INV-1,2026-03-20,120.00,,
P-2,INV-2,2026-03-21,100.00,,
`

export type Parts = Record<string, Uint8Array>

export const packed = async () => {
  const there = await service()
  const here = statedBooks(there.url, { "invoices.csv": INVOICES, "payments.csv": PAYMENTS })
  assert.strictEqual((await here.run("sync", "--yes")).status, 0)
  // A later version, and a month that a person closed.
  writeFileSync(join(here.folder, "invoices.csv"), INVOICES.replace("2026-04-01", "2026-04-15"))
  assert.strictEqual((await here.run("sync")).status, 0)
  const ran = await here.run("close", "2026-03", "--by", "Ada Keeper", "--pack", "march.zip")
  assert.strictEqual(ran.status, 0, ran.stderr)
  const parts: Parts = unzipSync(readFileSync(join(here.folder, "march.zip")))
  writeFileSync(join(here.folder, "verify.html"), parts["verify.html"]!)
  return { ...here, parts }
}

export const text = (parts: Parts, name: string): string => Buffer.from(parts[name]!).toString()

export const edited = (parts: Parts, name: string, edit: (text: string) => string): Parts => {
  const next = edit(text(parts, name))
  assert.notStrictEqual(next, text(parts, name), `${name} is edited`)
  return { ...parts, [name]: Buffer.from(next) }
}

export const choose = async (tab: Page, folder: string, parts: Parts): Promise<string> => {
  writeFileSync(join(folder, "edited.zip"), zipSync(parts, { level: 1 }))
  return chooseFile(tab, folder, "edited.zip")
}

/** Opens the pack's page from its file, and chooses a pack. Returns what it says. */
export const chooseFile = async (tab: Page, folder: string, name: string): Promise<string> => {
  await tab.goto(pathToFileURL(join(folder, "verify.html")).href)
  await tab.setInputFiles("#file", join(folder, name))
  await tab.waitForSelector("#result.good, #result.bad")
  return (await tab.textContent("#result")) ?? ""
}
