/** A sample of lives: each kind of failure is a known one. `node test/world/run.ts` plays thousands and tells their stories. */
import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, normalize } from "node:path"
import { times } from "../support/Effort.ts"
import { mutated } from "../simulation/Trial.ts"
import { unknown } from "./Known.ts"
import { lifeOf, nameOf, reached } from "./Lives.ts"
import { ASSUMPTIONS } from "./mistakes/Assumptions.ts"
import { FINDINGS } from "./mistakes/Findings.ts"
import { planOf } from "./truth/People.ts"

const SOURCES = readFileSync("test/world/SOURCES.md", "utf8")

describe("the world", () => {
  it("finds no kind of failure that is not known", { timeout: 600_000 }, async () => {
    const came = new Set<string>()
    for (let seed = 1; seed <= times(80); seed++) {
      const life = lifeOf(seed)
      const played = await life.play()
      assert.deepStrictEqual(unknown(played.failures.map((one) => nameOf(one, life))), [], `seed ${seed}`)
      for (const one of reached(life, played)) came.add(one)
    }
    assert.isAbove(came.size, 12)
  })

  it("is the same each time, and goes on as before where something is left out", () => {
    const words = (seed: number) => planOf(seed).happenings.map(({ day, id, what }) => `${day} ${id} ${what}`)
    assert.deepStrictEqual(words(7), words(7))
    assert.notDeepEqual(words(7), words(8))
  })
})

describe("the world's code", () => {
  it("runs the library, and imports nothing else of what it judges", () => {
    const open =
      /^(test\/world|test\/simulation\/(Dice|Story|Trial|mutants)\.ts|test\/support\/Effort\.ts|core\/sandbox\/index\.ts|sync\/library\/Daybook\.ts)/
    const files = readdirSync("test/world", { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".ts")
    )
    assert.isAbove(files.length, 30)
    const wrong = files.flatMap((name) => {
      const path = join("test/world", name)
      const targets = [...readFileSync(path, "utf8").matchAll(/from "(\.[^"]+)"/g)]
      return targets
        .map(([, target]) => normalize(join(dirname(path), target!)))
        .filter((target) => !open.test(target))
        .map((target) => `${path} imports ${target}`)
    })
    assert.deepStrictEqual(wrong, [])
  })
})

describe("mistakes that the world must find", () => {
  it("change the program as it is, and some life can come to each", () => {
    assert.isAtLeast(ASSUMPTIONS.length, 10)
    assert.isAtLeast(FINDINGS.length, 25)
    const lives = Array.from({ length: 200 }, (_, n) => lifeOf(n + 1))
    for (const one of [...ASSUMPTIONS, ...FINDINGS]) {
      assert.isNotEmpty(mutated(one))
      const { name, needs = [], where } = one
      assert.isTrue(
        lives.some(({ kinds, setting }) => setting.includes(where) && needs.every((kind) => kinds.has(kind))),
        name
      )
    }
  })
})

describe("what is assumed about vendors", () => {
  const rows = SOURCES.split("\n").filter((line) => /^\| [^-|]/.test(line) && !line.startsWith("| view"))

  it("has a source in each row, or says that it has none, and when it was looked up", () => {
    assert.isAbove(rows.length, 30)
    const wrong = rows.filter((row) => {
      const [, , assumption = "", source = "", day = ""] = row.split("|").map((cell) => cell.trim())
      return assumption === "" || source === "" || !/^2026-\d\d-\d\d$/.test(day)
    })
    assert.deepStrictEqual(wrong, [])
  })

  it("counts those without one", () => {
    const without = rows.filter((row) => row.includes("| no source"))
    const [, said] = /(\d+) of them have no source/.exec(SOURCES) ?? []
    assert.strictEqual(without.length, Number(said))
  })
})
