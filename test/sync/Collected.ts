/** A world whose invoice `1` can be handed over, what a person does about it, and what the service then has of it. */
import { assert } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import type { Document } from "../../connectors/Document.ts"
import * as AttentionStore from "../../sync/apply/AttentionStore.ts"
import * as Collecting from "../../sync/collections/Collecting.ts"
import type { CoverSettings } from "../../sync/model/CoverSettings.ts"
import { Database } from "../../sync/state/Database.ts"
import { covering, due, items, policies } from "./Covered.ts"
import { ask, inWorld, report } from "./InWorld.ts"
import { lettersLoaded, PDF, put } from "./OwnFiles.ts"
import type { World } from "./World.ts"

await lettersLoaded()

const KEY_1 = "books/invoice/1"

export const NEVER = ["collections.create", "collectionDocuments.create", "collections.send"]

/** A person at the state file, between two syncs. */
const person = <A>(world: World, act: (db: Database["Service"], now: number) => A): A =>
  Effect.runSync(
    Effect.gen(function* () {
      const db = yield* Database
      return yield* db.transaction(() => act(db, world.clock.currentTimeMillisUnsafe()))
    }).pipe(Effect.provide(Layer.fresh(Database.layer({ file: world.file, mode: "write" }))))
  )

export const look = (world: World): Collecting.CollectionView => {
  const view = person(world, (db, now) => Collecting.look(db, world.connection, KEY_1, now))
  if ("why" in view) throw new Error(view.why)
  return view
}

/** Gives a person's word. Answers why it was not taken; throws where it should have been. */
export const confirmed = (
  world: World,
  change: Partial<Collecting.Confirmation> & { readonly digest: string },
  taken = true
): string => {
  const word = {
    who: "Pat Tern",
    disputed: true,
    reasons: "the goods came late",
    confirm_correct: true,
    collections_terms_acceptance: true,
    ...change
  }
  const answer = person(world, (db, now) => Collecting.confirm(db, world.connection, KEY_1, word, now))
  if ("why" in answer === taken) throw new Error(JSON.stringify(answer))
  return "why" in answer ? answer.why : ""
}

export const takeBack = (world: World): void => {
  const refused = person(world, (db, now) => Collecting.withdraw(db, world.connection, KEY_1, "Pat Tern", now))
  if (refused !== undefined) throw new Error(refused.why)
}

/** A person has dealt with what needs attention: it is tried again. */
export const retryAll = (world: World): void =>
  person(world, (db, now) => {
    for (const { id, refused } of AttentionStore.list(db)) if (refused) AttentionStore.retry(db, id, now)
  })

/** Answers why it was not taken. */
export const addFile = (world: World, name: string, type: string, bytes: Uint8Array): string =>
  person(
    world,
    (db, now) => Collecting.attach(db, world.connection, KEY_1, { name, type, bytes, who: "Pat Tern" }, now)?.why ?? ""
  )

export const removeFile = (world: World, name: string): string =>
  person(world, (db, now) => Collecting.detach(db, world.connection, KEY_1, name, "Pat Tern", now)?.why ?? "")

export const collections = (world: World) => [...world.service.collection.values()]

export const documentsOf = (world: World): ReadonlyArray<string> =>
  [...world.service.document.values()].map(({ name, type }) => `${type} ${name}`).toSorted()

const HANDOVER: CoverSettings["handover"] = {
  contact: { name: "Pat Tern", email: "pat@tern.example", phone: "+44 20 7946 0000" },
  bank: { name: "Tern & Sons", sortcode: { env: "BANK_SORTCODE" }, number: { env: "BANK_NUMBER" } },
  documents: "invoices/{number}.pdf"
}

const secrets = (name: string) =>
  Redacted.make(name === "BANK_NUMBER" ? "12345678" : name === "BANK_SORTCODE" ? "20-00-00" : "tok_visa")

/** The seller has an admin, as a collection asks for. */
export const planning = (handover: CoverSettings["handover"] = HANDOVER) => ({
  ...covering(handover === undefined ? {} : { handover }),
  owner: {
    organisation: {
      unique_id: "seller",
      registered: "2020-01-01T00:00:00Z",
      name: "Tern & Sons",
      members: [{ email: "pat@tern.example", name: "Pat Tern", role: "admin" as const }]
    }
  }
})

export const party = { id: "c-1", name: "Harbour Lane Bakery Ltd", country: "GB", address: "1 Quay Street, Bristol" }

const BEGIN = Date.UTC(2026, 3, 1, 9)

/** The clock stands so many days after the first on which the sandbox lets the invoice be handed over. */
export const late = async (world: World, days = 0): Promise<void> => {
  for (let day = 0; ; day++) {
    world.clock.set(BEGIN + day * DAY_MS)
    const { results } = (await ask(world, "GET", "/v1/policies")) as {
      readonly results: ReadonlyArray<{ status: string }>
    }
    if (results.every(({ status }) => status !== "active" && status !== "late")) break
  }
  world.clock.set(world.clock.currentTimeMillisUnsafe() + days * DAY_MS)
}

const DAY_MS = 86_400_000

/** A world whose invoice is insured, and on the first day of its window. */
export const inWindow = (
  work: (world: World) => Promise<void>,
  {
    documents = [due("1", { party })],
    handover = HANDOVER,
    pays,
    policies: insured = 1
  }: { documents?: ReadonlyArray<Document>; handover?: CoverSettings["handover"]; pays?: true; policies?: number } = {}
) =>
  inWorld({ planning: planning(handover), ...(pays === undefined ? {} : { pays }) }, async (world) => {
    world.documents = documents
    put(world, "invoices/INV-1.pdf", PDF("the invoice"))
    report(await world.sync({ secrets }))
    assert.strictEqual(policies(world).length, insured)
    await late(world)
    const first = world.clock.currentTimeMillisUnsafe()
    // Read on the day before, so that the day on which the window begins is known.
    world.clock.set(first - DAY_MS)
    report(await world.sync({ secrets }))
    world.clock.set(first)
    report(await world.sync({ secrets }))
    await work(world)
  })

export const rules = (world: World) => items(world).map(({ rule }) => rule)
export const sync = async (world: World) => report(await world.sync({ secrets }))

/** So many days later. */
export const later = (world: World, days: number): void =>
  world.clock.set(world.clock.currentTimeMillisUnsafe() + days * DAY_MS)
