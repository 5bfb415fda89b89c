/** A record of each connector that contradicts itself, planted in its own sample: no document of it may be used. */
import { readdirSync, readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import * as Document from "../../../connectors/Document.ts"
import { connectors } from "../../../connectors/index.ts"
import * as Quarantine from "../../../connectors/Quarantine.ts"
import { amounts, made, members } from "../../../connectors/testing/Edits.ts"
import { listsOf, type State, type Subject } from "../../../connectors/testing/Subject.ts"
import { textOf } from "../../../connectors/testing/Simulator.ts"

/** Whose invoices are paid when their payments add up: no record calls one paid and states what is open. */
const NEVER_PAID = ["businesscentral", "economic", "exactonline", "netsuite"]

/**
 * In Odoo, a payment that is registered without an entry leaves a balance, so an invoice with one is open whatever its state says;
 * QuickBooks has no state but the balance.
 */
const OPEN_THEN = ["odoo", "quickbooks"]

const invoicesOf = (state: State): ReadonlyArray<Document.Invoice> =>
  [...state.values()].flatMap((text) => {
    const one = Document.decode(text)
    return one.kind === "invoice" ? [one] : []
  })

const defects = (state: State): string =>
  invoicesOf(state)
    .flatMap((one) => Quarantine.defect(one)?.why ?? [])
    .join("; ")

/** What is wrong with the invoices, with each amount of the records as it was and so much more. */
const withMore = async (subject: Subject): Promise<ReadonlyArray<string>> => {
  const found: Array<string> = []
  for (const { list, path } of amounts(subject)) {
    const to = (value: unknown) =>
      /^-?0*([.,]0*)?$/.test(textOf(value)) ? (typeof value === "string" ? "7" : 7) : value
    found.push(defects((await made(subject, { list, path, to })).state))
  }
  return found
}

const of = async (name: string): Promise<Subject> =>
  (await connectors.find((one) => one.name === name)!.sample()).subject

describe("a contradiction inside a record", () => {
  it("is planted in every connector with invoices that its source calls paid", { timeout: 120_000 }, async () => {
    const never: Array<string> = []
    for (const { name, sample } of connectors) {
      const { subject } = await sample()
      const stage = subject.open()
      const hasLists = Object.keys(stage.source?.lists ?? {}).length > 0
      stage.close?.()
      if (!hasLists || !subject.connector.capabilities.kinds.includes("invoice")) continue
      const paid = invoicesOf((await made(subject)).state).filter(
        ({ stated, status }) => status === "paid" && stated?.open === 0n
      )
      if (OPEN_THEN.includes(name)) continue
      if (paid.length === 0) never.push(name)
      else
        assert.match((await withMore(subject)).join("; "), /the source calls it paid, and says that .* is open/, name)
    }
    assert.sameMembers(never, NEVER_PAID)
  })

  it("is a day that no business has, in every connector with invoices", { timeout: 120_000 }, async () => {
    for (const { name, sample } of connectors) {
      const { subject } = await sample()
      const stage = subject.open()
      const lists = Object.entries(stage.source === undefined ? {} : listsOf(stage))
      stage.close?.()
      if (lists.length === 0 || !subject.connector.capabilities.kinds.includes("invoice")) continue
      const found: Array<string> = []
      for (const [list, { records }] of lists)
        for (const [path, values] of members(records)) {
          const isYear = path.endsWith(".year")
          if (!isYear && !values.every((one) => /^\d{4}-\d\d-\d\d|^\d{10}$|^\/Date\(/.test(textOf(one)))) continue
          const far = (value: unknown) => {
            const text = textOf(value)
            if (isYear) return 2999
            if (/^\d{10}$/.test(text)) return typeof value === "string" ? "32503680000" : 32_503_680_000
            return text.startsWith("/Date(") ? "/Date(32503680000000)/" : `2999-12-31${text.slice(10)}`
          }
          found.push(defects((await made(subject, { list, path, to: far })).state))
        }
      assert.match(found.join("; "), /which cannot be right/, name)
    }
  })
})

describe("the ten newer sources", () => {
  const NEWER = [
    "businesscentral",
    "economic",
    "exactonline",
    "fortnox",
    "lexware",
    "moneybird",
    "netsuite",
    "pennylane"
  ]
  for (const name of [...NEWER, "prestashop", "shopware"])
    it(`take less than 330 lines each, what is declared and what records mean: ${name}`, async () => {
      assert.strictEqual((await of(name)).connector.name, name)
      const files = readdirSync(`connectors/${name}`).filter((file) => file.endsWith(".ts") && file !== "Sample.ts")
      const lines = files.flatMap((file) => readFileSync(`connectors/${name}/${file}`, "utf8").trimEnd().split("\n"))
      assert.isBelow(lines.length, 330)
    })
})
