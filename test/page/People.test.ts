/** Sessions as others see them: by names that let nobody in, and that end them. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Redacted, Stream } from "effect"
import { TestClock } from "effect/testing"
import { createHook } from "node:async_hooks"
import { lines } from "../../cli/page/Live.ts"
import { Sessions } from "../../cli/page/Sessions.ts"

const NOW = Date.parse("2026-06-30T12:00:00Z")
const HOUR = 3_600_000

const PLAIN = { encrypted: false }

/** How many slow hashes are worked out meanwhile. */
const derivations = async (work: () => Promise<unknown>): Promise<number> => {
  let count = 0
  const hook = createHook({ init: (_, type) => void (count += type === "SCRYPTREQUEST" ? 1 : 0) }).enable()
  await work()
  hook.disable()
  return count
}

describe("a wrong password", () => {
  it("makes the same work, whether its name is known", async () => {
    const password = `scrypt$32768$8$3$${"s".repeat(22)}$${"h".repeat(43)}`
    const persons = () => [
      { name: "ada", roles: ["reader"], password } as const,
      { name: "bo", roles: ["reader"] } as const
    ]
    const sessions = new Sessions(Redacted.make("correct horse battery"), { persons })
    for (const name of ["ada", "bo", "eve"])
      assert.strictEqual(await derivations(() => sessions.check(name, "wrong", "10.0.0.1")), 1, name)
  })
})

describe("sessions", () => {
  it("are listed with who uses them and from where, and any of them can be ended by its name", () => {
    const sessions = new Sessions(Redacted.make("correct horse battery"))
    const cookies = ["10.0.0.1", "10.0.0.2"].map((from, n) => sessions.issue(NOW + n, from, PLAIN)[0]!.split(";")[0]!)
    const [first = "", second = ""] = cookies.map((cookie) => sessions.of(cookie, NOW + HOUR)!)
    sessions.named(first, "Ada")
    sessions.named(first, "")
    assert.deepStrictEqual(
      sessions
        .open(NOW + HOUR)
        .map(({ from, who }) => [from, who])
        .toSorted(),
      [
        ["10.0.0.1", "Ada"],
        ["10.0.0.2", ""]
      ]
    )
    const name = sessions.nameOf(second)
    assert.notInclude(cookies[1]!, name)
    assert.isUndefined(sessions.of(`daybook=${name}`, NOW + HOUR))
    sessions.endNamed("nobody's")
    sessions.endNamed(name)
    assert.isUndefined(sessions.of(cookies[1]!, NOW + HOUR))
    assert.strictEqual(sessions.of(cookies[0]!, NOW + HOUR), first)
    assert.lengthOf(sessions.open(NOW + HOUR), 1)
    assert.lengthOf(sessions.open(NOW + 13 * HOUR), 0)
  })

  it.effect("that ended are told of no more runs", () =>
    Effect.gen(function* () {
      const sessions = new Sessions(Redacted.make("correct horse battery"))
      const session = sessions.of(sessions.issue(NOW, "", PLAIN)[0]!.split(";")[0]!, NOW)!
      const began = { type: "began", connection: "books", why: "schedule" } as const
      const ending = yield* Effect.forkChild(
        Stream.runCollect(lines(Stream.make(began), () => sessions.isOpen(session, NOW + HOUR)))
      )
      for (let n = 0; n < 15; n++) yield* TestClock.adjust("1 second")
      sessions.end(session)
      yield* TestClock.adjust("15 seconds")
      const text = (yield* Fiber.join(ending)).join("")
      assert.include(text, 'event: run\ndata: {"connection":"books","type":"began"}\n\n')
      assert.include(text, ": here")
    })
  )
})
