/** Shows what a decision about several attention items would do, with the form that confirms exactly that. */
import type { Document } from "../../connectors/Document.ts"
import type { Foresight, Several } from "../../sync/decisions/Together.ts"
import { effectWords } from "../../sync/model/Effect.ts"
import type { AttentionGroup } from "../../sync/reports/AttentionGroups.ts"
import { stakeText } from "./Attention.ts"
import { documentLink, nameIn } from "./DocumentTitle.ts"
import { button, html, htmlTable, keys, type Node, sentence } from "./Html.ts"
import type { ShownPage } from "./Response.ts"
import { plural } from "./language/Figures.ts"
import { t } from "./language/Texts.ts"

export interface ForeseenPage {
  readonly what: Several["what"]
  readonly foreseen: Foresight
  readonly documents: ReadonlyMap<string, Document | undefined>
  readonly stake: ReadonlyArray<AttentionGroup>
  /** It is another one than the person confirmed, and nothing was done. */
  readonly moved?: boolean
}

const SHOWN = 200

/** The consequences, one sentence each. */
const sentences = ({
  foreseen: { apart, calls, closed, figures, items, unknown },
  stake,
  what
}: ForeseenPage): ReadonlyArray<string> => {
  const money = stake.map(stakeText).filter((text) => text !== "")
  const refused = items.filter(({ item }) => item.refused).length
  return [
    t`${plural(items.length, "item is", "items are")} closed${money.length === 0 ? "" : t`; ${money.join(", ")} at stake`}.`,
    ...(what === "none"
      ? [
          t`Of these payers, who are no customers, whatever names no invoice and has no invoice's amount is for none from now on.`
        ]
      : []),
    ...(what !== "again"
      ? [
          t`Nothing is sent, and nothing changes in the books.`,
          ...(refused === 0
            ? []
            : [
                t`Of ${plural(refused, "document")} the service refused a call: it is not sent until the document changes.`
              ])
        ]
      : [
          calls === 0
            ? t`Their documents are planned again${unknown > 0 ? "" : t`; as the books are now, that sends nothing`}.`
            : t`${plural(calls, "call")} would be sent as the books are now${figures === "" ? "" : `: ${figures}`}. Connections whose plans are approved ask for that first.`
        ]),
    ...(unknown === 0
      ? []
      : [t`Of ${plural(unknown, "document")} it is not known what is sent before the service has answered.`]),
    ...(apart === 0 ? [] : [t`${plural(apart, "item")} need an answer each and stay open.`]),
    ...(closed === 0 ? [] : [t`${plural(closed, "item")} of those you chose were closed meanwhile.`])
  ]
}

const WAY = { close: "resolve", again: "retry", none: "none" } as const

const confirming = ({ foreseen: { digest, items }, what }: ForeseenPage, form: string): Node => {
  const ids = items.map(({ item }) => item.id).join(" ")
  const label = {
    close: t`Close ${plural(items.length, "item")}`,
    again: t`Send ${plural(items.length, "item")} again`,
    none: t`${plural(items.length, "payment")} for no invoice`
  }[what]
  return html`<div class="row" data-asks>
    ${button(`/attention/all/${WAY[what]}`, label, form, { ids, digest }, "primary")}
    <a class="button" href="/attention">Leave everything as it is</a>
  </div>`
}

export const foreseenPage = (page: ForeseenPage, form: string): ShownPage => {
  const { documents, foreseen, moved, what } = page
  const { items } = foreseen
  const verb = {
    close: t`Close several items`,
    again: t`Send several again`,
    none: t`Payments that are for no invoice`
  }[what]
  if (items.length === 0)
    return {
      title: verb,
      at: "/attention",
      ...(moved === true ? { status: 409 } : {}),
      body: html`<p>${foreseen.closed + foreseen.apart === 0 ? t`No item was chosen.` : t`None of these items can be decided about together any more.`} <a href="/attention">Back to the work queue</a></p>`
    }
  const body = html`
    ${moved === true ? html`<p class="note bad" role="alert">Nothing was done: something about these items changed since you saw what it would do. This is what it would do now.</p>` : null}
    <ul>${sentences(page).map((one) => html`<li>${one}</li>`)}</ul>
    ${confirming(page, form)} ${keys()}
    ${htmlTable(
      items.length > SHOWN ? t`The first ${SHOWN} of ${plural(items.length, "item")}` : plural(items.length, "item"),
      [
        { title: "#", right: true },
        { title: t`Document` },
        { title: t`Customer` },
        { title: t`Why` },
        ...(what === "again" ? [{ title: t`Sends` }] : [])
      ],
      items
        .slice(0, SHOWN)
        .map(({ calls, item: { id, subject, why } }) => [
          html`<a href=${`/attention/${id}`}>${id}</a>`,
          documentLink(subject, documents.get(subject)),
          nameIn(documents.get(subject)) ?? "",
          sentence(why),
          ...(what === "again" ? [calls.map((call, n) => `${n === 0 ? "" : "; "}${effectWords(call)}`)] : [])
        ])
    )}
  `
  return { title: verb, at: "/attention", ...(moved === true ? { status: 409 } : {}), body }
}
