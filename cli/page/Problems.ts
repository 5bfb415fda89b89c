/**
 * Shows problems at the end of the first page: calls with an unknown outcome, sources that changed, records that could not
 * be read.
 */
import type { QuarantinedRow } from "../../sync/reports/QuarantinedRecords.ts"
import type { DriftRow } from "../../sync/reports/Status.ts"
import { href, html, type Node, htmlTable, sentence } from "./Html.ts"
import { grouped } from "./language/Figures.ts"
import { t, term } from "./language/Texts.ts"

export interface Problems {
  /** Some of them. */
  readonly quarantined: ReadonlyArray<QuarantinedRow>
  /** All quarantined records. */
  readonly notReadable: number
  /** Schema drift of sources. */
  readonly drift: ReadonlyArray<DriftRow>
  readonly pendingCalls: number
}

const n = (value: number): string => grouped(value)

export const problems = (data: Problems): Node => html`${pendingCalls(data)} ${drift(data)} ${notReadable(data)}`

const pendingCalls = (data: Problems): Node | null =>
  data.pendingCalls === 0
    ? null
    : html`<p class="note">
            ${n(data.pendingCalls)} ${data.pendingCalls === 1 ? t`call has` : t`calls have`} no known result yet. The next run looks
            them up on the service before it sends anything again.
          </p>`

const drift = (data: Problems): Node | null =>
  data.drift.length === 0
    ? null
    : html`<h2 id="drift">Sources that changed</h2>
            ${htmlTable(
              t`Fields that changed in several records of a source`,
              [
                { title: t`Connection` },
                { title: t`Kind` },
                { title: t`Field` },
                { title: t`Why` },
                { title: t`Records`, right: true },
                { title: t`The first` }
              ],
              data.drift.map(({ connection, field, kind, origin, records, why }) => [
                html`<a href=${href("/documents", { connection, kind })}>${connection}</a>`,
                term(kind.replace("_", " ")),
                field,
                sentence(why),
                n(records),
                origin
              ])
            )}`

/** Whether its problem is already listed once for all records that have it. */
const isShared = (row: QuarantinedRow, all: ReadonlyArray<DriftRow>): boolean =>
  all.some(
    ({ connection, field, kind, why }) =>
      connection === row.connection && field === row.field && kind === row.kind && why === row.why
  )

const notReadable = (data: Problems): Node | null =>
  data.quarantined.length === 0
    ? null
    : html`<h2 id="quarantined">Quarantined</h2>
            ${htmlTable(
              t`${data.notReadable > data.quarantined.length ? t`The first ${n(data.quarantined.length)} of ${n(data.notReadable)} records` : t`Records`} that could not be read; they are tried again when they are read again`,
              [
                { title: t`Connection` },
                { title: t`Where` },
                { title: t`Field` },
                { title: t`Why` },
                { title: t`Record` }
              ],
              data.quarantined.map((row) => [
                row.connection,
                row.origin,
                row.field ?? "",
                isShared(row, data.drift) ? html`<a href="#drift">as several records</a>` : sentence(row.why),
                html`<code>${row.raw.slice(0, 300)}</code>`
              ])
            )}`
