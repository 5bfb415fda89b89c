/** Serves what is common to all tenants: the page with login and logout, and the HTTP interface. */
import { Effect } from "effect"
import type { ManyTenants } from "../../sync/library/many/ManyTenants.ts"
import type { TenantsOfCluster } from "../../sync/library/many/TenantsOfCluster.ts"
import type { FolderOfTenants } from "../../sync/library/many/TenantsOfFolder.ts"
import * as Changes from "../../sync/library/many/TenantChanges.ts"
import type { TokenScope } from "../../sync/library/config/DaemonSettings.ts"
import { messageOf, UsageError } from "../../sync/library/Exit.ts"
import { senderOf } from "../daemon/Sender.ts"
import { json, type Handler, type Reply, type Request as Asked, type Route } from "../daemon/Server.ts"
import type { Token } from "../daemon/Tokens.ts"
import { page } from "../page/Layout.ts"
import * as Names from "../page/Names.ts"
import { admitted, document, goTo } from "../page/Page.ts"
import { asReply, asRequest } from "../page/RouteModule.ts"
import type { Sessions } from "../page/Sessions.ts"
import { caller, tokenIn } from "../remote/HttpRoom.ts"
import { allPage, found, isOnly, paged, type TenantRow, type TenantSearch } from "./AllPage.ts"

export interface AllOptions {
  readonly all: ManyTenants
  readonly files: FolderOfTenants & Partial<Pick<TenantsOfCluster, "node" | "others">>
  readonly sessions: Sessions
  /** Tokens that are valid for every tenant. */
  readonly tokens: ReadonlyArray<Token>
}

/** The operations on a tenant over HTTP. */
const DEEDS = ["sync", "pause", "resume"] as const
type Deed = (typeof DEEDS)[number]

const isDeed = (text: string | undefined): text is Deed => DEEDS.some((deed) => deed === text)

const SAID: Readonly<Record<Deed, string>> = {
  sync: "It runs as soon as it has its turn.",
  pause: "Paused. A run that is under way goes on to its end.",
  resume: "Resumed."
}

const doneElsewhere = (others: TenantsOfCluster["others"], tenant: string, deed: Deed) =>
  Effect.gen(function* () {
    if (deed !== "sync") return yield* new UsageError({ why: `${tenant} is on another node: ${deed} it there` })
    const isKnown = yield* Effect.mapError(others.ask(tenant), ({ why }) => new UsageError({ why }))
    if (!isKnown) return yield* new UsageError({ why: `the cluster has no tenant ${tenant}` })
  })

const done = ({ all, files: { folder, others } }: AllOptions, tenant: string, deed: Deed, by: string) =>
  Effect.gen(function* () {
    if (others !== undefined && all.status(tenant) === undefined) return yield* doneElsewhere(others, tenant, deed)
    if (deed === "sync") return yield* all.ask(tenant)
    yield* deed === "pause" ? Changes.pause(folder, tenant, by) : Changes.resume(folder, tenant)
    yield* all.refresh(tenant)
  })

const wantedIn = (query: URLSearchParams): TenantSearch => {
  const only = query.get("only")
  return { search: query.get("q") ?? "", after: query.get("after") ?? "", ...(isOnly(only) ? { only } : {}) }
}

interface Everywhere {
  readonly tenants: ReadonlyArray<TenantRow>
  /** Why those of other nodes are missing. */
  readonly missing?: string
}

/** The tenants of this process and, in a cluster, of the other nodes. */
const everywhere = ({ all, files: { others } }: AllOptions): Effect.Effect<Everywhere> => {
  const own = all.list()
  return others === undefined
    ? Effect.succeed({ tenants: own })
    : Effect.match(others.all, {
        onFailure: ({ why }) => ({ tenants: own, missing: why }),
        onSuccess: (more) => ({ tenants: [...own, ...more] })
      })
}

const MENU = [["/t/", "Tenants"]] as const

