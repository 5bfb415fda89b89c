/**
 * Implements the daemon's page: a web Request in, a web Response out, so that any server can serve it.
 *
 * Every page except the login page requires a session. Forms are accepted only from this site's own pages.
 */
import { isOwnForm } from "../daemon/Host.ts"
import { Clock, Effect } from "effect"
import { MultipartParser } from "effect/http"
import * as Cookies from "effect/http/Cookies"
import { setImmediate } from "node:timers/promises"
import type { Client } from "../../core/Client.ts"
import { isShared } from "../../sync/model/Person.ts"
import { RIGHTS, whoMay } from "../../sync/model/Roles.ts"
import { Database, type Db } from "../../sync/state/Database.ts"
import { tooLong as longSearch } from "../../sync/reports/SearchText.ts"
import * as Names from "./Names.ts"
import { answerOf, type MadePage, rendered } from "./Rendered.ts"
import { isOfRoom } from "./UndoRoutes.ts"
import * as Undoable from "../../sync/state/Undoable.ts"
import * as Looked from "./Looked.ts"
import { handlerOf } from "./ReadingRoutes.ts"
import {
  type Answer,
  type Asked,
  nothing,
  type PageContext,
  type PostedFile,
  type ReadingHandler,
  trouble
} from "./Response.ts"
import { apart } from "./ThreadOfPages.ts"
import { document, goOn, goTo, HEADERS } from "./HtmlResponse.ts"
import { html } from "./Html.ts"
import { page } from "./Layout.ts"
import { ownBooks, recorded, seenBy } from "./OwnBooks.ts"
import { isFor, needed } from "./RouteRights.ts"
import { fileAt } from "./PageFiles.ts"
import * as Routes from "./Routes.ts"
import { forget, type Sessions } from "./Sessions.ts"
import { type Entering, enter } from "./SignIn.ts"
import { t } from "./language/Texts.ts"
import { chosenLook, language, languageOf, ChosenLook, lookOf, Reader } from "./language/Language.ts"
import { sentenceText } from "./language/Sentences.ts"

/** The largest form of a person who is signed in, such as one in which some thousand documents are chosen; and of anybody. */
export const LARGEST_FORM_BYTES = 4 * 2 ** 20
export const LARGEST_LOGIN_BYTES = 16 * 1024

/** The page for a form that is too large to be read. */
export const tooLarge = (said: string): string => page({ title: t`Something went wrong`, said, wrong: true }, null)

/** How much of a file is sent at a time. Bytes. */
const PIECE = 256 * 1024

