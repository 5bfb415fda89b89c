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
  await tab.waitForSelector("#result.good, #result.bad, #result.open")
  return (await tab.textContent("#result")) ?? ""
}

/** Packs whose parts agree with each other, and still say less or other than the one that was written; each with what is said. */
export const hidden = (parts: Parts): ReadonlyArray<readonly [says: RegExp, parts: Parts]> => {
  const without = (name: string, from = parts): Parts =>
    Object.fromEntries(Object.entries(from).filter(([one]) => one !== name))
  const table = (name: string): ReadonlyArray<readonly [RegExp, Parts]> => {
    const unnamed = edited(parts, "columns.json", (all) => {
      const { [name]: _, ...rest } = JSON.parse(all) as Record<string, unknown>
      return JSON.stringify(rest)
    })
    return [[new RegExp(`${name} \\S+ was removed`), without(`facts/${name}.jsonl`, unnamed)]]
  }
  const statement = (edit: (statement: Record<string, unknown>) => void) =>
    edited(parts, "statement.json", (all) => {
      const whole = JSON.parse(all) as Record<string, unknown>
      edit(whole)
      return JSON.stringify(whole)
    })
  return [
    ...["claim", "receipt", "closed_month"].flatMap(table),
    [/the statement names no entry/, statement((one) => delete one["chain"])],
    [
      /the statement does not say that books was closed by Ada Keeper/,
      statement((one) => Object.assign(one, { closed: [] }))
    ],
    [
      /says that a connection was closed, and no entry does/,
      statement((one) => {
        one["closed"] = [{ ...(one["closed"] as ReadonlyArray<object>)[0], who: "Somebody Else" }]
      })
    ],
    [
      /Nobody has closed this month: no entry shows/,
      statement((one) => Object.assign(one, { month: "2026-04", closed: [] }))
    ],
    [/facts\/other\.jsonl was added/, { ...parts, "facts/other.jsonl": Buffer.from("") }],
    [/note\.pdf was added/, { ...parts, "note.pdf": Buffer.from("paid") }]
  ]
}

/** A pack with a second part of the same name, which other readers may take: `zipSync` writes none, so a name of equal length is replaced. */
export const twice = (parts: Parts): Buffer => {
  const bytes = Buffer.from(zipSync({ ...parts, "statement.jsox": parts["statement.json"]! }, { level: 1 }))
  for (let at = bytes.indexOf("statement.jsox"); at >= 0; at = bytes.indexOf("statement.jsox", at))
    bytes.write("n", at + 13)
  return bytes
}
