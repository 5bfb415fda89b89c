/**
 * A person's decision that the machine dies in, or that finds the disk full, at any third of its steps (nightly: at any): it is made or it is not
 * made, never half; made again where it was not, everything ends as if nothing had happened.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { CompanyId } from "../../../core/wire/Ids.ts"
import * as AttentionStore from "../../../sync/apply/AttentionStore.ts"
import { Database } from "../../../sync/state/Database.ts"
import * as Debtors from "../../../sync/decisions/Debtors.ts"
import * as AttentionActions from "../../../sync/apply/AttentionActions.ts"
import * as Matching from "../../../sync/matching/Run.ts"
import * as MatchChoices from "../../../sync/matching/Choices.ts"
import { invoice } from "../../support/Documents.ts"
import { apart } from "../../support/Effort.ts"
import { violations } from "../Invariants.ts"
import { open as rows, report } from "../InWorld.ts"
import { received as money } from "../Paying.ts"
import { World } from "../World.ts"

type Db = Database["Service"]

interface Decision {
  /** Writes it down, as the command, the page and the library do, in one transaction. */
  readonly write: (db: Db) => unknown
  /** Payments are matched with it at once. */
  readonly matches: boolean
  /** What the service has received in the end. */
  readonly received: ReadonlyArray<string>
  readonly asked?: RegExp
}

const open = (db: Db) => AttentionStore.list(db).find(({ subject }) => subject === "debits/payment/D1")

const DECISIONS: Readonly<Record<string, Decision>> = {
  "which invoice a payment is for": {
    write: (db) => open(db) && MatchChoices.choose(db, "debits/payment/D1", [{ invoice: "INV-2" }], 0),
    matches: true,
    received: ["77.00"]
  },
  "that a payment is for no invoice": {
    write: (db) => open(db) && MatchChoices.choose(db, "debits/payment/D1", [], 0),
    matches: true,
    received: []
  },
  "that a matter is looked at again": {
    write: (db) => {
      const found = open(db)
      return found !== undefined && AttentionActions.retry(db, found.id, 0)
    },
    matches: true,
    received: []
  },
  "which company a debtor is": {
    write: (db) => Debtors.store(db, { connection: "books", party: "c1" }, CompanyId.make("co-1000"), 0),
    matches: false,
    received: [],
    asked: /match_debtor/
  }
}

const decided = ({ matches, write }: Decision): Effect.Effect<unknown, unknown, Database> => {
  const written = Effect.flatMap(Database, (db) => db.transaction(() => write(db)))
  return matches ? Effect.andThen(written, Matching.run) : written
}

/** Two invoices are sent, and a payment that names none of them is read. */
const waiting = async (): Promise<World> => {
  const world = new World({ pays: true })
  world.documents = [invoice(), invoice({ id: "I2", number: "INV-2" })]
  world.payments = [money("D1", { amount: "77.00", reference: "thank you" })]
  report(await world.sync())
  return world
}

/** This goes wrong in the decision. */
const goesWrong = async (decision: Decision, wrong: (world: World) => void): Promise<boolean> => {
  const { asked, received } = decision
  const decide = decided(decision)
  const world = await waiting()
  try {
    wrong(world)
    const made = await world.life(decide)
    world.killAt = undefined
    world.fullAt = undefined
    if (made._tag === "Failure") {
      // What the machine left is whole: it is sent once before the person tries again.
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

/** The same state file, of which one write fails. */
const failing = (db: Db, at: number): Db => {
  let writes = 0
  const prepare = (sql: string) => {
    const statement = db.prepare(sql)
    const run = statement.run.bind(statement)
    statement.run = (...values: Parameters<typeof run>) => {
      if (++writes === at) throw new Error("the disk is full")
      return run(...values)
    }
    return statement
  }
  return { ...db, prepare: prepare as Db["prepare"] }
}

const TABLES = ["document", "allocation", "matching", "choice", "changed", "to_match", "attention", "ledger"]

const contents = (world: World) => TABLES.map((table) => [table, rows(world, `SELECT * FROM ${table} ORDER BY 1`)])

/** Few steps make a decision: some of them are tried for each. */
const SOME = Math.min(3, apart(1))

describe("a person's decision", () => {
  for (const [n, [name, decision]] of Object.entries(DECISIONS).entries()) {
    const everywhere = async (wrong: (world: World, at: number) => void) => {
      let failed = 0
      let quiet = 0
      // Every other step of a commit is behind it; beyond the last one nothing goes wrong.
      for (let at = 1 + (n % SOME); quiet < 3; at += SOME) {
        if (await goesWrong(decision, (world) => wrong(world, at))) failed++
        else quiet++
      }
      return failed
    }

    it(`${name}: a kill at any step leaves it made or not made`, { timeout: 120_000 }, async () => {
      assert.isAtLeast(await everywhere((world, at) => void (world.killAt = at)), 2 / SOME)
    })

    it(`${name}: so does a disk that is full at any of its writes`, { timeout: 120_000 }, async () => {
      assert.isAtLeast(await everywhere((world, at) => void (world.fullAt = [2 * at - 1, 2 * at])), 1)
    })

    it(`${name}: of its writes all are kept or none`, async () => {
      const world = await waiting()
      try {
        const before = contents(world)
        let made = false
        for (let at = 1; !made; at++) {
          const exit = await world.life(
            Effect.flatMap(Database, (db) => db.transaction(() => decision.write(failing(db, at))))
          )
          made = exit._tag === "Success"
          assert.strictEqual(at === 1 && made, false, "it writes nothing")
          if (!made) assert.deepStrictEqual(contents(world), before, `its write ${at} failed`)
        }
        assert.notDeepEqual(contents(world), before)
      } finally {
        world.close()
      }
    })
  }
})
