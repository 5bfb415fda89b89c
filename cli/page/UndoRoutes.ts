/** Takes back decisions: each in the room of its kind, with the right that it needed. */
import { Effect } from "effect"
import type { UndoableDeed } from "../../sync/state/Undoable.ts"
import * as Undo from "../../sync/decisions/Undo.ts"
import { button, html, type Node, sentence } from "./Html.ts"
import type { PageHandler } from "./Response.ts"
import { t } from "./language/Texts.ts"

/** Where each kind of decision is taken back. */
const ROOMS: Readonly<Record<UndoableDeed["kind"], "attention" | "plans" | "customers" | "debtors">> = {
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
export const isOfRoom = ({ kind }: UndoableDeed, room: string): boolean =>
  ROOMS[kind] === (room === "payments" ? "attention" : room)

export const addressOf = ({ deed }: Pick<Undo.Offered, "deed">): string => `/${ROOMS[deed.kind]}/undo`

export const undoButton = (offer: Undo.Offered, form: string): Node =>
  button(addressOf(offer), t`Undo`, form, { undo: String(offer.id), digest: offer.digest }, "plain", `: ${offer.words}`)

export const undo =
  (room: (typeof ROOMS)[UndoableDeed["kind"]]): PageHandler =>
  ({ posted }, { connections, wake }) =>
    Effect.gen(function* () {
      const kinds = (Object.keys(ROOMS) as ReadonlyArray<UndoableDeed["kind"]>).filter((kind) => ROOMS[kind] === room)
      const named = { id: posted.get("undo") ?? "", digest: posted.get("digest") ?? "", kinds }
      const done = yield* Undo.undo(connections, named)
      if ("why" in done)
        return {
          title: t`Nothing was changed`,
          at: `/${room}`,
          status: 409,
          body: html`<p class="note bad" role="alert">Not taken back: ${sentence(done.why)}.</p><p><a href=${`/${room}`}>Look at it again</a></p>`
        }
      if (Undo.isPlanned(done)) for (const connection of done.connections) yield* wake(connection)
      return { to: `/${room}`, said: "takenBack" }
    })
