/** Serves what is common to all tenants: the page with login and logout, and the HTTP interface. */
import { Effect } from "effect"
import type { ManyTenants } from "../../sync/library/many/ManyTenants.ts"
import type { FolderOfTenants } from "../../sync/library/many/TenantsOfFolder.ts"
import * as Changes from "../../sync/library/many/TenantChanges.ts"
import type { TokenScope } from "../../sync/library/config/DaemonSettings.ts"
import { messageOf } from "../../sync/library/Exit.ts"
import { senderOf } from "../daemon/Sender.ts"
import { json, type Handler, type Reply, type Request as Asked, type Route } from "../daemon/Server.ts"
import type { Token } from "../daemon/Tokens.ts"
import { page } from "../page/Layout.ts"
import * as Names from "../page/Names.ts"
import { admitted, document, goTo } from "../page/Page.ts"
import { asReply, asRequest } from "../page/RouteModule.ts"
import type { Sessions } from "../page/Sessions.ts"
import { caller, tokenIn } from "../remote/HttpRoom.ts"
import { allPage, found, isOnly, paged, type TenantSearch } from "./AllPage.ts"

export interface AllOptions {
  readonly all: ManyTenants
  readonly files: FolderOfTenants
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

const done = ({ all, files: { folder } }: AllOptions, tenant: string, deed: Deed, by: string) =>
  Effect.gen(function* () {
    if (deed === "sync") return yield* all.ask(tenant)
    yield* deed === "pause" ? Changes.pause(folder, tenant, by) : Changes.resume(folder, tenant)
    yield* all.refresh(tenant)
  })

const wantedIn = (query: URLSearchParams): TenantSearch => {
  const only = query.get("only")
  return { search: query.get("q") ?? "", after: query.get("after") ?? "", ...(isOnly(only) ? { only } : {}) }
}

const MENU = [["/t/", "Tenants"]] as const

/** The page, for requests with a session. */
const pageOf = (options: AllOptions): Handler => {
  const { all, files, sessions } = options
  const admit = admitted(sessions)
  const answered = (asked: Asked, request: Request) =>
    Effect.gen(function* () {
      const given = yield* admit(request, senderOf(asked))
      if (given instanceof Response) return given
      const { form, path, posted, query } = given
      const frame = { form, menu: MENU, at: "/t/", title: "Tenants" }
      const shown = (status: number, said?: string) =>
        document(
          status,
          page(
            { ...frame, ...(said === undefined ? {} : { said, wrong: status >= 400 }) },
            allPage(all.list(), wantedIn(query), { form, elsewhere: files.elsewhere().length })
          )
        )
      const [first, tenant, deed] = path
      if (first === "tenants" && tenant !== undefined && isDeed(deed) && request.method === "POST") {
        const by = Names.tidy(posted.get("name")) || Names.of(request.headers.get("cookie")) || "somebody on the page"
        const failed = yield* Effect.flip(done(options, tenant, deed, by)).pipe(Effect.option)
        if (failed._tag === "Some") return shown(409, messageOf(failed.value))
        return goTo(`/t/?${new URLSearchParams({ q: tenant, said: deed })}`)
      }
      const said = query.get("said") ?? undefined
      if (path.length <= 2 && (first === "" || first === "t") && (path[1] ?? "") === "")
        return shown(200, isDeed(said) ? SAID[said] : undefined)
      return shown(404, "Not found: no page has this address.")
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
  ({ all }: AllOptions) =>
  ({ query }: Asked): Effect.Effect<Reply> =>
    Effect.sync(() => {
      const limit = Math.min(MOST, Math.max(1, Number(query.get("limit") ?? 50) || 50))
      const wanted = wantedIn(query)
      const { next, rows } = paged(found(all.list(), wanted), wanted.after, limit)
      return json(200, { tenants: rows, ...(next === undefined ? {} : { next }) })
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
