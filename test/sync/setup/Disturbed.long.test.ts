/** Generated files with disturbances: `DISTURBED_FILES=20000 npx vitest run test/sync/setup/Disturbed.long.test.ts` tries as many. */
import { describe, expect, it } from "vitest"
import { disturbedFile, DISTURBANCES, wrongOf } from "./Disturbed.ts"

const FILES = Number(process.env["DISTURBED_FILES"] ?? 300)

describe("init, of files that are not quite as they should be", () => {
  it(`reads none of ${FILES} wrong without a word`, { timeout: 3_600_000 }, async () => {
    const wrong: Array<string> = []
    for (let seed = 1; seed <= FILES; seed++) {
      const file = disturbedFile(seed)
      const found = await wrongOf(file)
      if (found !== undefined) wrong.push(`file ${seed} (${file.names.join("; ")}): ${found}`)
    }
    expect(wrong).toEqual([])
  })

  it("has every disturbance among them", () => {
    const seen = new Set(Array.from({ length: 300 }, (_, n) => disturbedFile(n + 1).names).flat())
    expect([...seen].toSorted()).toEqual(DISTURBANCES.map(([name]) => name).toSorted())
  })
})
