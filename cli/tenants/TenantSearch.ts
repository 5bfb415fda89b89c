/** Finds tenants by name and by problem, and takes them page by page. Without the page itself, which commands need not load. */
import type { TenantStatus } from "../../sync/library/many/ManyTenants.ts"

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

export const fits: Readonly<Record<Only, (one: TenantStatus) => boolean>> = {
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

export const found = <A extends TenantStatus>(
  all: ReadonlyArray<A>,
  { only, search }: TenantSearch
): ReadonlyArray<A> => {
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
