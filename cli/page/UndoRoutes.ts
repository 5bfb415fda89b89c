/** Takes back decisions: each in the room of its kind, with the right that it needed. */
import { Effect } from "effect"
import type { Deed } from "../../sync/decisions/Undoable.ts"
import * as Undo from "../../sync/decisions/Undo.ts"
import { Database } from "../../sync/state/Database.ts"
import { button, html, type Node } from "./Html.ts"
import type { PageHandler } from "./Response.ts"
import { isFor } from "./RouteRights.ts"
import type { Person } from "../../sync/model/Person.ts"

/** Where each kind of decision is taken back. */
const ROOMS: Readonly<Record<Deed["kind"], "attention" | "plans" | "customers" | "debtors">> = {
  items: "attention",
  answer: "attention",
  invoices: "attention",
  same: "attention",
  payer: "attention",
  kind: "attention",
  plan: "plans",
  note: "customers",
  company: "debtors"
}

/** Whether a form of this room makes such a decision. */
export const isOfRoom = ({ kind }: Deed, room: string): boolean =>
  ROOMS[kind] === (room === "payments" ? "attention" : room)

const addressOf = ({ deed }: Pick<Undo.Offered, "deed">): string => `/${ROOMS[deed.kind]}/undo`

/** Those that this person may take back. */
export const mayUndo =
  ({ rights }: Person) =>
  (one: Undo.Offered): boolean =>
    isFor(rights, "POST", addressOf(one).split("/").slice(1))

export const undoButton = (offer: Undo.Offered, form: string): Node =>
  button(addressOf(offer), "Undo", form, { undo: String(offer.id), digest: offer.digest }, "plain", `: ${offer.words}`)

export const undo =
  (room: (typeof ROOMS)[Deed["kind"]]): PageHandler =>
  ({ posted }, { connections, wake }) =>
    Effect.gen(function* () {
      const kinds = (Object.keys(ROOMS) as ReadonlyArray<Deed["kind"]>).filter((kind) => ROOMS[kind] === room)
      const named = { id: posted.get("undo") ?? "", digest: posted.get("digest") ?? "", kinds }
      const done = yield* Undo.undo(connections, named)
      if ("why" in done)
        return {
          title: "Nothing was changed",
          at: `/${room}`,
          status: 409,
          body: html`<p class="note bad" role="alert">Not taken back: ${done.why}.</p><p><a href=${`/${room}`}>Look at it again</a></p>`
        }
      if (room !== "plans" && room !== "customers") for (const connection of done.connections) yield* wake(connection)
      return { to: `/${room}`, said: "takenBack" }
    })

/** The decisions that the address names, as far as they can be taken back and this person may. */
export const offersIn = (query: URLSearchParams, person: Person) =>
  Effect.gen(function* () {
    const db = yield* Database
    const ids = query.getAll("undo").slice(0, 20)
    if (ids.length === 0) return []
    return (yield* db.read(() => Undo.offersOf(db, ids))).filter(mayUndo(person))
  })
