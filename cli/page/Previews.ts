/**
 * Shows the first records of a connection's source beside the documents that they become, what would be quarantined, and the
 * totals. Stores and sends nothing. The source is read only when a person requests it with a form, one connection at a time,
 * and within a time limit.
 */
import { Effect, Result, Semaphore } from "effect"
import type { QuarantinedRecord, SourceError } from "../../connectors/Connector.ts"
import { messageOf, type UsageError } from "../../sync/library/Exit.ts"
import * as PreviewApart from "../../sync/library/PreviewApart.ts"
import * as ServiceClient from "../../sync/library/ServiceClient.ts"
import { type Connection, nameOf } from "../../sync/model/Connection.ts"
import * as Preview from "../../sync/pull/Preview.ts"
import { Database } from "../../sync/state/Database.ts"
import * as View from "../render/PreviewView.ts"
import { says } from "../render/StoryView.ts"
import * as Currency from "../../core/money/Currency.ts"
import { button, html, mark, type Node, htmlTable, sentence } from "./Html.ts"
import { nothing, type PageHandler } from "./Response.ts"
import { figure, grouped, plural } from "./language/Figures.ts"
import { t } from "./language/Texts.ts"

/** How many quarantined records are shown; `daybook preview --json` has all of them. */
const MOST = 50
const RAW_CHARACTERS = 500
const PATIENCE_SECONDS = 60

/** Answers concurrent requests one after the other, so that a source does not get the same requests at once. */
const oneAtATime = Semaphore.makeUnsafe(1)

const read = (connection: Connection): string => `/preview/${encodeURIComponent(connection.id)}`

export const list: PageHandler = ({ form }, { connections }) =>
  Effect.succeed({
    title: t`Preview`,
    at: "/preview",
    body: html`
      <p>
        What the first ${grouped(Preview.FIRST)} records of each file or list of a source become, as they are there
        now. Nothing is stored and nothing is sent; requests to a source are not counted into its daily cap.
      </p>
      ${htmlTable(
        t`Connections`,
        [{ title: t`Connection` }, { title: t`Source` }, { title: t`Its records` }],
        connections.map((one) => [
          nameOf(one),
          one.connector.name,
          button(read(one), t`Read the first records of ${nameOf(one)}`, form)
        ])
      )}
    `
  })

export const one: PageHandler = ({ form, path }, { bounds, connections, environment, folder }) =>
  Effect.gen(function* () {
    const connection = connections.find(({ id }) => id === path[1])
    if (connection === undefined) return nothing
    const db = yield* Database
    const place = { folder, environment, ...(bounds === undefined ? {} : { bounds }) }
    const found = yield* PreviewApart.preview(place, connection, db.file).pipe(
      Effect.provide(ServiceClient.outside),
      Effect.timeoutOrElse({
        duration: `${PATIENCE_SECONDS} seconds`,
        orElse: () => Effect.fail(TOO_LONG)
      }),
      oneAtATime.withPermit,
      Effect.result
    )
    return {
      title: t`Preview of ${nameOf(connection)}`,
      at: "/preview",
      body: html`
        ${Result.isFailure(found) ? failed(found.failure) : previewBody(found.success)}
        <div class="row">${button(read(connection), t`Read them again`, form)}</div>
        <p><a href="/preview">All connections</a></p>
      `
    }
  })

const TOO_LONG = `Its first records took longer than ${PATIENCE_SECONDS} seconds to read; daybook preview waits as long as it takes.`

const failed = (failure: SourceError | UsageError | string): Node =>
  html`<p class="note bad">${typeof failure === "string" ? failure : messageOf(failure)}</p>`

const n = (value: number): string => grouped(value)

export const previewBody = (preview: Preview.Preview): Node => html`
  <p>
    ${View.found(preview).replace(/^./, (letter) => letter.toUpperCase())}.
    ${" "}${
      preview.quarantined.length === 0
        ? preview.differing.length === 0
          ? mark("good", t`every record can be read`)
          : mark("warn", t`what it states differs from what was read`)
        : mark("warn", t`${plural(preview.quarantined.length, "record")} would be quarantined`)
    }.${" "}Nothing was stored and nothing was sent.
  </p>
  ${View.differs(preview).map((text) => html`<p class="note bad">${sentence(text)}</p>`)}
  ${sums(preview)} ${quarantined(preview.quarantined)} ${documents(preview)} ${notices(preview)}
`

const sums = ({ sums }: Preview.Preview): Node => {
  const states = sums.some(({ open }) => open !== undefined)
  const amount = (value: bigint | undefined, currency: string | undefined) =>
    value === undefined ? "" : figure(Currency.sayNumber(value, currency))
  return sums.length === 0
    ? null
    : html`
        <h2>Totals</h2>
        ${htmlTable(
          t`By kind, status and currency`,
          [
            { title: t`Kind` },
            { title: t`Status` },
            { title: t`Documents`, right: true },
            { title: t`Amount`, right: true },
            { title: t`Currency` },
            ...(states ? [{ title: t`Source says open`, right: true }] : [])
          ],
          sums.map(({ amount: total, currency, documents, kind, open, status = "" }) => [
            kind.replace("_", " "),
            status,
            n(documents),
            amount(total, currency),
            currency ?? (total === undefined ? "" : t`of its invoice`),
            ...(!states
              ? []
              : [
                  open === undefined
                    ? ""
                    : `${amount(open.amount, currency)}${open.documents === documents ? "" : t` (of ${n(open.documents)})`}`
                ])
          ])
        )}
      `
}

const raw = (text: string): Node =>
  text === "" ? "" : html`<pre>${text.length > RAW_CHARACTERS ? `${text.slice(0, RAW_CHARACTERS)} …` : text}</pre>`

const quarantined = (all: ReadonlyArray<QuarantinedRecord>): Node =>
  all.length === 0
    ? null
    : html`
        <h2>Would be quarantined</h2>
        ${htmlTable(
          all.length > MOST ? t`The first ${MOST} of ${n(all.length)} records` : t`Records that cannot be read`,
          [{ title: t`Where` }, { title: t`Field` }, { title: t`What is wrong` }, { title: t`Record` }],
          all.slice(0, MOST).map((record) => [record.origin, record.field ?? "", record.why, raw(record.raw)])
        )}
      `

const documents = ({ documents, rows }: Preview.Preview): Node => {
  if (rows.length === 0) return null
  const shown = rows.reduce((sum, row) => sum + row.documents.length, 0)
  return html`
    <h2>Records and their documents</h2>
    ${htmlTable(
      shown === documents ? t`All documents` : t`${n(shown)} of ${n(documents)} documents, each kind in turn`,
      [{ title: t`Where` }, { title: t`Record` }, { title: t`Becomes` }],
      rows.map((row) => [
        row.origin,
        raw(row.raw),
        html`${row.documents.map((document) => html`<div>${says(document)}${View.stated(document)}</div>`)}`
      ])
    )}
  `
}

const notices = (preview: Preview.Preview): Node => {
  const all = View.noticesOf(preview.notices)
  return all.length === 0 ? null : html`<ul>${all.map((text) => html`<li>${sentence(text)}</li>`)}</ul>`
}
