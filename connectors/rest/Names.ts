/** Finds members of a declared source that nobody reads, wherever they are in it. Pure. */
import { inLimits, type Known, misnamed } from "../Misnamed.ts"
import type {
  Authorise,
  Changes,
  Child,
  Declaration,
  List,
  Pagination,
  Root,
  WebhookDeclaration
} from "./Declaration.ts"

// biome-ignore lint/suspicious/noExplicitAny: any source
type Any = Declaration<string, any>
type Each = Extract<Child, { by: "each" }>

const LIST: Known<List> = {
  path: true,
  records: true,
  id: true,
  query: true,
  question: true,
  size: true,
  pagination: true,
  missing: true,
  absent: true,
  single: true
}
const ROOT: Known<Root<unknown>> = {
  ...LIST,
  name: true,
  changes: true,
  from: true,
  reads: true,
  of: true,
  when: true,
  together: true,
  kind: true,
  decode: true,
  unless: true,
  each: true,
  children: true,
  one: true,
  several: true,
  along: true
}
const CHILD: Known<Child> = {
  ...LIST,
  by: true,
  param: true,
  key: true,
  separator: true,
  written: true,
  whose: true,
  expects: true,
  counts: true,
  all: true
}
const ALL: Known<NonNullable<Each["all"]>> = { ...LIST, key: true, names: true, whose: true, has: true }
const ACCOUNTS: Known<NonNullable<Root<unknown>["each"]>> = { ...LIST, param: true }
const PAGINATION: Known<Pagination> = {
  by: true,
  param: true,
  from: true,
  total: true,
  pages: true,
  more: true,
  keeps: true,
  next: true,
  inclusive: true,
  written: true
}
const SIZE: Known<List["size"]> = { most: true, param: true }
const CHANGES: Known<Exclude<Changes, string>> = {
  since: true,
  in: true,
  format: true,
  inclusive: true,
  resolution: true,
  look: true,
  newest: true,
  reach: true,
  within: true,
  between: true,
  oldest: true,
  tooMany: true,
  numbered: true,
  above: true,
  query: true,
  back: true
}
const LOOK: Known<NonNullable<Extract<Changes, { since: unknown }>["look"]>> = { back: true, times: true }
const OF: Known<NonNullable<Root<unknown>["of"]>> = { list: true, by: true }
const ONE: Known<NonNullable<Root<unknown>["one"]>> = {
  path: true,
  record: true,
  query: true,
  question: true,
  records: true,
  asking: true
}
const TOGETHER: Known<NonNullable<Root<unknown>["together"]>> = { kind: true, groups: true, decode: true }
const AUTHORISE: Known<Authorise<unknown>> = {
  by: true,
  variables: true,
  headers: true,
  tokens: true,
  inBody: true,
  scope: true,
  certificate: true,
  client: true,
  first: true,
  page: true,
  scheme: true,
  marginSeconds: true,
  scopes: true,
  reaches: true
}
const WEBHOOK: Known<WebhookDeclaration> = { signature: true, events: true, isTrial: true }
const SIGNATURE: Known<WebhookDeclaration["signature"]> = { header: true, form: true, prefix: true, verify: true }
const AGAIN: Known<NonNullable<Any["again"]>> = { most: true, read: true }
const FILE: Known<NonNullable<Any["file"]>> = { kind: true, path: true, type: true, ending: true }
const DECLARATION: Known<Any> = {
  name: true,
  title: true,
  settings: true,
  identity: true,
  account: true,
  page: true,
  kinds: true,
  deletions: true,
  blindSpots: true,
  limits: true,
  base: true,
  authorise: true,
  headers: true,
  query: true,
  said: true,
  explain: true,
  inspect: true,
  read: true,
  clock: true,
  overlapSeconds: true,
  lists: true,
  webhook: true,
  again: true,
  file: true
}

const inList = (list: List, known: Known<object>, where: string): ReadonlyArray<string> => [
  ...misnamed(list, known, where),
  ...misnamed(list.pagination, PAGINATION, `${where}.pagination`),
  ...misnamed(list.size, SIZE, `${where}.size`)
]

const inChanges = (changes: Changes | undefined, where: string): ReadonlyArray<string> => [
  ...misnamed(changes, CHANGES, where),
  ...(typeof changes === "object" && "look" in changes ? misnamed(changes.look, LOOK, `${where}.look`) : [])
]

const inRoot = (root: Root<unknown>): ReadonlyArray<string> => {
  const where = `lists.${root.name}`
  return [
    ...inList(root, ROOT, where),
    ...inChanges(root.changes, `${where}.changes`),
    ...inChanges(root.unless, `${where}.unless`),
    ...misnamed(root.of, OF, `${where}.of`),
    ...misnamed(root.one, ONE, `${where}.one`),
    ...misnamed(root.together, TOGETHER, `${where}.together`),
    ...(root.each === undefined ? [] : inList(root.each, ACCOUNTS, `${where}.each`)),
    ...Object.entries(root.children ?? {}).flatMap(([name, child]) => [
      ...inList(child, CHILD, `${where}.children.${name}`),
      ...(child.by === "each" && child.all !== undefined ? inList(child.all, ALL, `${where}.children.${name}.all`) : [])
    ])
  ]
}

/** What nobody would read in a declaration, each in a sentence. */
export const unread = (d: Any): ReadonlyArray<string> => [
  ...misnamed(d, DECLARATION, ""),
  ...inLimits(d.limits, "limits"),
  ...misnamed(d.authorise, AUTHORISE, "authorise"),
  ...misnamed(d.webhook, WEBHOOK, "webhook"),
  ...misnamed(d.webhook?.signature, SIGNATURE, "webhook.signature"),
  ...misnamed(d.again, AGAIN, "again"),
  ...misnamed(d.file, FILE, "file"),
  ...d.lists.flatMap(inRoot)
]
