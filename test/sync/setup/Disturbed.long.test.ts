/** Generated files with disturbances: `DISTURBED_FILES=20000 npx vitest run test/sync/setup/Disturbed.long.test.ts` tries as many. */
import { describe, expect, it } from "vitest"
import { GENERATED, generated } from "./Generated.ts"

const FILES = Number(process.env["DISTURBED_FILES"] ?? 900) / GENERATED.length

describe("init, of files that are not quite as they should be", () => {
  for (const kind of GENERATED) {
    it(`reads none of ${FILES} wrong without a word: ${kind}`, { timeout: 3_600_000 }, async () => {
      const wrong: Array<string> = []
      for (let seed = 1; seed <= FILES; seed++) {
        const found = await generated[kind].wrong(seed)
        if (found !== undefined) wrong.push(`file ${seed} (${generated[kind].names(seed).join("; ")}): ${found}`)
      }
      expect(wrong).toEqual([])
    })

    it(`has every disturbance among them: ${kind}`, () => {
      const seen = new Set(Array.from({ length: 300 }, (_, n) => generated[kind].names(n + 1)).flat())
      expect([...seen].toSorted()).toEqual(generated[kind].all.toSorted())
    })
  }
})