/** The page, for requests with a session. */
const pageOf = (options: AllOptions): Handler => {
  const { files, sessions } = options
  const admit = admitted(sessions)
  const answered = (asked: Asked, request: Request) =>
    Effect.gen(function* () {
      const given = yield* admit(request, senderOf(asked))
      if (given instanceof Response) return given
      const { form, path, posted, query } = given
      const frame = { form, menu: MENU, at: "/t/", title: "Tenants" }
      const shown = (status: number, said?: string) =>
        Effect.map(everywhere(options), ({ missing, tenants }) => {
          const elsewhere = files.others === undefined ? files.elsewhere().length : 0
          return document(
            status,
            page(
              { ...frame, ...(said === undefined ? {} : { said, wrong: status >= 400 }) },
              allPage(tenants, wantedIn(query), { form, elsewhere, own: files.node, missing })
            )
          )
        })
      const [first, tenant, deed] = path
      if (first === "tenants" && tenant !== undefined && isDeed(deed) && request.method === "POST") {
        const by = Names.tidy(posted.get("name")) || Names.of(request.headers.get("cookie")) || "somebody on the page"
        const failed = yield* Effect.flip(done(options, tenant, deed, by)).pipe(Effect.option)
        if (failed._tag === "Some") return yield* shown(409, messageOf(failed.value))
        return goTo(`/t/?${new URLSearchParams({ q: tenant, said: deed })}`)
      }
      const said = query.get("said") ?? undefined
      if (path.length <= 2 && (first === "" || first === "t") && (path[1] ?? "") === "")
        return yield* shown(200, isDeed(said) ? SAID[said] : undefined)
      return yield* shown(404, "Not found: no page has this address.")
    })
  return (asked) => Effect.flatMap(answered(asked, asRequest(asked)), asReply)
}

/** Requires a token with this scope that is valid for all tenants. */
const permitted =
  ({ tokens }: AllOptions, scope: TokenScope, answer: (asked: Asked, by: string) => Effect.Effect<Reply>): Handler =>
  (asked) =>
    Effect.matchEffect(caller(tokens, tokenIn(asked), scope), {
      onFailure: (error) =>
        Effect.succeed(json(error._tag === "Forbidden" ? 403 : 401, { _tag: error._tag, message: error.message })),
      onSuccess: ({ name }) => answer(asked, name)
    })

const MOST = 200

const listing =
  (options: AllOptions) =>
  ({ query }: Asked): Effect.Effect<Reply> =>
    Effect.map(everywhere(options), ({ missing, tenants }) => {
      const limit = Math.min(MOST, Math.max(1, Number(query.get("limit") ?? 50) || 50))
      const wanted = wantedIn(query)
      const { next, rows } = paged(found(tenants, wanted), wanted.after, limit)
      return json(200, {
        tenants: rows,
        ...(next === undefined ? {} : { next }),
        ...(missing === undefined ? {} : { missing })
      })
    })

const doing =
  (options: AllOptions) =>
  ({ params }: Asked, by: string): Effect.Effect<Reply> => {
    const { deed, tenant = "" } = params
    if (!isDeed(deed)) return Effect.succeed(json(404, { _tag: "NotFound", message: "Not found." }))
    return Effect.match(done(options, tenant, deed, by), {
      onFailure: (error) => json(options.all.status(tenant) === undefined ? 404 : 409, { message: messageOf(error) }),
      onSuccess: () => json(deed === "sync" ? 202 : 200, { tenant, [deed]: true })
    })
  }

/** The HTTP interface exists only if the settings of all tenants contain tokens. */
export const allRoutes = (options: AllOptions): ReadonlyArray<Route> => {
  const handle = pageOf(options)
  const pages = (
    [
      ["GET", "/"],
      ["GET", "/t/"],
      ["GET", "/style.css"],
      ["GET", "/login"],
      ["POST", "/login"],
      ["POST", "/leave"],
      ["POST", "/tenants/:tenant/:deed"],
      ["GET", "*"]
    ] as const
  ).map(([method, path]): Route => ({ method, path, handle }))
  if (options.tokens.length === 0) return pages
  const list = permitted(options, "read", listing(options))
  const deeds = permitted(options, "approve", doing(options))
  return [
    ...pages,
    { method: "GET", path: "/api/v1/tenants", anyName: true, handle: list },
    { method: "POST", path: "/api/v1/tenants/:tenant/:deed", anyName: true, handle: deeds }
  ]
}
