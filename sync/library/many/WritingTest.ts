/** Tests by work whether state files can be written in a folder: a full disk, or one that became read-only, says nothing of itself. */
import { Effect } from "effect"
import { rm, writeFile } from "node:fs/promises"
import { join } from "node:path"

/** A state file that is created, with its log, is about as large. */
const BYTES = 1 << 20

/** Why nothing can be written there, in words; undefined: it can. */
const writingProblem = (folder: string): Effect.Effect<string | undefined> => {
  const file = join(folder, `writes-${process.pid}`)
  const writing = async () => {
    try {
      await writeFile(file, Buffer.alloc(BYTES, 1))
    } finally {
      await rm(file, { force: true })
    }
  }
  return Effect.match(Effect.tryPromise({ try: writing, catch: (cause) => (cause as Error).message }), {
    onFailure: (why) => `nothing can be written in ${folder}: ${why}`,
    onSuccess: () => undefined
  })
}

/** How often to test. Milliseconds. */
const TESTS_MS = 3000

/** Tests a folder again and again; nobody waits for a disk. */
export class WritingTest {
  readonly #folder: string
  #tested = Number.NEGATIVE_INFINITY
  #found: string | undefined

  constructor(folder: string) {
    this.#folder = folder
  }

  /** @returns what the last test found */
  look(now: number): Effect.Effect<string | undefined> {
    return Effect.gen({ self: this }, function* () {
      if (now - this.#tested >= TESTS_MS) {
        this.#tested = now
        const test = Effect.tap(writingProblem(this.#folder), (why) => Effect.sync(() => void (this.#found = why)))
        yield* Effect.forkDetach(test)
      }
      return this.#found
    })
  }
}
