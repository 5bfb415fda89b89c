/** What a terminal shows while a command works: the line of progress goes on while nothing new is said, and ends with it. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { setTimeout } from "node:timers/promises"
import { make } from "../../cli/render/Output.ts"

const heard = async (work: () => Promise<void>): Promise<ReadonlyArray<string>> => {
  const written: Array<string> = []
  const before = process.stderr.write
  process.stderr.write = (text: Uint8Array | string) => {
    written.push(String(text).replace("\r\u001b[2K", ""))
    return true
  }
  try {
    await work()
  } finally {
    process.stderr.write = before
  }
  return written
}

describe("the line of progress", () => {
  const options = { json: false, quiet: false, color: false, width: 40 }

  it("says for how long nothing new was said, until it is removed", async () => {
    const out = make({ ...options, progress: true })
    const written = await heard(async () => {
      await Effect.runPromise(out.tick("books: 100 read"))
      await setTimeout(1300)
      await Effect.runPromise(out.clear)
      await setTimeout(1300)
    })
    assert.deepStrictEqual(written, ["books: 100 read", "books: 100 read (for 1 s)", ""])
  })

  it("is nowhere but on a terminal", async () => {
    const out = make({ ...options, progress: false })
    assert.deepStrictEqual(
      await heard(async () => {
        await Effect.runPromise(out.tick("books: 100 read"))
        await setTimeout(1100)
        await Effect.runPromise(out.clear)
      }),
      []
    )
  })
})
