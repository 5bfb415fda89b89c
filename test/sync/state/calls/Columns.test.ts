/** Texts that are laid out by column are read as they were, in their order. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { zstdCompressSync } from "node:zlib"
import { fromColumns, toColumns } from "../../../../sync/state/calls/Columns.ts"
import { smallest } from "../../../../sync/state/Zstandard.ts"

const there = (texts: ReadonlyArray<string>) => fromColumns(toColumns(texts))

describe("texts by column", () => {
  it("are read as they were, whatever they are", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { minLength: 1 }), (values) => {
        const texts = values.map((value) => JSON.stringify(value))
        assert.deepStrictEqual([...there(texts)], texts)
      })
    )
    for (const texts of [[""], ["", '"'], ['"a"', "b", '"c"', "", '"\\""', '"a"\n"b"'], ["1", "2", "3"]])
      assert.deepStrictEqual([...there(texts)], texts)
  })

  it("of calls take two thirds of what they take line by line", () => {
    const texts = Array.from({ length: 512 }, (_, n) => {
      const [subject, due] = [`books/invoice/INV-${n * 7}`, `2026-0${1 + (n % 9)}-${10 + (n % 17)}`]
      const asked = {
        unique_id: subject,
        number: `INV-${n * 7}`,
        gross_amount: `${n * 13}.${10 + (n % 89)}`,
        due_date: due
      }
      return JSON.stringify([
        n,
        subject,
        asked,
        { ...asked, id: `trns-${(n * 2654435761) % 4294967296}`, paid_date: due }
      ])
    })
    const size = (text: string) => zstdCompressSync(text, smallest()).length
    assert.isBelow(size(toColumns(texts)), (2 / 3) * size(texts.join("\n")))
  })

  it("are none, or others, where the text was changed", () => {
    assert.deepStrictEqual([...fromColumns("")], [])
    assert.deepStrictEqual([...fromColumns("3\u001f1")], [])
    assert.notDeepEqual([...fromColumns(`${toColumns(['"a"', '"b"'])}x`)], ['"a"', '"b"'])
  })
})
