/** Books with invoices to insure, and what the state file and the service then say of their cover. */
import { assert } from "@effect/vitest"
import { Clock, Effect, Exit } from "effect"
import { Database } from "../../sync/state/Database.ts"
import { of } from "../../core/money/Decimal.ts"
import type { Invoice } from "../../connectors/Document.ts"
import type { CoverChoice } from "../../sync/apply/CoverDecisions.ts"
import * as CoverDecisions from "../../sync/apply/CoverDecisions.ts"
import type { Planning } from "../../sync/model/Connection.ts"
import type { CoverSettings } from "../../sync/model/CoverSettings.ts"
import { offers } from "../../sync/reports/Cover.ts"
import { invoice, planning } from "../support/Documents.ts"
import { open } from "./InWorld.ts"
import type { World } from "./World.ts"

export const SETTINGS: CoverSettings = {
  select: [{}],
  price: { currency: "GBP", per_invoice: "250.00", per_month: "2000.00" },
  pay_with: { env: "COVER_PAYMENT" }
}

/** A seller that the service knows, and what is said of cover. */
export const covering = (cover: Partial<CoverSettings> = {}): Planning => ({
  ...planning,
  creditor: { name: "Tern & Sons", country: "GB" },
  cover: { ...SETTINGS, ...cover }
})

/** An invoice of the world's day, 1 March 2026, of 1,000.00 net: a quote of it costs 22.40. */
export const due = (id: string, changes: Parameters<typeof invoice>[0] = {}): Invoice => {
  const party = { id: `c-${id}`, name: "Harbour Lane Bakery Ltd", country: "GB" }
  const made = invoice({ id, number: `INV-${id}`, issued: "2026-03-01", due: "2026-03-31", party, ...changes })
  return { ...made, net: made.net === of("100") ? of("1000.00") : made.net!, gross: of("1200.00") }
}

/** An invoice to the company of the sandbox that is declined by this code. */
export const declinedBy = (id: string, code: string, changes: Parameters<typeof invoice>[0] = {}): Invoice => {
  const name = `Declined ${code.replace(/(^|-)([a-z])/g, (_, dash: string, letter: string) => (dash === "" ? "" : " ") + letter.toUpperCase())} Ltd`
  return due(id, { party: { id: `c-${id}`, name, country: "GB" }, ...changes })
}

export const states = (world: World): Record<string, unknown> =>
  Object.fromEntries(
    open(world, "SELECT subject, state FROM cover ORDER BY subject").map(({ state, subject }) => [
      String(subject).replace("books/invoice/", ""),
      state
    ])
  )

export const policies = (world: World) => [...world.service.policy.values()]

/** Requests of one kind that reached the service. */
export const asked = ({ instance }: World, path: string): number =>
  instance.journal.filter((one) => one.method === "POST" && one.path === path).length

export const items = (world: World) =>
  open(world, "SELECT subject, rule, why, todo FROM attention WHERE closed IS NULL ORDER BY subject, id")

/** Looks into the state file, or writes, as a command does. */
export const look = async <A>(world: World, work: (db: Database["Service"], now: number) => A): Promise<A> => {
  const done = await world.life(
    Effect.gen(function* () {
      const db = yield* Database
      const now = yield* Clock.currentTimeMillis
      return yield* db.transaction(() => work(db, now))
    })
  )
  return Exit.isSuccess(done) ? done.value : assert.fail(String(done))
}

/** A budget within which one invoice is not insured without a person's word. */
export const TIGHT = { price: { currency: "GBP", per_invoice: "20.00", per_month: "30.00" } }

export const offer = (world: World) => look(world, (db, now) => offers(db, world.connection, now))

/** A decision about the offer for invoice `1`. Returns why it was not taken. */
export const decide = (world: World, choice: Omit<CoverChoice, "who">) =>
  look(world, (db, now) =>
    CoverDecisions.decide(db, world.connection, "books/invoice/1", { ...choice, who: "jo" }, now)
  )