/** A file as it is: each copy of a long one would keep others waiting. */
const inPieces = (bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> => {
  let at = 0
  return new ReadableStream({
    pull: (to) => {
      to.enqueue(bytes.subarray(at, at + PIECE))
      at += PIECE
      if (at >= bytes.length) to.close()
    }
  })
}

const attachment = ({ name, type }: NonNullable<MadePage["file"]>, body: Uint8Array<ArrayBuffer>): Response =>
  new Response(inPieces(body), {
    headers: {
      ...HEADERS,
      "content-type": type,
      "content-length": String(body.length),
      "content-disposition": `attachment; filename="${name}"`
    }
  })

const fromHere = ({ headers }: Request, url: URL): boolean =>
  isOwnForm({ site: headers.get("sec-fetch-site"), origin: headers.get("origin") }, [url.host])

interface Posted {
  readonly posted: URLSearchParams
  readonly file?: PostedFile
}

/** The fields of a form with a file; the server has limited its size. */
const readMultipart = async (request: Request): Promise<Posted | undefined> => {
  const posted = new URLSearchParams()
  let file: { readonly name: string; readonly chunks: Array<Uint8Array> } | undefined
  let isWhole = false
  const parser = MultipartParser.make({
    headers: { "content-type": request.headers.get("content-type") ?? "" },
    isFile: ({ filename }) => filename !== undefined,
    maxFieldSize: LARGEST_FORM_BYTES,
    onField: (info, value) => posted.append(info.name, MultipartParser.decodeField(info, value)),
    onFile: ({ filename: name = "", name: field }) => {
      if (field !== "file" || name === "" || file !== undefined) return () => {}
      const chunks: Array<Uint8Array> = []
      file = { name, chunks }
      return (chunk) => void (chunk !== null && chunks.push(chunk))
    },
    onError: () => {},
    onDone: () => void (isWhole = true)
  })
  for await (const chunk of request.body ?? []) parser.write(chunk)
  parser.end()
  await setImmediate()
  if (!isWhole) return undefined
  return file === undefined ? { posted } : { posted, file: { name: file.name, bytes: Buffer.concat(file.chunks) } }
}

/** @param known whether it comes with a session: files are read only then */
const read = (request: Request, known: boolean): Effect.Effect<Posted | undefined> =>
  Effect.promise(async () => {
    if (request.method !== "POST") return { posted: new URLSearchParams() }
    const type = request.headers.get("content-type") ?? ""
    if (known && type.startsWith("multipart/form-data")) return readMultipart(request)
    if (!type.startsWith("application/x-www-form-urlencoded")) return undefined
    let text = ""
    const decoder = new TextDecoder()
    for await (const chunk of request.body ?? []) {
      text += decoder.decode(chunk, { stream: true })
      if (text.length > (known ? LARGEST_FORM_BYTES : LARGEST_LOGIN_BYTES)) return undefined
    }
    return { posted: new URLSearchParams(text) }
  })

const parts = (path: string): ReadonlyArray<string> | undefined => {
  try {
    return path.split("/").slice(1).map(decodeURIComponent)
  } catch {
    return undefined
  }
}

/** Decisions of a room that were just made, which the page offers to take back. */
const madeSince = (db: Db, before: number, room = ""): ReadonlyArray<number> =>
  Undoable.after(db, before).flatMap(({ deed, id }) => (isOfRoom(deed, room) ? [id] : []))

/** Answers a request of a session with the page that it asks for. */
const answered = (request: Request, given: Admitted, around: PageContext) =>
  Effect.gen(function* () {
    const { path, posted } = given
    const name = isShared(given.person) ? Names.tidy(posted.get("name")) : ""
    const cookies = Cookies.parseHeader(request.headers.get("cookie") ?? "")
    const asked = {
      ...given,
      name: given.person.name || name || Names.of(request.headers.get("cookie")),
      cookie: (name: string) => cookies[name]
    }
    // A script that asks for a page again looks at nothing.
    const isAgain = request.headers.has("x-daybook-again")
    const remembers = (cookie: string | undefined) => (cookie === undefined || isAgain ? {} : { "set-cookie": cookie })
    const named = name === "" ? undefined : Names.remember(name)
    const made = (made: MadePage) =>
      made.goes !== undefined && !isAgain
        ? goTo(made.goes)
        : made.file === undefined
          ? document(made.status, made.body as string, remembers(made.remembers ?? named))
          : attachment(made.file, made.body as Uint8Array<ArrayBuffer>)
    const only = request.method === "GET" ? handlerOf(path) : undefined
    if (only !== undefined) return made(yield* readApart(only, asked, around))
    // A path that cannot be decoded has no parts.
    const handler = path.length === 0 ? undefined : Routes.find(request.method, path)
    const db = yield* Database
    const before = request.method === "POST" ? yield* db.read(() => Undoable.last(db)) : 0
    const work = handler?.(asked, around).pipe(Effect.catch((error) => Effect.succeed(trouble(error))))
    const answer: Answer =
      work === undefined
        ? nothing
        : request.method === "POST"
          ? yield* recorded({ from: given.from, path, person: given.person, posted }, around, work)
          : yield* work
    if ("to" in answer) {
      const undo = yield* db.read(() => madeSince(db, before, path[0]))
      const said = [["said", answer.said], ...undo.map((id) => ["undo", String(id)])]
      return goTo(
        `${answer.to}${answer.to.includes("?") ? "&" : "?"}${new URLSearchParams(said)}`,
        remembers(answer.remembers ?? named)
      )
    }
    const shown = rendered(answer, given, around)
    return made(yield* request.method === "POST" ? seenBy(given.person, shown) : shown)
  })

/** ReadContext a page or a file, in another thread if the books are large. */
const readApart = (handler: ReadingHandler, asked: Omit<Asked, "file">, around: PageContext) =>
  Effect.gen(function* () {
    const db = yield* Database
    const { cookie, form, name, path, person, query } = asked
    const here = Effect.provideService(answerOf(handler, asked, around), Database, db)
    const look = {
      path,
      form,
      name,
      person,
      query: query.toString(),
      looked: cookie(Looked.NAME),
      language: language(),
      chosen: chosenLook()
    }
    const connections = around.connections.map(({ id, pays, planning }) => ({
      id,
      planning,
      ...(pays === undefined ? {} : { pays })
    }))
    const { paidUnseen, tenant } = around
    const reads = {
      connections,
      ...(tenant === undefined ? {} : { tenant }),
      ...(paidUnseen === undefined ? {} : { paidUnseen })
    }
    const place = /\.\w+$/.test(path.at(-1) ?? "") ? "file" : "page"
    return yield* apart(db, { type: "page", look, around: reads }, here, place).pipe(
      Effect.catch((error) => rendered(trouble(error), asked, around))
    )
  })

/** What a session asks for. */
type Admitted = Omit<Asked, "name" | "cookie"> & { readonly from: string }

/** Signs out: this session, or all of the person's. */
const leave = (sessions: Sessions, session: string, everywhere: boolean, { from, now, url }: Entering) =>
  Effect.gen(function* () {
    const person = sessions.personOf(session)
    const ticket = sessions.ticketOf(session)
    if (person !== undefined) yield* sessions.record({ at: now, who: person, from, outcome: "signed out" })
    if (everywhere && person !== undefined) sessions.endAll(person)
    else sessions.end(session)
    const gone = { "set-cookie": forget({ encrypted: url.protocol === "https:" }) }
    const provider =
      ticket === undefined ? undefined : yield* sessions.openId?.endOf(ticket) ?? Effect.succeed(undefined)
    if (provider === undefined) return goTo("/login", gone)
    const said = t`Signed out here. Your browser goes on to sign you out at the provider.`
    return goOn(
      provider,
      page({ title: t`Signed out`, said }, html`<p><a class="button" href=${provider}>Go on</a></p>`),
      gone
    )
  })

/**
 * Checks session, form and rights of a request. Returns what it asks for, or the response if it is rejected or already answered.
 */
export const admitted =
  (sessions: Sessions) =>
  (request: Request, from: string): Effect.Effect<Response | Admitted> =>
    Effect.gen(function* () {
      const url = new URL(request.url)
      const path = parts(url.pathname)
      const now = yield* Clock.currentTimeMillis
      const own = fileAt(url.pathname, request.headers.get("if-none-match"))
      if (own !== undefined) return own
      const session = sessions.of(request.headers.get("cookie"), now)
      const person = session === undefined ? undefined : sessions.personOf(session)
      const frame = session === undefined || person === undefined ? {} : { form: sessions.form(session), person }
      const refuse = (status: number, said: string) =>
        document(status, page({ ...frame, title: t`Something went wrong`, said, wrong: true }, null))
      if (request.method !== "GET" && request.method !== "POST")
        return refuse(405, t`Only GET and POST are answered here.`)
      const given = yield* read(request, session !== undefined)
      if (given === undefined) return refuse(400, t`The form could not be read.`)
      const { posted } = given
      if (request.method === "POST" && !fromHere(request, url))
        return refuse(403, t`Forms from other sites are not accepted.`)
      if (path?.[0] === "login") return yield* enter(request, { url, posted, from, now }, sessions)
      if (session === undefined || person === undefined) {
        return request.method === "GET"
          ? goTo(`/login?${new URLSearchParams({ to: `${url.pathname}${url.search}` })}`)
          : refuse(403, t`The session has ended; sign in again.`)
      }
      if (request.method === "POST" && !sessions.isForm(session, posted.get("form") ?? ""))
        return refuse(403, t`The form belongs to another session; open the page again.`)
      if (request.method === "POST" && path?.[0] === "leave")
        return yield* leave(sessions, session, path[1] === "everywhere", { url, posted, from, now })
      if (path !== undefined && !isFor(person.rights, request.method, path))
        return refuse(403, refusalOf(needed(request.method, path)))
      // The name of who signed in stands wherever a name is typed.
      if (!isShared(person)) posted.set("name", person.name)
      sessions.named(session, Names.tidy(posted.get("name")))
      const open = {
        own: sessions.nameOf(session),
        all: () => sessions.open(now),
        end: (name: string) => ended(sessions, name, { from, now }),
        persons: sessions.persons
      }
      const long = longSearch(url.searchParams.get("q") ?? "")
      if (long !== undefined) return refuse(422, `${long.replace(/^a/, "A")}.`)
      const form = sessions.form(session)
      return { ...given, path: path ?? [], query: url.searchParams, form, from, person, sessions: open }
    })

/** Ends another session. */
const ended = (sessions: Sessions, name: string, { from, now }: { readonly from: string; readonly now: number }) =>
  Effect.suspend(() => {
    const who = sessions.endNamed(name)
    return who === undefined ? Effect.void : sessions.record({ at: now, who, from, outcome: "ended by another" })
  })

/** Why somebody may not use an address. */
const refusalOf = (right: ReturnType<typeof needed>): string =>
  right === undefined || right === "own"
    ? t`This form is not known here.`
    : t`Your role does not allow this (${sentenceText(RIGHTS[right])}): ask ${sentenceText(whoMay(right))}.`

/**
 * @param around the current context, requested for each request
 * @returns answers a request from this sender
 */
export const handle =
  (sessions: Sessions, around: Effect.Effect<PageContext>) =>
  (request: Request, from: string): Effect.Effect<Response, never, Database | Client> =>
    Effect.gen(function* () {
      const asked = yield* admitted(sessions)(request, from)
      if (asked instanceof Response) return asked
      const { form, person } = asked
      const wrong = (status: number, said: string) =>
        document(status, page({ form, person, title: t`Something went wrong`, said, wrong: true }, null))
      return yield* ownBooks(
        { ...asked, method: request.method },
        yield* around,
        (context) => answered(request, asked, context),
        () => wrong(403, t`This is not about books that you may see.`)
      ).pipe(Effect.catch((error) => Effect.succeed(wrong(500, error.message))))
    }).pipe(Effect.provideService(Reader, languageOf(request)), Effect.provideService(ChosenLook, lookOf(request)))
