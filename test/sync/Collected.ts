/** What a person does about the collection of the invoice `1` of a world, and what the service then has of it. */
import { Effect, Layer } from "effect"
import * as Collecting from "../../sync/collections/Collecting.ts"
import { Database } from "../../sync/state/Database.ts"
import type { World } from "./World.ts"

export const KEY_1 = "books/invoice/1"

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

/** Answers why it was not taken. */
export const addFile = (world: World, name: string, type: string, bytes: Uint8Array): string =>
  person(
    world,
    (db, now) => Collecting.attach(db, world.connection, KEY_1, { name, type, bytes, who: "Pat Tern" }, now)?.why ?? ""
  )

export const collections = (world: World) => [...world.service.collection.values()]

export const documentsOf = (world: World): ReadonlyArray<string> =>
  [...world.service.document.values()].map(({ name, type }) => `${type} ${name}`).toSorted()
