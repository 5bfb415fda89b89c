/** Serves what is common to all tenants: the page with login and logout, and the HTTP interface. */
import { Effect } from "effect"
import { messageOf } from "../../sync/library/Exit.ts"
import type { Handler, Request as Asked, Route } from "../daemon/Server.ts"
import { allowed } from "../page/Allowed.ts"
import { page } from "../page/Layout.ts"
import * as Names from "../page/Names.ts"
import { document, goTo } from "../page/HtmlResponse.ts"
import { admitted } from "../page/Page.ts"
import { asReply, asRequest, signedIn } from "../page/RouteModule.ts"
import { holding } from "../remote/HttpRoutes.ts"
import { choiceIn } from "../page/LanguageChoice.ts"
import { languageOf, ChosenLook, lookOf, Reader } from "../page/language/Language.ts"
import { t, term } from "../page/language/Texts.ts"
import { PREFIX } from "../remote/HttpInterface.ts"
import { allPage } from "./AllPage.ts"
import { isOnly, type TenantSearch } from "./TenantSearch.ts"
import { type AllOptions, type Deed, done, everywhere, isDeed } from "./TenantDeeds.ts"
import { tenantsInterface } from "./TenantsInterface.ts"

const SAID: Readonly<Record<Deed, string>> = {
  sync: "It runs as soon as it has its turn.",
  pause: "Paused. A run in progress finishes first.",
  resume: "Resumed."
}

const wantedIn = (query: URLSearchParams): TenantSearch => {
  const only = query.get("only")
  return { search: query.get("q") ?? "", after: query.get("after") ?? "", ...(isOnly(only) ? { only } : {}) }
}

const MENU = [["", [["/t/", "Tenants"]]]] as const

/** The page, for requests with a session. */
const pageOf = (options: AllOptions): Handler => {
  const { files, sessions } = options
  const admit = admitted(sessions)
  const answered = (asked: Asked, request: Request) =>
    Effect.gen(function* () {
      const given = yield* admit(request, asked.from)
      if (given instanceof Response) return given
      const { form, path, person, posted, query } = given
      const frame = { form, person, menu: MENU, at: "/t/", title: t`Tenants` }
      const isTheirs = (name: string) => person.tenants?.includes(name) ?? true
      const shown = (status: number, said?: string) =>
        Effect.map(everywhere(options), ({ missing, tenants }) => {
          const elsewhere = files.elsewhere().length
          return document(
            status,
            page(
              { ...frame, ...(said === undefined ? {} : { said, wrong: status >= 400 }) },
              allowed(
                allPage(
                  tenants.filter(({ name }) => isTheirs(name)),
                  wantedIn(query),
                  { form, elsewhere: person.tenants === undefined ? elsewhere : 0, missing }
                ),
                person.rights
              )
            )
          )
        })
      const [first, tenant, deed] = path
      if (first === "language" && request.method === "POST") {
        const { to, keeps } = choiceIn(posted)
        return goTo(to, keeps === undefined ? {} : { "set-cookie": keeps })
      }
      const isDecision = first === "tenants" && tenant !== undefined && isTheirs(tenant) && isDeed(deed)
      if (isDecision && request.method === "POST") {
        const by = Names.tidy(posted.get("name")) || Names.of(request.headers.get("cookie")) || "somebody on the page"
        const failed = yield* Effect.flip(done(options, tenant, deed, by)).pipe(Effect.option)
        if (failed._tag === "Some") return yield* shown(409, messageOf(failed.value))
        return goTo(`/t/?${new URLSearchParams({ q: tenant, said: deed })}`)
      }
      const said = query.get("said") ?? undefined
      if (path.length <= 2 && (first === "" || first === "t") && (path[1] ?? "") === "")
        return yield* shown(200, isDeed(said) ? term(SAID[said]) : undefined)
      return yield* shown(404, t`Not found: no page has this address.`)
    })
  return (asked) => {
    const request = asRequest(asked)
    return Effect.flatMap(answered(asked, request), asReply).pipe(
      Effect.provideService(Reader, languageOf(request)),
      Effect.provideService(ChosenLook, lookOf(request))
    )
  }
}

/** The HTTP interface exists only if the settings of all tenants contain tokens. */
export const allRoutes = (options: AllOptions): ReadonlyArray<Route> => {
  const handle = pageOf(options)
  const pages = (
    [
      ["GET", "/"],
      ["GET", "/t/"],
      ["GET", "/style.css"],
      ["GET", "/page.woff2"],
      ["GET", "/login"],
      ["POST", "/login"],
      ["GET", "/login/openid"],
      ["GET", "/login/return"],
      ["POST", "/login/ended"],
      ["POST", "/language"],
      ["POST", "/leave"],
      ["POST", "/leave/everywhere"],
      ["POST", "/tenants/:tenant/:deed"],
      ["GET", "*"]
    ] as const
  ).map(
    ([method, path]): Route => ({
      method,
      path,
      ...(path.startsWith("/login") ? {} : { knows: signedIn(options.sessions) }),
      handle
    })
  )
  if (options.tokens.length === 0) return pages
  const answer = tenantsInterface(options)
  return [
    ...pages,
    { method: "GET", path: `${PREFIX}/*`, anyName: true, handle: answer },
    {
      method: "POST",
      path: `${PREFIX}/*`,
      anyName: true,
      knows: holding(Effect.succeed(options.tokens)),
      handle: answer
    }
  ]
}
