/** Renders the page of all tenants: a summary, and a row for each, with search by name and filter by problem. */
import { grouped, plural } from "../../core/Plural.ts"
import type { TenantStatus } from "../../sync/library/many/ManyTenants.ts"
import { button, href, html, htmlTable, mark, type Node, when } from "../page/Html.ts"

/** Rows of a page. */
const MOST = 50

export const ONLY = {
  attention: "need attention",
  approvals: "wait for approval",
  failing: "failing",
  paused: "paused",
  running: "running"
} as const

export type Only = keyof typeof ONLY

export const isOnly = (text: string | null): text is Only => text !== null && Object.hasOwn(ONLY, text)

const fits: Readonly<Record<Only, (one: TenantStatus) => boolean>> = {
  attention: ({ attention, quarantined }) => attention + quarantined > 0,
  approvals: ({ approvals }) => approvals > 0,
  failing: ({ failures, trouble }) => failures > 0 || trouble !== undefined,
  paused: ({ state }) => state === "paused",
  running: ({ state }) => state === "running" || state === "queued"
}

export interface TenantSearch {
  readonly search: string
  readonly only?: Only
  /** The name after which the page begins. */
  readonly after: string
}

export const found = (
  all: ReadonlyArray<TenantStatus>,
  { only, search }: TenantSearch
): ReadonlyArray<TenantStatus> => {
  const text = search.trim().toLowerCase()
  return all
    .filter((one) => one.name.toLowerCase().includes(text) && (only === undefined || fits[only](one)))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** A page of tenants, and the cursor for the next one. */
export const paged = <A extends { readonly name: string }>(all: ReadonlyArray<A>, after: string, most = MOST) => {
  const rest = all.filter(({ name }) => name > after)
  const rows = rest.slice(0, most)
  const last = rows.at(-1)
  return { rows, ...(rest.length > rows.length && last !== undefined ? { next: last.name } : {}) }
}

const stateOf = ({ failures, message, paused, state, trouble }: TenantStatus): Node => {
  if (paused !== undefined)
    return mark("warn", `paused by ${paused.by}${paused.why === undefined ? "" : `: ${paused.why}`}`)
  if (state === "running") return mark("plain", "running")
  if (trouble !== undefined) return html`${mark("bad", "cannot be opened")} ${trouble}`
  if (failures > 0) return html`${mark("bad", `failed ${plural(failures, "time")}`)} ${message ?? ""}`
  return state === "queued" ? mark("plain", "waits for its turn") : mark("good", "fine")
}

const linked = (count: number, name: string, path: string, what: string): Node =>
  count === 0
    ? ""
    : html`<a href=${`/t/${name}${path}`} aria-label=${`${count} ${what} of ${name}`}>${grouped(count)}</a>`

const actions = ({ name, state }: TenantStatus, form: string): Node =>
  state === "paused"
    ? button(`/tenants/${name}/resume`, "Resume", form)
    : html`${button(`/tenants/${name}/sync`, "Sync now", form)} ${button(`/tenants/${name}/pause`, "Pause", form)}`

const table = (rows: ReadonlyArray<TenantStatus>, form: string): Node =>
  htmlTable(
    "Tenants",
    [
      { title: "Tenant" },
      { title: "State" },
      { title: "Attention", right: true },
      { title: "To approve", right: true },
      { title: "Quarantined", right: true },
      { title: "Last success" },
      { title: "Next run" },
      { title: "" }
    ],
    rows.map((one) => [
      html`<a href=${`/t/${one.name}/`}>${one.name}</a>`,
      stateOf(one),
      linked(one.attention, one.name, "/attention", "open attention items"),
      linked(one.approvals, one.name, "/plans", "plans to approve"),
      linked(one.quarantined, one.name, "/", "quarantined records"),
      when(one.succeeded),
      one.next === null ? "on request" : when(one.next),
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

export const allPage = (
  all: ReadonlyArray<TenantStatus>,
  wanted: TenantSearch,
  { elsewhere, form }: { readonly form: string; readonly elsewhere: number }
): Node => {
  const { only, search } = wanted
  const matching = found(all, wanted)
  const { next, rows } = paged(matching, wanted.after)
  return html`
    <div class="cards">
      ${card("Need attention", all, "attention")} ${card("To approve", all, "approvals")}
      ${card("Failing", all, "failing")} ${card("Paused", all, "paused")} ${card("Running", all, "running")}
    </div>
    <form class="row" method="get" action="/t/" role="search">
      <label>Name <input type="search" name="q" value=${search} /></label>
      <label
        >Show
        <select name="only">
          <option value="">all</option>
          ${Object.entries(ONLY).map(([value, words]) => html`<option value=${value} selected=${value === only}>${words}</option>`)}
        </select></label
      >
      <button class="primary">Search</button>
    </form>
    <p>${plural(matching.length, "tenant")} of ${grouped(all.length)}${elsewhere === 0 ? "" : `; ${grouped(elsewhere)} more in this folder are of other shards`}.</p>
    ${rows.length === 0 ? null : table(rows, form)}
    ${next === undefined ? null : html`<p><a href=${href("/t/", { q: search, only, after: next })}>More</a></p>`}
  `
}
