/** Renders the page of all tenants: a summary, and a row for each, with search by name and filter by problem. */
import type { TenantStatus } from "../../sync/library/many/ManyTenants.ts"
import { grouped, plural } from "../page/language/Figures.ts"
import { t, term } from "../page/language/Texts.ts"
import { button, href, html, htmlTable, mark, type Node, when } from "../page/Html.ts"
import { fits, found, ONLY, type Only, paged, type TenantSearch } from "./TenantSearch.ts"

const stateOf = ({ failures, message, paused, state, trouble }: TenantStatus): Node => {
  if (paused !== undefined)
    return mark("warn", t`paused by ${paused.by}${paused.why === undefined ? "" : `: ${paused.why}`}`)
  if (state === "running") return mark("plain", t`running`)
  if (trouble !== undefined) return html`${mark("bad", t`cannot be opened`)} ${trouble}`
  if (failures > 0) return html`${mark("bad", t`failed ${plural(failures, "time")}`)} ${message ?? ""}`
  return state === "queued" ? mark("plain", t`waits for its turn`) : mark("good", t`fine`)
}

const linked = (count: number, { name }: TenantStatus, path: string, what: string): Node =>
  count === 0
    ? ""
    : html`<a href=${`/t/${name}${path}`} aria-label=${t`${count} ${what} of ${name}`}>${grouped(count)}</a>`

const actions = ({ name, state }: TenantStatus, form: string): Node =>
  state === "paused"
    ? button(`/tenants/${name}/resume`, t`Resume`, form)
    : html`${button(`/tenants/${name}/sync`, t`Sync now`, form)} ${button(`/tenants/${name}/pause`, t`Pause`, form)}`

const table = (rows: ReadonlyArray<TenantStatus>, form: string): Node =>
  htmlTable(
    t`Tenants`,
    [
      { title: t`Tenant` },
      { title: t`State` },
      { title: t`Attention`, right: true },
      { title: t`To approve`, right: true },
      { title: t`Quarantined`, right: true },
      { title: t`Last success` },
      { title: t`Next run` },
      { title: "" }
    ],
    rows.map((one) => [
      html`<a href=${`/t/${one.name}/`}>${one.name}</a>`,
      stateOf(one),
      linked(one.attention, one, "/attention", t`open attention items`),
      linked(one.approvals, one, "/plans", t`plans to approve`),
      linked(one.quarantined, one, "/", t`quarantined records`),
      when(one.succeeded),
      one.next === null ? t`on request` : when(one.next),
      actions(one, form)
    ])
  )

const card = (title: string, all: ReadonlyArray<TenantStatus>, only: Only): Node => {
  const tenants = all.filter(fits[only]).length
  return html`<section class="card">
    <h2>${title}</h2>
    <p class="big">${grouped(tenants)}</p>
    ${tenants === 0 ? null : html`<a href=${href("/t/", { only })}>Show</a>`}
  </section>`
}

export interface AllPageOptions {
  readonly form: string
  /** How many tenants of the folder are of other shards. */
  readonly elsewhere: number
  /** Why tenants are not shown. */
  readonly missing?: string | undefined
}

export const allPage = (
  all: ReadonlyArray<TenantStatus>,
  wanted: TenantSearch,
  { elsewhere, form, missing }: AllPageOptions
): Node => {
  const { only, search } = wanted
  const matching = found(all, wanted)
  const { next, rows } = paged(matching, wanted.after)
  return html`
    <div class="cards">
      ${card(t`Need attention`, all, "attention")} ${card(t`To approve`, all, "approvals")}
      ${card(t`Failing`, all, "failing")} ${card(t`Paused`, all, "paused")} ${card(t`Running`, all, "running")}
    </div>
    <form class="row" method="get" action="/t/" role="search">
      <label>Name <input type="search" name="q" value=${search} /></label>
      <label
        >Show
        <select name="only">
          <option value="">all</option>
          ${Object.entries(ONLY).map(([value, words]) => html`<option value=${value} selected=${value === only}>${term(words)}</option>`)}
        </select></label
      >
      <button class="primary">Search</button>
    </form>
    <p>${plural(matching.length, "tenant")} of ${grouped(all.length)}${elsewhere === 0 ? "" : t`; ${grouped(elsewhere)} more in this folder are of other shards`}.</p>
    ${missing === undefined ? null : html`<p>${mark("bad", t`incomplete`)} Not all tenants are shown: ${missing}</p>`}
    ${rows.length === 0 ? null : table(rows, form)}
    ${next === undefined ? null : html`<p><a href=${href("/t/", { q: search, only, after: next })}>More</a></p>`}
  `
}
