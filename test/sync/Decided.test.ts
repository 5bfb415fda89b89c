/**
 * A person's decision that the machine dies in, or that finds the disk full, at any of its steps: it is made or it is not
 * made, never half; made again where it was not, everything ends as if nothing had happened.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { CompanyId } from "../../core/wire/Ids.ts"
import * as AttentionStore from "../../sync/apply/AttentionStore.ts"
import { Database } from "../../sync/state/Database.ts"
import * as Debtors from "../../sync/reports/Debtors.ts"
import * as AttentionActions from "../../sync/apply/AttentionActions.ts"
import * as Matching from "../../sync/matching/Run.ts"
import * as MatchChoices from "../../sync/matching/Choices.ts"
import { invoice } from "../support/Documents.ts"
import { violations } from "./Invariants.ts"
import { report } from "./InWorld.ts"
import { received as money } from "./Paying.ts"
import { World } from "./World.ts"

type Db = Database["Service"]

interface Decision {
  /** Makes it, as the command, the page and the library do. */
  readonly decide: Effect.Effect<unknown, unknown, Database>
  /** What the service has received in the end. */
  readonly received: ReadonlyArray<string>
  readonly asked?: RegExp
}

const open = (db: Db) => AttentionStore.list(db).find(({ subject }) => subject === "debits/payment/D1")

const step = (work: (db: Db) => unknown) => Effect.flatMap(Database, (db) => db.transaction(() => work(db)))

const DECISIONS: Readonly<Record<string, Decision>> = {
  "which invoice a payment is for": {
    decide: Effect.andThen(
      step((db) => open(db) && MatchChoices.choose(db, "debits/payment/D1", [{ invoice: "INV-2" }], 0)),
      Matching.run
    ),
    received: ["77.00"]
  },
  "that a payment is for no invoice": {
    decide: Effect.andThen(
      step((db) => open(db) && MatchChoices.choose(db, "debits/payment/D1", [], 0)),
      Matching.run
    ),
    received: []
  },
  "that a matter is looked at again": {
    decide: Effect.andThen(
      step((db) => {
        const found = open(db)
        return found !== undefined && AttentionActions.retry(db, found.id, 0)
      }),
      Matching.run
    ),
    received: []
  },
  "which company a debtor is": {
    decide: step((db) => Debtors.choose(db, { connection: "books", party: "c1" }, CompanyId.make("co-1000"), 0)),
    received: [],
    asked: /match_debtor/
  }
}

/** Told of two invoices and of a payment that names none of them; then this goes wrong in the decision. */
const goesWrong = async ({ asked, decide, received }: Decision, wrong: (world: World) => void): Promise<boolean> => {
  const world = new World({ pays: true })
  try {
    world.documents = [invoice(), invoice({ id: "I2", number: "INV-2" })]
    world.payments = [money("D1", { amount: "77.00", reference: "thank you" })]
    report(await world.sync())
    wrong(world)
    const made = await world.life(decide)
    world.killAt = undefined
    world.fullAt = undefined
    if (made._tag === "Failure") {
      // What the machine left is whole: it is told once before the person tries again.
      report(await world.sync())
      assert.strictEqual((await world.life(decide))._tag, "Success")
    }
    report(await world.sync())
    assert.deepStrictEqual(
      [...world.service.payment.values()].map(({ amount }) => amount),
      [...received]
    )
    if (asked !== undefined) assert.isTrue(world.instance.journal.some(({ path }) => asked.test(path)))
    assert.deepStrictEqual(await violations(world), [])
    return made._tag === "Failure"
  } finally {
    world.close()
  }
}

describe("a person's decision", () => {
  for (const [name, decision] of Object.entries(DECISIONS)) {
    const everywhere = async (wrong: (world: World, at: number) => void) => {
      let failed = 0
      let quiet = 0
      // Every other step of a commit is behind it; beyond the last one nothing goes wrong.
      for (let at = 1; quiet < 3; at++) {
        if (await goesWrong(decision, (world) => wrong(world, at))) failed++
        else quiet++
      }
      return failed
    }

    it(`${name}: a kill at any step leaves it made or not made`, { timeout: 120_000 }, async () => {
      assert.isAtLeast(await everywhere((world, at) => void (world.killAt = at)), 2)
    })

    it(`${name}: so does a disk that is full at any of its writes`, { timeout: 120_000 }, async () => {
      assert.isAtLeast(await everywhere((world, at) => void (world.fullAt = [2 * at - 1, 2 * at])), 1)
    })
  }
})
