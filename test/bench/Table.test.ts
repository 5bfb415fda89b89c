/** The table of the bench: it is read back as it was written, and says what became worse. */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { atMost, type Figure, rates, shown, times } from "./Figure.ts"
import * as Table from "./Table.ts"
import { explained, longest } from "./Why.ts"

const PAGE = readFileSync(join(import.meta.dirname, "README.md"), "utf8")

const imported = (ratio: number): Figure =>
  atMost("import: 200,000 invoices; by hand", 1, {
    ours: "2.00 s",
    baseline: "1.60 s",
    ratio,
    note: "most of it is decoding"
  })

const started = shown("start: plan --help", { ours: "90 ms", baseline: "30 ms", ratio: 3 })

const page = (figures: ReadonlyArray<Figure>, before = PAGE, host = "a machine") =>
  Table.write(before, Table.merge(Table.parse(before), figures, host, "2026-03-01, otherwise idle"))

const parsed = [...Table.parse(PAGE).rows].map(([name, row]) => ({ name, row }))

describe("the bench's table", () => {
  it("is in the page as it was written, and written anew changes nothing", () => {
    const once = page([imported(1.25), started])
    const { machine, measured, rows } = Table.parse(once)
    assert.deepStrictEqual([machine, measured], ["a machine", "2026-03-01, otherwise idle"])
    assert.deepStrictEqual([...rows.keys()], [imported(1).name, started.name])
    assert.include(once, "| import: 200,000 invoices; by hand | 2.00 s | 1.60 s | 1.25 |  | 1.00 | MISSED |")
    assert.include(once, "- *import: 200,000 invoices; by hand*: most of it is decoding")
    assert.strictEqual(page([imported(1.25), started], once), once)
  })

  it("keeps what was not measured now, unless another machine measures", () => {
    const once = page([imported(1), started])
    assert.deepStrictEqual([...Table.parse(page([imported(0.9)], once)).rows.keys()], [imported(1).name, started.name])
    assert.deepStrictEqual([...Table.parse(page([started], once, "another")).rows.keys()], [started.name])
  })

  it("says of each figure that is missed why", () => {
    const missed = parsed.filter(({ row }) => row.includes("MISSED")).map(({ name }) => name)
    for (const name of missed) {
      const figure = explained(atMost(name, 1, { ours: "2 s", baseline: "1 s", ratio: 2, note: "as seen" }))
      assert.match(figure.note ?? "", /^as seen; missed: ./, name)
    }
    assert.strictEqual(explained(imported(0.9)).note, "most of it is decoding", "one that is held needs no reason")
  })

  it("blames other work for a bench that takes too long only where there was some, and names its longest parts", () => {
    const parts = [3, 9, 1, 80, 2].map((seconds, i) => ({ name: `part ${i}`, seconds }))
    assert.strictEqual(longest(parts), "longest: part 3 80.00 s, part 1 9.00 s, part 0 3.00 s, part 4 2.00 s")
    const whole = atMost("bench: all of it; five minutes", 1, { ours: "6 m", baseline: "5 m", ratio: 1.2 })
    assert.notInclude(explained(whole).note, "other work")
    assert.include(explained(whole, true).note, "the machine had other work to do before")
  })

  it("says when the machine is too busy for figures to count", () => {
    assert.isUndefined(Table.tooBusy(0.2))
    assert.include(Table.tooBusy(12.34), "a load of 12.3")
    assert.include(Table.circumstances(12.34), "busy with other things")
    assert.include(Table.circumstances(0.2), "otherwise idle")
  })

  it("calls worse what takes more than a fifth more than before, and no noise", () => {
    const before = Table.parse(page([imported(1), started]))
    assert.isUndefined(Table.worse(imported(1.2), before))
    assert.strictEqual(Table.worse(imported(1.21), before), 1)
    assert.isUndefined(Table.worse({ ...imported(9), name: "new" }, before))
    const small = Table.parse(page([imported(0.02)]))
    assert.isUndefined(Table.worse(imported(0.06), small))
    assert.strictEqual(Table.worse(imported(0.08), small), 0.02)
  })

  it("compares seconds and rates so that less is better, run by run", () => {
    const inSeconds = times({ ours: [1, 2, 3], theirs: [2, 2, 2] })
    assert.deepStrictEqual([inSeconds.ratio, inSeconds.runs], [1, [0.5, 1, 1.5]])
    const perSecond = rates({ ours: [100, 200, 400], theirs: [200, 200, 200] })
    assert.deepStrictEqual([perSecond.ratio, perSecond.runs], [1, [2, 1, 0.5]])
  })
})
